/* Parts of the statements that create payouts of a run, with their postings (`runs.ts`, `conversions.ts`). */

export interface CreatedPayout {
  id: string;
  amount_minor: bigint;
  payment_count: number;
}

/** SQL: whether the run has a payout of the affiliate of `payee` in a currency. */
export function hasPayout(currency: string): string {
  return `exists (
      select from payouts
      where organization_id = :organization_id::uuid and run_id = :run_id::uuid
        and payouts.affiliate_id = payee.affiliate_id and payouts.currency = ${currency})`;
}

/** Places the commissions of the rows `taken` in their payouts. */
export const PLACE_COMMISSIONS = `placed as (
    insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
    select :organization_id::uuid, affiliate_id, commission_id, payout_id from taken
    order by affiliate_id, commission_id
  )`;

/**
 * Inserts payouts. `allocated` names a common table expression with `payout_id`, `affiliate_id`, `currency`, `amount_minor`,
 * `payment_count` and `cause`.
 */
export function insertPayouts(allocated: string): string {
  return `payout as (
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
      period, payment_count, status, method, created_at, run_id, status_at, status_by)
    select :organization_id::uuid, ${allocated}.payout_id, affiliate.id,
      display_name(affiliate.first_name, affiliate.last_name, affiliate.email),
      coalesce(affiliate.payout_email, affiliate.email), ${allocated}.amount_minor, ${allocated}.currency, run.period,
      ${allocated}.payment_count, 'pending', run.method, :created_at::timestamptz, run.id, :created_at::timestamptz,
      ${allocated}.cause
    from ${allocated}
    join payout_runs run on run.organization_id = :organization_id::uuid and run.id = :run_id::uuid
    cross join lateral (
      select id, email, first_name, last_name, payout_email from affiliates
      where organization_id = :organization_id::uuid and id = ${allocated}.affiliate_id
      offset 0
    ) as affiliate
  )`;
}
