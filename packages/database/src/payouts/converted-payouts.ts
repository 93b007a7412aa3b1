import { postConverted } from "../ledger/postings.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { JOIN_RATES, PAID_IN_ONE, PAYOUT_MINOR, RATE, type RunRateRow, ratesJson } from "./conversions.ts";
import { isWithheld } from "./holds.ts";
import { type CreatedPayout, hasPayout, insertPayouts, PLACE_COMMISSIONS } from "./new-payouts.ts";
import type { PayoutRunRow } from "./runs.ts";

/** The amount due in a currency. */
export interface DuePartRow {
  currency: string;
  /** JSON knows no bigint. */
  amount_minor: string;
  payment_count: number;
}

/** The amounts due to an affiliate who is paid in one currency. */
export interface ConvertedDueRow {
  affiliate_id: string;
  /** The one that it is paid in. */
  currency: string;
  parts: DuePartRow[];
  /** Whether the run has a payout for the affiliate in the currency. */
  has_payout: boolean;
  /** Whether a person left the affiliate out of payout runs. */
  is_withheld: boolean;
}

const DUE = `select payee.affiliate_id, payee.payout_currency as currency, due.parts,
    ${hasPayout("payee.payout_currency")} as has_payout, ${isWithheld("payee")} as is_withheld
  from payee
  cross join lateral (
    select coalesce(json_agg(json_build_object('currency', currency, 'amount_minor', amount_minor::text,
      'payment_count', payment_count) order by currency), '[]') as parts
    from (
      select currency, sum(commission_minor)::bigint as amount_minor, count(*)::int as payment_count
      from unpaid_commissions
      where organization_id = :organization_id::uuid and affiliate_id = payee.affiliate_id
        and due_at <= :cutoff_at::timestamptz
      group by currency
    ) as part
  ) as due`;

const LIST_DUE = statement<
  ConvertedDueRow,
  "organization_id" | "run_id" | "cutoff_at" | "affiliate_ids" | "after" | "limit"
>(`
  with payee as materialized (
    ${PAID_IN_ONE} and id > :after::uuid and (:affiliate_ids::uuid[] is null or id = any (:affiliate_ids::uuid[]))
    order by id limit :limit::int
  )
  ${DUE}
  order by payee.affiliate_id`);

const FIND_DUE = statement<ConvertedDueRow, "organization_id" | "run_id" | "cutoff_at" | "affiliate_id">(`
  with payee as (${PAID_IN_ONE} and id = :affiliate_id::uuid)
  ${DUE}`);

/**
 * Returns affiliates after `after` who are paid in one currency, with the amounts that are due at the run's
 * cutoff.
 */
export async function listConvertedDue(
  sql: Connection,
  organizationId: string,
  {
    run,
    after,
    limit,
  }: { run: Pick<PayoutRunRow, "id" | "cutoff_at" | "affiliate_ids">; after: string; limit: number },
): Promise<ConvertedDueRow[]> {
  const { id: run_id, cutoff_at, affiliate_ids } = run;
  return await LIST_DUE.run(sql, {
    organization_id: organizationId,
    run_id,
    cutoff_at,
    affiliate_ids,
    after,
    limit,
  });
}

/** Returns the amounts due to one of them; null: it is paid in each currency now. */
export async function findConvertedDue(
  sql: Connection,
  organizationId: string,
  { run, affiliate_id }: { run: Pick<PayoutRunRow, "id" | "cutoff_at">; affiliate_id: string },
): Promise<ConvertedDueRow | null> {
  const { id: run_id, cutoff_at } = run;
  const [row] = await FIND_DUE.run(sql, { organization_id: organizationId, run_id, cutoff_at, affiliate_id });
  return row ?? null;
}

const CREATE = statement<
  CreatedPayout,
  "organization_id" | "run_id" | "cutoff_at" | "created_at" | "payouts" | "rates"
