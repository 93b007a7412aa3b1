import type { Connection, Transaction } from "./postgres/connect.ts";
import { rowArrays, statement } from "./postgres/statement.ts";

/** A rate to store: units of the currency for 1 euro, as decimal text. `day` is as in `2026-11-26`. */
export interface NewExchangeRate {
  day: string;
  currency: string;
  rate: string;
}

/** The numbers of new rates and of new revisions. */
export interface StoredRates {
  added: number;
  corrected: number;
}

const GIVEN = rowArrays("given", { day: "date", currency: "text", rate: "numeric" });

/** Stores the given rates in a table. `own` has the table's further columns and their values. */
function insertInto(table: string, own: Record<string, string>): string {
  const columns = Object.keys(own);
  const of_own = columns.map((column) => `known.${column} = ${own[column]}`);
  return `
  with inserted as (
    insert into ${table} (${["currency", "day", "revision", "rate", "fetched_at", ...columns].join(", ")})
    select given.currency, given.day, coalesce(last.revision, 0) + 1, given.rate, :fetched_at::timestamptz,
      ${Object.values(own).join(", ")}
    from ${GIVEN.from}
    left join lateral (
      select revision, rate from ${table} known
      where ${of_own[0]} and known.currency = given.currency and known.day = given.day
      order by revision desc limit 1) as last on true
    where last.rate is distinct from given.rate
    returning revision)
  select count(*) filter (where revision = 1)::int as added, count(*) filter (where revision > 1)::int as corrected
  from inserted`;
}

const INSERT = statement<StoredRates, "given_day" | "given_currency" | "given_rate" | "fetched_at">(
  insertInto("exchange_rates", { source: "'ecb'" }),
);

/** Rows of a statement. All rates since 1999 are 200,000. */
const BATCH = 10_000;

/** Stores the installation's rates. Those that are known already change nothing. */
export async function insertExchangeRates(
  sql: Transaction,
  rates: readonly NewExchangeRate[],
  fetched_at: Date,
): Promise<StoredRates> {
  // Two imports at once would number their revisions alike.
  await sql`lock table exchange_rates in share row exclusive mode`;
  const stored = { added: 0, corrected: 0 };
  for (let start = 0; start < rates.length; start += BATCH) {
    const batch = rates.slice(start, start + BATCH);
    const [row] = await INSERT.run(sql, { ...GIVEN.values(batch), fetched_at });
    stored.added += row?.added ?? 0;
    stored.corrected += row?.corrected ?? 0;
  }
  return stored;
}

const INSERT_OWN = statement<
  StoredRates,
  "organization_id" | "source" | "given_day" | "given_currency" | "given_rate" | "fetched_at"
>(
  insertInto("organization_exchange_rates", {
    organization_id: ":organization_id::uuid",
    source: ":source::text",
  }),
);

/** Stores an organization's own rates. The caller has locked its settings, so that revisions are numbered one after another. */
export async function insertOwnExchangeRates(
  sql: Transaction,
  organizationId: string,
  {
    rates,
    source,
    fetched_at,
  }: { rates: readonly NewExchangeRate[]; source: "file" | "manual"; fetched_at: Date },
): Promise<StoredRates> {
  const [row] = await INSERT_OWN.run(sql, {
    organization_id: organizationId,
    source,
    fetched_at,
    ...GIVEN.values(rates),
  });
  return row ?? { added: 0, corrected: 0 };
}

/** The rate of a currency that counts on a day. */
export interface ExchangeRateRow {
  currency: string;
  /** The day that it counts on. */
  on_day: string;
  source: string;
  /** The day that it was published for. */
  day: string;
  rate: string;
}

const FIND = statement<ExchangeRateRow, "organization_id" | "wanted_currency" | "wanted_on_day">(`
  select wanted.currency, wanted.on_day::text as on_day, known.source, known.day::text as day,
    trim_scale(known.rate)::text as rate
  from ${rowArrays("wanted", { currency: "text", on_day: "date" }).from}
  cross join lateral exchange_rate_on(:organization_id::uuid, wanted.currency, wanted.on_day) as known`);

const WANTED = rowArrays("wanted", { currency: "text", on_day: "date" });

/** Returns the rates that count for an organization on days; those that are missing are left out. */
export async function findExchangeRates(
  sql: Connection,
  organizationId: string,
  wanted: readonly { currency: string; on_day: string }[],
): Promise<ExchangeRateRow[]> {
  if (wanted.length === 0) return [];
  return await FIND.run(sql, { organization_id: organizationId, ...WANTED.values(wanted) });
}

const CONVERTS = statement<{ converts_fixed_amounts: boolean }, "organization_id">(
  "select converts_fixed_amounts from organizations where id = :organization_id::uuid",
);

/** Whether an organization's fixed amounts are converted to the currencies of payments. */
export async function convertsFixedAmounts(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await CONVERTS.run(sql, { organization_id: organizationId });
  return row?.converts_fixed_amounts ?? false;
}

