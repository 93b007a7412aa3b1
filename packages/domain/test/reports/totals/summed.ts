import { type GetOverview, overviewUnits } from "@findersfee/contract/reports/analytics";
import { listAffiliateDays } from "@findersfee/database/portal/home";
import { NO_CURRENCY } from "@findersfee/database/reports/totals/sources";
import type { Context } from "../../../src/context.ts";
import { getOverview } from "../../../src/reports/overview.ts";
import { type Compared, comparePerformance } from "./performance-sums.ts";

const DAYS = 60;
const CURRENCIES = ["USD", "EUR"];

interface SummedRow {
  day: string;
  affiliate_id: string;
  campaign_id: string;
  name: string;
  amount: number;
}

/** The sums of an organization's rows, in plain SQL, by day in its time zone. */
async function sumRows(
  { database, organization }: Context,
  currency: string,
  zone: string,
): Promise<SummedRow[]> {
  const { id } = organization;
  return await database<SummedRow[]>`
    select ((at at time zone ${zone})::date)::text as day, affiliate_id, campaign_id, name, sum(amount)::float8 as amount
    from (
      select affiliate_id, referral_date as at, 'revenue_amount' as name, revenue_minor / 100.0 as amount
      from commissions where organization_id = ${id} and currency = ${currency} and not voided
      union all
      select affiliate_id, referral_date, 'commission_amount', commission_minor / 100.0
      from commissions where organization_id = ${id} and currency = ${currency} and not voided
      union all
      select affiliate_id, created_at, 'lost_amount', -unpaid_minor / 100.0 from ledger_entries
      where organization_id = ${id} and currency = ${currency} and commission_id is not null and kind <> 'earned'
      union all
      select affiliate_id, signup_date, 'signups', 1 from referrals
      where organization_id = ${id} and replaced_at is null
      union all
      select affiliate_id, converted_at, 'conversions', 1 from referrals
      where organization_id = ${id} and replaced_at is null and converted_at is not null
      union all
      select affiliate_id, min(clicked_at), 'clicks', 1 from clicks where organization_id = ${id}
      group by affiliate_id, code, visitor_hash, date_trunc('hour', clicked_at, 'UTC')
    ) as counted
    join affiliates affiliate on affiliate.organization_id = ${id} and affiliate.id = affiliate_id
    group by 1, 2, 3, 4
    having sum(amount) <> 0`;
}

type Summed = readonly SummedRow[];

const NAMES = [
  "clicks",
  "signups",
  "conversions",
  "revenue_amount",
  "commission_amount",
  "lost_amount",
] as const;
type Sums = Record<(typeof NAMES)[number], number>;

function sumsOf(rows: Summed): Sums {
  const of = (name: string) =>
    rows.reduce((sum, row) => (row.name === name ? sum + Math.round(row.amount * 100) : sum), 0) / 100;
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Sums;
}