>(`
  with new_payout as materialized (
    select new_payout.id, new_payout.affiliate_id, new_payout.currency, parts
    from json_to_recordset(:payouts::text::json)
      as new_payout (id uuid, affiliate_id uuid, currency text, parts text[])
    join affiliates affiliate
      on affiliate.organization_id = :organization_id::uuid and affiliate.id = new_payout.affiliate_id
        and affiliate.payout_currency = new_payout.currency
    where not ${isWithheld("new_payout")}
  ),
  ${RATE},
  -- Waits for transactions that are changing one of the commissions, and takes it as it is then.
  taken as (
    delete from unpaid_commissions unpaid using new_payout
    where unpaid.organization_id = :organization_id::uuid and unpaid.affiliate_id = new_payout.affiliate_id
      and unpaid.currency = any (new_payout.parts) and unpaid.due_at <= :cutoff_at::timestamptz
    returning new_payout.id as payout_id, unpaid.affiliate_id, unpaid.currency, unpaid.commission_id,
      unpaid.commission_minor, new_payout.currency as payout_currency
  ),
  due as (
    select payout_id, affiliate_id, currency, payout_currency, sum(commission_minor)::bigint as due_minor,
      count(*)::int as payment_count, array_agg(commission_id order by commission_id) as commission_ids
    from taken group by payout_id, affiliate_id, currency, payout_currency
  ),
  part as materialized (
    select due.*, ${PAYOUT_MINOR} as payout_minor, from_rate.rate as from_rate, from_rate.source as from_source,
      from_rate.day as from_day, from_rate.decimals as from_decimals, to_rate.rate as to_rate,
      to_rate.source as to_source, to_rate.day as to_day, to_rate.decimals as to_decimals,
      'payout run ' || :run_id::text as cause
    from due ${JOIN_RATES}
  ),
  conversion as (
    insert into payout_conversions (organization_id, payout_id, affiliate_id, from_currency, from_minor, to_currency,
      to_minor, from_rate, from_source, from_day, from_decimals, to_rate, to_source, to_day, to_decimals)
    select :organization_id::uuid, payout_id, affiliate_id, currency, due_minor, payout_currency, payout_minor, from_rate,
      from_source, from_day, from_decimals, to_rate, to_source, to_day, to_decimals
    from part where currency <> payout_currency
  ),
  converted as (
    select affiliate_id, currency as from_currency, due_minor as from_minor, payout_id, commission_ids, cause
    from part where currency <> payout_currency
  ),
  allocated as (
    select payout_id, affiliate_id, payout_currency as currency, sum(payout_minor)::bigint as amount_minor,
      coalesce(sum(payout_minor) filter (where currency <> payout_currency), 0)::bigint as converted_minor,
      sum(payment_count)::int as payment_count, cause,
      -- Those in the payout's own currency, one part at most.
      coalesce((
        select own.commission_ids from part own
        where own.payout_id = part.payout_id and own.currency = own.payout_currency), '{}') as commission_ids
    from part group by payout_id, affiliate_id, payout_currency, cause
  ),
  ${PLACE_COMMISSIONS},
  ${insertPayouts("allocated")},
  ${postConverted("allocated", "converted")}
  select payout_id as id, amount_minor, payment_count from allocated`);

export interface NewConvertedPayout {
  id: string;
  affiliate_id: string;
  currency: string;
  /** The currencies that it pays. */
  parts: readonly { currency: string }[];
}

/**
 * Creates payouts of a run in one currency, each with all commissions that are due to its payee at the cutoff in the currencies of
 * its parts, at the run's rates. As `createPayouts`, it returns them to be compared with the expected ones.
 *
 * @throws PostgresError if one of them is refused: none is created then
 */
export async function createConvertedPayouts(
  sql: Transaction,
  organizationId: string,
  {
    run,
    rates,
    created_at,
    payouts,
  }: {
    run: Pick<PayoutRunRow, "id" | "cutoff_at">;
    rates: readonly RunRateRow[];
    created_at: Date;
    payouts: readonly NewConvertedPayout[];
  },
): Promise<CreatedPayout[]> {
  return await CREATE.run(sql, {
    organization_id: organizationId,
    run_id: run.id,
    cutoff_at: run.cutoff_at,
    created_at,
    rates: ratesJson(rates),
    payouts: JSON.stringify(
      payouts.map(({ id, affiliate_id, currency, parts }) => ({
        id,
        affiliate_id,
        currency,
        parts: parts.map((part) => part.currency),
      })),
    ),
  });
}
