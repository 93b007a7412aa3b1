import { addDays, addMonths, type Days, startOf } from "@findersfee/contract/reports/periods";

/** Days, months or years of stored totals, to be added or subtracted. */
export interface Piece extends Days {
  unit: "day" | "month" | "year";
  sign: 1 | -1;
}

const UNITS = ["day", "month", "year"] as const;

/** What it costs to read a unit: more values have totals in a month than on a day. */
const COSTS = { day: 1, month: 2, year: 2 };

/**
 * The units whose totals are read for a period, as few as possible: of most of a month, the month less the other days. So any
 * period is at most about 30 days, 12 months and its years.
 */
export function piecesOf({ from, until }: Days, largest: "month" | "year" = "year"): Piece[] {
  return cheapest(from, until, { level: 0, last: UNITS.indexOf(largest) }).pieces;
}

interface Cover {
  pieces: Piece[];
  cost: number;
}

function cheapest(
  from: string,
  until: string,
  { level, last: last_level }: { level: number; last: number },
): Cover {
  const unit = UNITS[level] ?? "year";
  let best = direct({ unit, from, until, sign: 1 });
  const larger = UNITS[level + 1];
  if (larger === undefined || larger === "day" || level === last_level) return best;
  for (const first of edgesOf(from, larger)) {
    for (const last of edgesOf(until, larger)) {
      if (first > last) continue;
      const inner = cheapest(first, last, { level: level + 1, last: last_level });
      const edges = [between(unit, from, first), between(unit, last, until)];
      const cost = edges.reduce((sum, edge) => sum + edge.cost, inner.cost);
      if (cost < best.cost)
        best = { cost, pieces: [...inner.pieces, ...edges.flatMap(({ pieces }) => pieces)] };
    }
  }
  return best;
}

/** Adds the range, or subtracts it if its end is before its start. */
function between(unit: Piece["unit"], from: string, until: string): Cover {
  return from <= until
    ? direct({ unit, from, until, sign: 1 })
    : direct({ unit, from: until, until: from, sign: -1 });
}

function direct(piece: Piece): Cover {
  const { unit, from, until } = piece;
  return from === until
    ? { pieces: [], cost: 0 }
    : { pieces: [piece], cost: COSTS[unit] * countOf(unit, from, until) };
}

function countOf(unit: Piece["unit"], from: string, until: string): number {
  if (unit === "day") return (Date.parse(until) - Date.parse(from)) / (24 * 60 * 60 * 1000);
  const months = monthOf(until) - monthOf(from);
  return unit === "month" ? months : months / 12;
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

/** The beginning of the month or year, and of the next one. */
function edgesOf(day: string, unit: "month" | "year"): string[] {
  const start = startOf(day, unit);
  return start === day ? [day] : [start, addMonths(start, unit === "month" ? 1 : 12)];
}

/** A piece for each point of a chart: `day` is the first one of the point in the period. */
export function bucketsOf(
  { from, until }: Days,
  unit: "day" | "week" | "month",
  largest?: "month" | "year",
): (Piece & { day: string })[] {
  const buckets: (Piece & { day: string })[] = [];
  for (let day = from; day < until; ) {
    const end = endOf(day, unit);
    const next = end < until ? end : until;
    const pieces = piecesOf({ from: day, until: next }, largest);
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