/** The newest rate of a currency. */
export type NewestRateRow = Omit<ExchangeRateRow, "on_day">;

/**
 * Returns the newest rates of these currencies, by code: those that count for an organization on a day, or else older ones.
 */
export async function listNewestRates(
  sql: Connection,
  organizationId: string,
  { currencies, today }: { currencies: readonly string[]; today: string },
): Promise<NewestRateRow[]> {
  return await sql<NewestRateRow[]>`
    select wanted.currency, known.source, known.day::text as day, trim_scale(known.rate)::text as rate
    from unnest(${[...currencies]}::text[]) as wanted (currency)
    cross join lateral (
      select * from (
        (select 1 as place, source, day, rate from exchange_rate_on(${organizationId}, wanted.currency, ${today}::date))
        union all
        (select 2, source, day, rate from exchange_rates
          where source = 'ecb' and currency = wanted.currency and day <= ${today}::date
          order by day desc, revision desc limit 1)
        union all
        (select 3, source, day, rate from organization_exchange_rates
          where organization_id = ${organizationId} and currency = wanted.currency and day <= ${today}::date
          order by day desc, revision desc limit 1)) as found
      order by place = 1 desc, day desc, place limit 1) as known
    order by wanted.currency`;
}

/** An organization's currencies to convert, and its payments that wait for a rate, at most `most`. */
export async function readConversion(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<{ converts_fixed_amounts: boolean; waiting_payments: number }> {
  const [row] = await sql<{ converts_fixed_amounts: boolean; waiting_payments: number }[]>`
    select converts_fixed_amounts, (
      select count(*)::int from (
        select from payment_decisions
        where organization_id = ${organizationId} and outcome = 'exchange_rate_missing' and replaced_at is null
        limit ${most}) as counted) as waiting_payments
    from organizations where id = ${organizationId}`;
  return row ?? { converts_fixed_amounts: false, waiting_payments: 0 };
}

/** Returns the organizations with payments that wait for an exchange rate. */
export async function listWaitingOrganizations(sql: Connection): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select distinct organization_id from payment_decisions
    where outcome = 'exchange_rate_missing' and replaced_at is null order by organization_id`;
  return rows.map(({ organization_id }) => organization_id);
}

/**
 * Returns customers, in the order of their ids, with a payment that waited for exchange rates that are all
 * known by now.
 */
export async function listDecidableCustomers(
  sql: Connection,
  organizationId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await sql<{ customer_id: string }[]>`
    with waiting as materialized (
      select customer_id, (paid_at at time zone 'UTC')::date as day, (
        select array_agg(distinct needed order by needed) from (
          select decision.currency as needed
          union all
          select coalesce(step ->> 'currency', organization.currency)
          from json_array_elements(explanation -> 'steps') as step
          where step ->> 'type' = 'fixed' and step ->> 'value' <> '0') as of_payment) as currencies
      from payment_decisions decision
      join organizations organization on organization.id = decision.organization_id
      where decision.organization_id = ${organizationId} and outcome = 'exchange_rate_missing' and replaced_at is null
        and (${after}::uuid is null or customer_id > ${after})),
    -- Many payments wait for the same rates.
    known as materialized (
      select * from (select distinct currencies, day from waiting) as wanted
      where not exists (
        select from unnest(wanted.currencies) as needed (currency)
        where needed.currency <> 'EUR'
          and not exists (select from exchange_rate_on(${organizationId}, needed.currency, wanted.day))))
    select distinct customer_id from waiting join known using (currencies, day)
    order by customer_id limit ${limit}`;
  return rows.map(({ customer_id }) => customer_id);
}

/** The result of fetching the file of rates. */
export interface RatesFetchRow {
  attempted_at: Date;
  /** The last attempt that did not fail; null: all failed. */
  succeeded_at: Date | null;
  /** Why the last attempt failed; null: it did not. */
  error: string | null;
}

/** Null: rates are not fetched. */
export async function findRatesFetch(sql: Connection): Promise<RatesFetchRow | null> {
  const [row] = await sql<
    RatesFetchRow[]
  >`select attempted_at, succeeded_at, error from exchange_rates_fetch`;
  return row ?? null;
}

/** Records an attempt; without an `error`, it succeeded. */
export async function recordRatesFetch(
  sql: Connection,
  { at, error }: { at: Date; error: string | null },
): Promise<void> {
  await sql`
    insert into exchange_rates_fetch as last (attempted_at, succeeded_at, error)
    values (${at}, ${error === null ? at : null}, ${error})
    on conflict (is_only) do update
    set attempted_at = excluded.attempted_at, error = excluded.error,
      succeeded_at = coalesce(excluded.succeeded_at, last.succeeded_at)`;
}

/** The worker has no address to fetch rates from. */
export async function deleteRatesFetch(sql: Connection): Promise<void> {
  await sql`delete from exchange_rates_fetch`;
}
