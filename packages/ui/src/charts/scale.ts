/** The round values of an axis from zero to at least the highest value: 1, 2 or 5 times a power of ten apart. */
export function ticksTo(highest: number, count = 4): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / count;
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
