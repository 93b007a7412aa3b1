/** Ticks of an axis, about. */
const TICKS = 4;

/**
 * The round values of an axis from zero to at least the highest value: 1, 2 or 5 times a power of ten apart. With `whole`, for
 * counts, there is none between 0 and 1.
 */
export function ticksTo(highest: number, { whole = false } = {}): number[] {
  if (highest <= 0) return [0, 1];
  const rough = Math.max(highest / TICKS, whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks = [];
  for (let index = 0; (index - 1) * step < highest; index += 1) ticks.push(roundTo(index * step, step));
  return ticks;
}

/** Without the digits that binary fractions add: 0.30000000000000004. */
function roundTo(value: number, step: number): number {
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Number(value.toFixed(decimals));
}

/** Bars of so few points are as wide as words. */
const FEW = 7;

/**
 * Whether points are shown as bars: a few points, or many with few values, so that a line would be a spike
 * for each.
 */
export function areFew(values: readonly number[]): boolean {
  const with_value = values.filter((value) => value !== 0).length;
  return values.length <= FEW || (with_value > 0 && with_value <= Math.max(FEW - 1, values.length / 6));
}

/** The place of a point on the axis, from 0 to 1. Bars stand in the middle of their part of the axis. */
export function pointPlace(index: number, count: number, as_bars: boolean): number {
  return as_bars ? (index + 0.5) / Math.max(count, 1) : index / Math.max(count - 1, 1);
}

/** The point at a place of the axis. */
export function pointAt(place: number, count: number, as_bars: boolean): number {
  const index = as_bars ? Math.floor(place * count) : Math.round(place * (count - 1));
  return Math.max(0, Math.min(count - 1, index));
}

/**
 * The points of an axis that have a label: the first, and others at even distances. The first label begins at its point and the
 * others are centered, so labels are one and a half of their widths apart, and a gap.
 */
export function labelIndexes(count: number, axis_width: number, label_width: number): number[] {
  const distance = axis_width / Math.max(count - 1, 1);
  const every = Math.max(1, Math.ceil((1.5 * label_width + LABEL_GAP) / distance));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

const LABEL_GAP = 12;
