import {
  daysBetween,
  type GetOverview,
  type Overview,
  type OverviewUnit,
  type Totals,
} from "@findersfee/contract/reports/analytics";
import {
  type OverviewPointRow,
  readOverview,
  type TotalsText,
} from "@findersfee/database/reports/totals/overview";
import { TOTALS } from "@findersfee/database/reports/totals/sources";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The totals of a range of days, of as many days before it, and the affiliates with the most revenue. */
export async function getOverview(
  { database, organization }: Context,
  { from, until, unit, top, currency = organization.currency, campaign_id }: GetOverview,
): Promise<Overview> {
  const before = addDays(from, -daysBetween(from, until));
  const filter = { before, from, until, unit, currency, campaign_id: campaign_id ?? null, top };
  const row = await readOverview(database, organization.id, filter);
  const previous = row.points.filter(({ is_previous }) => is_previous);
  const present = row.points.filter(({ is_previous }) => !is_previous);
  return {
    currency,
    present: viewTotals(sumOf(present), currency),
    previous: viewTotals(sumOf(previous), currency),
    points: pointsOf(present, { from, until, unit, currency }),
    previous_points: pointsOf(previous, { from: before, until: from, unit, currency }),
    top: row.top.map(({ id, email, first_name, last_name, ...totals }) => ({
      affiliate: { id, email, first_name, last_name },
      ...viewTotals(totals, currency),
    })),
  };
}

const NOTHING = Object.fromEntries(TOTALS.map((total) => [total, "0"])) as TotalsText;

function sumOf(rows: readonly TotalsText[]): TotalsText {
  const sum = { ...NOTHING };
  for (const total of TOTALS) {
    sum[total] = `${rows.reduce((all, row) => all + BigInt(row[total]), 0n)}`;
  }
  return sum;
}

/** A point for each day, week or month of a range. */
function pointsOf(
  rows: readonly OverviewPointRow[],
  { from, until, unit, currency }: { from: string; until: string; unit: OverviewUnit; currency: string },
): Overview["points"] {
  const rowOf = new Map(rows.map((row) => [row.day, row]));
  const points: Overview["points"] = [];
  for (let day = startOf(from, unit); day < until; day = nextOf(day, unit)) {
    points.push({ day, ...viewTotals(rowOf.get(day) ?? NOTHING, currency) });
  }
  return points;
}

function startOf(day: string, unit: OverviewUnit): string {
  if (unit === "day") return day;
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  const days_after_monday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -days_after_monday);
}

function nextOf(day: string, unit: OverviewUnit): string {
  if (unit !== "month") return addDays(day, unit === "day" ? 1 : 7);
  return startOf(addDays(day, 31), "month");
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

function viewTotals(row: TotalsText, currency: string): Totals {
  return {
    clicks: Number(row.clicks),
    signups: Number(row.signups),
    conversions: Number(row.conversions),
    revenue_amount: toMajor(BigInt(row.revenue_minor), currency),
    commission_amount: toMajor(BigInt(row.commission_minor), currency),
    lost_amount: toMajor(BigInt(row.lost_minor), currency),
  };
}
