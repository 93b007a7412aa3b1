import type { Connection } from "../postgres/connect.ts";

/** A rate that a run converts with: units for 1 euro, as decimal text. */
export interface RunRateRow {
  currency: string;
  rate: string;
  /** Null, as `day`: the euro itself. */
  source: string | null;
  day: string | null;
  decimals: number;
}

/** The rates of a run, and the currencies without a rate when it started. */
export interface RunRatesRow {
  exchange_rates: RunRateRow[];
  missing_rates: string[];
}

/** The parameter `:rates` of `RATE`. */
export const ratesJson = (rates: readonly RunRateRow[]): string => JSON.stringify(rates);

/** The rates of the parameter `:rates` as a common table expression. */
export const RATE = `rate as materialized (
    select currency, rate, source, day, decimals, minor_rate(rate, decimals) as minor
    from json_to_recordset(:rates::text::json)
      as rate (currency text, rate numeric(20, 10), source text, day date, decimals integer)
  )`;

/** The affiliates of an organization who are paid in one currency. */
export const PAID_IN_ONE = `select id as affiliate_id, payout_currency from affiliates
    where organization_id = :organization_id::uuid and payout_currency is not null`;

/** SQL: whether the affiliate of a row is one of them. */
export function isPaidInOne(row: string): string {
  return `exists (
      select from affiliates paid
      where paid.organization_id = :organization_id::uuid and paid.id = ${row}.affiliate_id
        and paid.payout_currency is not null)`;
}

/**
 * The due amount of a row with `currency`, `payout_currency` and `due_minor`, in the currency that it is paid in; null: a rate is
 * missing. `JOIN_RATES` joins the rates.
 */
export const PAYOUT_MINOR = `case when due.payout_currency = due.currency then due.due_minor
    else convert_minor(due.due_minor, from_rate.minor, to_rate.minor) end`;

export const JOIN_RATES = `left join rate from_rate on from_rate.currency = due.currency
    left join rate to_rate on to_rate.currency = due.payout_currency`;

/** A currency that is paid in another one. */
export interface ConvertedPair {
  currency: string;
  payout_currency: string;
}

/** Returns the currencies in which affiliates are owed something that is paid in another one; of chosen affiliates, or of all. */
export async function listConvertedPairs(
  sql: Connection,
  organizationId: string,
  affiliateIds: readonly string[] | null,
): Promise<ConvertedPair[]> {
  return await sql<ConvertedPair[]>`
    select distinct balance.currency, affiliate.payout_currency
    from affiliates affiliate
    join balances balance on balance.organization_id = ${organizationId} and balance.affiliate_id = affiliate.id
    where affiliate.organization_id = ${organizationId} and payout_currency is not null
      and unpaid_minor <> 0 and balance.currency <> payout_currency
      ${affiliateIds === null ? sql`` : sql`and affiliate.id = any (${[...affiliateIds]}::uuid[])`}
    order by 1, 2`;
}

/** Returns the currencies in which affiliates are owed something. */
export async function listOwedCurrencies(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select distinct currency from balances
    where organization_id = ${organizationId} and unpaid_minor <> 0 order by 1`;
  return rows.map(({ currency }) => currency);
}

/** The part of a payout from another currency. */
export interface PayoutConversionRow {
  from_currency: string;
  from_minor: string;
  to_currency: string;
  to_minor: string;
  from_rate: string;
  /** Null, as the day: the euro. */
  from_source: string | null;
  from_day: string | null;
  to_rate: string;
  to_source: string | null;
  to_day: string | null;
}

/** The conversions of a row `payout` as JSON, by currency; null: it has none. */
export const CONVERSIONS = `(
    select json_agg(json_build_object('from_currency', from_currency, 'from_minor', from_minor::text,
      'to_currency', to_currency, 'to_minor', to_minor::text, 'from_rate', trim_scale(from_rate)::text,
      'from_source', from_source, 'from_day', from_day, 'to_rate', trim_scale(to_rate)::text,
      'to_source', to_source, 'to_day', to_day) order by from_currency)
    from payout_conversions conversion
    where conversion.organization_id = payout.organization_id and conversion.payout_id = payout.id)`;