function dateOf(days_from_now: number): string {
  return new Date(Date.now() + days_from_now * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/**
 * Compares the totals of the dashboard's operations with sums of rows of the same moment: changes by other
 * transactions between two statements would look like a difference. Returns the differences.
 */
export async function findDifferingTotals(context: Context): Promise<Compared[]> {
  return (await context.database.begin("isolation level repeatable read read only", async (sql) => {
    const inside = { ...context, database: sql as unknown as Context["database"] };
    const compared: Compared[] = [];
    for (const currency of CURRENCIES) compared.push(...(await compare(inside, currency)));
    compared.push(...(await comparePerformance(inside)));
    return compared.filter(({ expected, actual }) => JSON.stringify(expected) !== JSON.stringify(actual));
  })) as Compared[];
}

async function compare(context: Context, currency: string): Promise<Compared[]> {
  const [seal] = await context.database<[{ time_zone: string }]>`
    select time_zone from total_seals where organization_id = ${context.organization.id}`;
  const rows = await sumRows(context, currency, seal.time_zone);
  const range = { from: dateOf(-DAYS / 2), until: dateOf(2), currency, unit: "day" as const, top: 20 };
  const between = (from: string, until: string) => rows.filter(({ day }) => day >= from && day < until);
  const days = between(range.from, range.until);
  const previous = between(dateOf(-DAYS - 2), range.from);
  const compared: Compared[] = [];
  const overview = await getOverview(context, range);
  compared.push({ what: `${currency} present`, expected: sumsOf(days), actual: overview.present });
  compared.push({ what: `${currency} previous`, expected: sumsOf(previous), actual: overview.previous });
  for (const campaign_id of new Set(rows.map((row) => row.campaign_id))) {
    const own = await getOverview(context, { ...range, campaign_id });
    const ofCampaign = (summed: Summed) => sumsOf(summed.filter((row) => row.campaign_id === campaign_id));
    compared.push({
      what: `${currency} campaign ${campaign_id}`,
      expected: ofCampaign(days),
      actual: own.present,
    });
    compared.push({
      what: `${currency} before ${campaign_id}`,
      expected: ofCampaign(previous),
      actual: own.previous,
    });
  }
  compared.push(...(await comparePoints(context, { range, days, previous })));
  compared.push(...(await compareAffiliateDays(context, currency, days)));
  for (const { affiliate, ...actual } of overview.top) {
    const expected = sumsOf(days.filter(({ affiliate_id }) => affiliate_id === affiliate.id));
    compared.push({ what: `${currency} affiliate ${affiliate.id}`, expected, actual });
  }
  const best = new Map<string, number>();
  for (const { affiliate_id, name, amount } of days) {
    if (name === "revenue_amount") best.set(affiliate_id, (best.get(affiliate_id) ?? 0) + amount);
  }
  const most = [...best.values()].filter((revenue) => revenue > 0).sort((one, other) => other - one);
  compared.push({
    what: `${currency} top`,
    expected: most.slice(0, range.top).map(cents),
    actual: overview.top.map(({ revenue_amount }) => revenue_amount),
  });
  return compared;
}

async function comparePoints(
  context: Context,
  { range, days, previous }: { range: GetOverview; days: Summed; previous: Summed },
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const unit of overviewUnits) {
    const { points, previous_points } = await getOverview(context, { ...range, unit });
    const what = `${range.currency} by ${unit}`;
    compared.push({ what, expected: sumsOf(days), actual: added(points) });
    compared.push({ what: `${what} before`, expected: sumsOf(previous), actual: added(previous_points) });
    if (unit !== "day") continue;
    const lines = points.map(({ day: _, ...point }) => point);
    const expected = dates(range).map((date) => sumsOf(days.filter(({ day }) => day === date)));
    compared.push({ what: `${range.currency} each day`, expected, actual: lines });
    compared.push({ what: "days", expected: dates(range), actual: points.map(({ day }) => day) });
  }
  return compared;
}

const SHOWN_NAMES = ["clicks", "signups", "conversions", "commission_amount"];

/** The last days of each affiliate, as the portal shows them. */
async function compareAffiliateDays(
  { database, organization }: Context,
  currency: string,
  days: Summed,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const affiliate_id of new Set(days.map((row) => row.affiliate_id))) {
    const own = { organization_id: organization.id, affiliate_id };
    const rows = await listAffiliateDays(database, { ...own, now: new Date(), days: DAYS / 2 });
    const { first_day = "", last_day = "" } = rows[0] ?? {};
    const actual = rows.flatMap(({ day, currency: of, commission_minor, ...counts }) => {
      const amounts = of === currency ? { commission_amount: Number(commission_minor) / 100 } : {};
      const totals: Record<string, unknown> = of === NO_CURRENCY ? counts : amounts;
      return SHOWN_NAMES.map((name) => `${day} ${name} ${Number(totals[name] ?? 0)}`);
    });
    const expected = days
      .filter((row) => row.affiliate_id === affiliate_id && row.day >= first_day && row.day <= last_day)
      .map(({ day, name, amount }) => `${day} ${name} ${cents(amount)}`);
    compared.push({
      what: `${currency} days of affiliate ${affiliate_id}`,
      expected: expected.filter((line) => SHOWN_NAMES.some((name) => line.includes(` ${name} `))).sort(),
      actual: actual.filter((line) => !line.endsWith(" 0")).sort(),
    });
  }
  return compared;
}

function added(points: readonly Sums[]): Sums {
  return points.reduce(
    (sum, point) => Object.fromEntries(NAMES.map((name) => [name, cents(sum[name] + point[name])])) as Sums,
    sumsOf([]),
  );
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function dates({ from, until }: { from: string; until: string }): string[] {
  const all: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(until); at += 24 * 60 * 60 * 1000) {
    all.push(new Date(at).toISOString().slice(0, 10));
  }
  return all;
}
