import {
  type PerformanceDimension,
  type PerformanceMetrics,
  performanceDimensions,
} from "@findersfee/contract/reports/performance";
import { addDays, addMonths, startOf } from "@findersfee/contract/reports/periods";
import type { Context } from "../../../src/context.ts";
import { getPerformance, getPerformanceSeries } from "../../../src/reports/performance/get.ts";

export interface Compared {
  what: string;
  expected: unknown;
  actual: unknown;
}

const NAMES = [
  "clicks",
  "signups",
  "conversions",
  "revenue_amount",
  "commission_amount",
  "lost_amount",
  "refunds",
] as const;

interface SourcedRow extends Record<PerformanceDimension, string | null> {
  day: string;
  name: (typeof NAMES)[number];
  amount: number;
}

/** The sums of an organization's rows by their sources, in plain SQL, by day in its time zone. */
async function sumRows({ database, organization: { id } }: Context, currency: string): Promise<SourcedRow[]> {
  return await database<SourcedRow[]>`
    select ((at at time zone (select time_zone from total_seals where organization_id = ${id}))::date)::text as day,
      affiliate_id::text as affiliate, affiliate.campaign_id::text as campaign, link,
      split_part(split_part(regexp_replace(url, '^https?://', ''), '?', 1), '#', 1) as landing_page,
      split_part(regexp_replace(counted.referrer, '^https?://', ''), '/', 1) as referrer,
      sub_id, visitor_country, customer_country, name, sum(amount)::float8 as amount
    from (
      select commission.affiliate_id, referral_date as at, name, amount / 100.0 as amount, link_code as link,
        landing_url as url, referrer, sub_id, visitor_country, customer_country
      from commissions commission join referrals referral using (organization_id)
      cross join lateral (values ('revenue_amount', revenue_minor), ('commission_amount', commission_minor)) as v (name, amount)
      where organization_id = ${id} and referral.id = commission.referral_id and currency = ${currency} and not voided
      union all
      select entry.affiliate_id, entry.created_at, name, amount, link_code, landing_url, referrer,
        sub_id, visitor_country, customer_country
      from ledger_entries entry
      cross join lateral (values ('lost_amount', -unpaid_minor / 100.0),
        ('refunds', case kind when 'restored' then -1 else 1 end)) as v (name, amount)
      join commissions commission on commission.organization_id = ${id} and commission.id = commission_id
      join referrals referral on referral.organization_id = ${id} and referral.id = commission.referral_id
      where entry.organization_id = ${id} and entry.currency = ${currency} and kind in ('reduced', 'voided', 'reversed', 'restored')
      union all
      select affiliate_id, at, name, 1, link_code, landing_url, referrer, sub_id, visitor_country, customer_country
      from referrals cross join lateral (values ('signups', signup_date), ('conversions', converted_at)) as v (name, at)
      where organization_id = ${id} and replaced_at is null and at is not null
      union all
      select affiliate_id, clicked_at, 'clicks', 1, code, landing_url, referrer, sub_id, country, null
      from clicks click where organization_id = ${id} and not exists (
        select from clicks earlier
        where earlier.organization_id = ${id} and earlier.affiliate_id = click.affiliate_id and earlier.code = click.code
          and earlier.visitor_hash = click.visitor_hash and earlier.id < click.id
          and date_trunc('hour', earlier.clicked_at, 'UTC') = date_trunc('hour', click.clicked_at, 'UTC'))
    ) as counted
    join affiliates affiliate on affiliate.organization_id = ${id} and affiliate.id = affiliate_id
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(amount) <> 0`;
}

type Rows = readonly SourcedRow[];

/** Each value's sums, without those that are all zero. */
function byValue(rows: Rows, dimension: PerformanceDimension): string[] {
  const sums = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const key = row[dimension] === null ? "none" : `=${row[dimension]}`;
    const sum = sums.get(key) ?? new Map<string, number>();
    sum.set(row.name, (sum.get(row.name) ?? 0) + row.amount);
    sums.set(key, sum);
  }
  const lines = [...sums].map(
    ([key, sum]) => `${key} ${NAMES.map((name) => cents(sum.get(name) ?? 0)).join(" ")}`,
  );
  return lines.filter((line) => !line.endsWith(" 0 0 0 0 0 0 0")).sort();
}

