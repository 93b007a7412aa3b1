import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface BalanceRow {
  currency: string;
  earned_minor: bigint;
  lost_minor: bigint;
  /** Adjustments, less those withdrawn. */
  adjusted_minor: bigint;
  unpaid_minor: bigint;
  /** The part of the unpaid amount that is still in its holding period. */
  held_minor: bigint;
  in_payout_minor: bigint;
  paid_minor: bigint;
  /**
   * The amount that conversions to other currencies took out, less the amount that conversions from other
   * currencies put in.
   */
  converted_minor: bigint;
}

const LIST = statement<BalanceRow, "organization_id" | "affiliate_id" | "now">(`
  select balance.currency, earned_minor, lost_minor, adjusted_minor, unpaid_minor,
    held.held_minor, in_payout_minor, paid_minor, converted_minor
  from balances balance
  cross join lateral (
    select coalesce(sum(commission_minor), 0)::bigint as held_minor from unpaid_commissions
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      and currency = balance.currency and due_at > :now::timestamptz
  ) held
  where balance.organization_id = :organization_id::uuid and balance.affiliate_id = :affiliate_id::uuid
  order by balance.currency`);

/** Returns an affiliate's balances, one for each currency. Only `held_minor` sums rows. */
export async function listBalances(
  sql: Connection,
  organizationId: string,
  { affiliate_id, now }: { affiliate_id: string; now: Date },
): Promise<BalanceRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, affiliate_id, now });
}

export interface BalanceSumRow {
  currency: string;
  unpaid_minor: bigint;
  held_minor: bigint;
  in_payout_minor: bigint;
  /** Affiliates with an unpaid amount. */
  payees: number;
}

const SUM = statement<BalanceSumRow, "organization_id" | "now">(`
  with held as (
    select currency, sum(commission_minor) as held_minor from unpaid_commissions
    where organization_id = :organization_id::uuid and due_at > :now::timestamptz
    group by currency
  )
  select balance.currency, sum(unpaid_minor)::bigint as unpaid_minor, coalesce(held_minor, 0)::bigint as held_minor,
    sum(in_payout_minor)::bigint as in_payout_minor, (count(*) filter (where unpaid_minor <> 0))::int as payees
  from balances balance left join held on held.currency = balance.currency
  where organization_id = :organization_id::uuid
  group by balance.currency, held_minor
  order by balance.currency`);

/** The sums of an organization's balances, one for each currency. */
export async function sumBalances(
  sql: Connection,
  organizationId: string,
  now: Date,
): Promise<BalanceSumRow[]> {
  return await SUM.run(sql, { organization_id: organizationId, now });
}
