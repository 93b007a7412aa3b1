import { addDays, addMonths, type Days, startOf } from "@findersfee/contract/reports/periods";

/** A stored span of days, to be added or subtracted: one of `total_spans`. */
export interface Piece extends Days {
  sign: 1 | -1;
}

/** Stored days from the first one of a month, and months from the first one of a year. */
const FIRST_DAYS = [0, 5, 10, 15, 20, 25];
const FIRST_MONTHS = [0, 3, 6, 9, 12];

/** The cost of reading a span: more values have totals in a month than on a day. */
const DAY_COST = 1;
const SPAN_COST = 2;

/**
 * The spans to read totals of for a period, as few as possible: the years between, and each end as the part
 * of its year before it. A part is the stored span with the next end, plus or minus some months and days.
 */
export function piecesOf({ from, until }: Days): Piece[] {
  const years = yearsOf(from, until);
  let best: { pieces: Piece[]; cost: number } | null = null;
  const ends = partsBefore(until);
  for (const start of partsBefore(from)) {
    for (const end of ends) {
      const pieces = sumOf([
        ...years,
        ...end,
        ...start.map(({ sign, ...days }) => ({ ...days, sign: -sign })),
      ]);
      const cost = costOf(pieces);
      if (best === null || cost < best.cost) best = { pieces, cost };
    }
  }
  return best?.pieces ?? [];
}

interface Signed extends Days {
  sign: number;
}

function yearsOf(from: string, until: string): Signed[] {
  const years: Signed[] = [];
  for (let start = startOf(from, "year"); start < startOf(until, "year"); start = addMonths(start, 12)) {
    years.push({ from: start, until: addMonths(start, 12), sign: 1 });
  }
  return years;
}

/** Ways to sum up the year of a day until the day. */
function partsBefore(day: string): Signed[][] {
  const month = startOf(day, "month");
  const next = addMonths(month, 1);
  const days = Number(day.slice(8)) - 1;
  const length = Number(addDays(next, -1).slice(8));
  const in_month = nearest([...FIRST_DAYS, length], days).map((first) => [
    ...(first === 0 ? [] : [{ from: month, until: addDays(month, first), sign: 1 }]),
    ...daysBetween(addDays(month, first), day),
  ]);
  const before = monthsBefore(month);
  if (days === 0) return before;
  return before.flatMap((months) => in_month.map((part) => [...months, ...part]));
}

function monthsBefore(month: string): Signed[][] {
  const year = startOf(month, "year");
  const months = Number(month.slice(5, 7)) - 1;
  return nearest(FIRST_MONTHS, months).map((first) => [
    ...(first === 0 ? [] : [{ from: year, until: addMonths(year, first), sign: 1 }]),
    ...monthsBetween(addMonths(year, first), month),
  ]);
}

/** The stored ends beside a place. */
function nearest(ends: readonly number[], place: number): number[] {
  const below = Math.max(...ends.filter((end) => end <= place));
  const above = Math.min(...ends.filter((end) => end >= place));
  return below === above ? [below] : [below, above];
}

/** Adds the days, or subtracts them if the end is before the start. */
function daysBetween(from: string, until: string): Signed[] {
  if (from > until) return negative(daysBetween(until, from));
  const days: Signed[] = [];
  for (let at = from; at < until; at = addDays(at, 1))
    days.push({ from: at, until: addDays(at, 1), sign: 1 });
  return days;
}

function monthsBetween(from: string, until: string): Signed[] {
  if (from > until) return negative(monthsBetween(until, from));
  const months: Signed[] = [];
  for (let at = from; at < until; at = addMonths(at, 1)) {
    months.push({ from: at, until: addMonths(at, 1), sign: 1 });
  }
  return months;
}

function negative(pieces: readonly Signed[]): Signed[] {
  return pieces.map((piece) => ({ ...piece, sign: -piece.sign }));
}

/** Without spans that are both added and subtracted. */
function sumOf(pieces: readonly Signed[]): Piece[] {
  const sums = new Map<string, Signed>();
  for (const piece of pieces) {
    const key = `${piece.from} ${piece.until}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...piece });
    else sum.sign += piece.sign;
  }
  return [...sums.values()].filter((piece): piece is Piece => Math.abs(piece.sign) === 1);
}

function costOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (isDay(piece) ? DAY_COST : SPAN_COST), 0);
}

function isDay({ from, until }: Days): boolean {
  return addDays(from, 1) === until;
}

/** A piece for each point of a chart: `day` is the first one of the point in the period. */
export function bucketsOf(
  { from, until }: Days,
  unit: "day" | "week" | "month",
): (Piece & { day: string })[] {
  const buckets: (Piece & { day: string })[] = [];
  for (let day = from; day < until; ) {
    const end = endOf(day, unit);
    const next = end < until ? end : until;
    const pieces: Piece[] =
      unit === "day" ? [{ from: day, until: next, sign: 1 }] : piecesOf({ from: day, until: next });
    buckets.push(...pieces.map((piece) => ({ ...piece, day })));
    day = next;
  }
  return buckets;
}

function endOf(day: string, unit: "day" | "week" | "month"): string {
  if (unit === "day") return addDays(day, 1);
  if (unit === "month") return addMonths(startOf(day, "month"), 1);
  const days_after_monday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, 7 - days_after_monday);
}
