import type { Connection, Transaction } from "../postgres/connect.ts";
import { columnList, jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";
import type { BacktestPeriod } from "./backtests.ts";

/** A tier that an affiliate would have had by a draft, from a time on; null: none. */
export interface BacktestTierRow {
  affiliate_id: string;
  since: Date;
  tier_id: string | null;
}

export interface MeasuredDayRow {
  day: string;
  /** The beginning of the next day: when its tiers begin. */
  since: Date;
}

const LIST_DAYS = statement<MeasuredDayRow, "organization_id" | keyof BacktestPeriod>(`
  select day::date::text as day, (day::date + 1)::timestamp at time zone time_zone as since
  from organizations
  cross join generate_series((:from::timestamptz at time zone time_zone)::date - 1,
    (:until::timestamptz at time zone time_zone)::date - 1, interval '1 day') as day
  where id = :organization_id::uuid order by 1`);

/** Returns the days after which affiliates are measured for payments of a period, in the organization's time zone. */
export async function listMeasuredDays(
  sql: Connection,
  organizationId: string,
  period: BacktestPeriod,
): Promise<MeasuredDayRow[]> {
  return await LIST_DAYS.run(sql, { organization_id: organizationId, ...period });
}

const TYPES = {
  affiliate_id: "uuid",
  since: "timestamptz",
  tier_id: "uuid",
} satisfies Record<keyof BacktestTierRow, string>;

const COLUMNS = columnList(TYPES);

const INSERT = statement<object, "organization_id" | "backtest_id" | "rows">(`
  insert into backtest_tiers (organization_id, backtest_id, ${COLUMNS})
  select :organization_id::uuid, :backtest_id::uuid, ${COLUMNS} from ${jsonRows("rows", "found", TYPES)}`);

export async function insertBacktestTiers(
  sql: Transaction,
  organizationId: string,
  { backtest_id, rows }: { backtest_id: string; rows: readonly BacktestTierRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  await INSERT.run(sql, { organization_id: organizationId, backtest_id, rows: JSON.stringify(rows) });
}

const LIST = statement<BacktestTierRow, "organization_id" | "backtest_id" | "affiliate_ids">(`
  select affiliate_id, since, tier_id from backtest_tiers
  where organization_id = :organization_id::uuid and backtest_id = :backtest_id::uuid
    and affiliate_id = any (:affiliate_ids::uuid[])
  order by affiliate_id, since`);

/** Returns the tiers of some affiliates, oldest first. */
export async function listBacktestTiers(
  sql: Connection,
  organizationId: string,
  query: { backtest_id: string; affiliate_ids: string[] },
): Promise<BacktestTierRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, ...query });
}

const LIST_PRESENT = statement<
  Pick<BacktestTierRow, "affiliate_id" | "tier_id">,
  "organization_id" | "backtest_id"
>(`
  select distinct on (affiliate_id) affiliate_id, tier_id from backtest_tiers
  where organization_id = :organization_id::uuid and backtest_id = :backtest_id::uuid
  order by affiliate_id, since desc`);

/** Returns the last tier of each affiliate so far. */
export async function listPresentBacktestTiers(
  sql: Connection,
  organizationId: string,
  backtest_id: string,
): Promise<Pick<BacktestTierRow, "affiliate_id" | "tier_id">[]> {
  return await LIST_PRESENT.run(sql, { organization_id: organizationId, backtest_id });
}

const LIST_FIRST = statement<{ id: string }, "organization_id" | "affiliate_ids">(`
  select first.id from unnest(:affiliate_ids::uuid[]) as affiliate (id)
  cross join lateral (
    select id from commissions
    where organization_id = :organization_id::uuid and affiliate_id = affiliate.id and reversal_of is null
      and recruit_commission_id is null
    order by id limit 1
  ) as first`);

/** Returns the first commission of each affiliate. */
export async function listFirstCommissions(
  sql: Connection,
  organizationId: string,
  affiliate_ids: string[],
): Promise<string[]> {
  const rows = await LIST_FIRST.run(sql, { organization_id: organizationId, affiliate_ids });
  return rows.map(({ id }) => id);
}