const line = (key: string, metrics: PerformanceMetrics) =>
  `${key} ${NAMES.map((name) => metrics[name]).join(" ")}`;

/** Compares periods of all lengths that have present and former days, of each scope and dimension, with sums of rows. */
export async function comparePerformance(context: Context): Promise<Compared[]> {
  const compared: Compared[] = [];
  const currency = "USD";
  const all = await sumRows(context, currency);
  const today = new Date().toISOString().slice(0, 10);
  const affiliate = all[0]?.affiliate ?? undefined;
  const campaign = all.at(-1)?.campaign ?? undefined;
  const month = startOf(today, "month");
  const months = { from: addMonths(month, -1), until: addMonths(month, 2) };
  const months_before = { from: addMonths(month, -3), until: months.from };
  const periods = [3, 40].map((days) => {
    const range = { from: addDays(today, 2 - days), until: addDays(today, 2) };
    return { days, range, before: { from: addDays(range.from, -days), until: range.from } };
  });
  const scopes = [
    {},
    ...(affiliate ? [{ affiliate_id: affiliate }] : []),
    ...(campaign ? [{ campaign_id: campaign }] : []),
  ];
  for (const scope of scopes) {
    const rows = all.filter(
      (row) =>
        (!("affiliate_id" in scope) || row.affiliate === scope.affiliate_id) &&
        (!("campaign_id" in scope) || row.campaign === scope.campaign_id),
    );
    for (const dimension of performanceDimensions) {
      if ("affiliate_id" in scope && ["affiliate", "campaign"].includes(dimension)) continue;
      if ("campaign_id" in scope && dimension === "campaign") continue;
      for (const { days, range, before } of [...periods, { days: 0, range: months, before: months_before }]) {
        const query = { dimension, ...scope, ...range, currency };
        const actual = await getPerformance(context, {
          ...query,
          previous_from: before.from,
          previous_until: before.until,
          ...{ sort: "clicks", direction: "desc", limit: 200, offset: 0 },
        });
        const inside = ({ from, until }: typeof range) =>
          rows.filter(({ day }) => day >= from && day < until);
        const what = `${JSON.stringify(query)}`;
        const shown = (lines: string[]) => lines.filter((text) => !text.endsWith(" 0 0 0 0 0 0 0")).sort();
        compared.push({
          what,
          expected: byValue(inside(range), dimension),
          actual: shown(actual.rows.map((row) => line(row.key, row.present))),
        });
        compared.push({
          what: `before ${what}`,
          expected: byValue(inside(before), dimension),
          actual: shown(
            actual.rows
              .map((row) => row.previous && line(row.key, row.previous))
              .flatMap((text) => text ?? []),
          ),
        });
        compared.push({
          what: `all of ${what}`,
          expected: line("all", sumOf(inside(range))),
          actual: line("all", actual.present),
        });
        if (days !== 40 || dimension !== "link") continue;
        const series = await getPerformanceSeries(context, {
          ...query,
          unit: "week",
          keys: actual.rows.slice(0, 10).map(({ key }) => key),
        });
        compared.push({
          what: `weeks of ${what}`,
          expected: actual.rows.slice(0, 10).map((row) => line(row.key, row.present)),
          actual: series.series.map(({ key, points }) => line(key ?? "", added(points))),
        });
      }
    }
  }
  return compared;
}

function sumOf(rows: Rows): PerformanceMetrics {
  const of = (name: string) =>
    cents(rows.reduce((sum, row) => (row.name === name ? sum + row.amount : sum), 0));
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as unknown as PerformanceMetrics;
}

function added(points: readonly PerformanceMetrics[]): PerformanceMetrics {
  const of = (name: (typeof NAMES)[number]) => cents(points.reduce((sum, point) => sum + point[name], 0));
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as unknown as PerformanceMetrics;
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
