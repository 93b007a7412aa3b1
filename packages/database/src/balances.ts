import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

export interface BalanceRow {
  currency: string;
  earned_minor: bigint;
  lost_minor: bigint;
  unpaid_minor: bigint;
  /** The part of the unpaid amount that is still in its holding period. */
  held_minor: bigint;
  in_payout_minor: bigint;
  paid_minor: bigint;
}

const LIST = statement<BalanceRow, "organization_id" | "affiliate_id" | "now">(`
  select balance.currency, earned_minor, lost_minor, unpaid_minor, held.held_minor, in_payout_minor, paid_minor
  from balances balance
  cross join lateral (
    select coalesce(sum(commission_minor), 0)::bigint as held_minor from unpaid_commissions
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      and currency = balance.currency and due_at > :now::timestamptz
  ) held
  where balance.organization_id = :organization_id::uuid and balance.affiliate_id = :affiliate_id::uuid
  order by balance.currency`);

/** Returns an affiliate's balances, one for each currency. Only `held_minor` sums commissions. */
export async function listBalances(
  sql: Connection,
  organizationId: string,
  { affiliate_id, now }: { affiliate_id: string; now: Date },
): Promise<BalanceRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, affiliate_id, now });
}
