import type { Connection } from "./connect.ts";
import type { PayoutRow } from "./rows.ts";

export interface PayoutStatusRow {
  id: string;
  status: PayoutRow["status"];
}

/** Payouts, locked in the order of their ids; those that there are. */
export async function lockPayouts(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<PayoutStatusRow[]> {
  return await sql<PayoutStatusRow[]>`
    select id, status from payouts
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
    order by id for no key update`;
}

export interface PayoutMoveValues {
  ids: readonly string[];
  status: PayoutRow["status"];
  by: string;
  reason: string | null;
  at: Date;
}

/** Moves payouts, and their commissions with them. */
export async function movePayouts(
  sql: Connection,
  organizationId: string,
  { ids, status, by, reason, at }: PayoutMoveValues,
): Promise<void> {
  await sql`
    update payouts set status = ${status}, status_at = ${at}, status_by = ${by}, status_reason = ${reason}
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])`;
  if (status === "paid") {
    await sql`
      update commissions set payout_status = 'paid', cause = ${by}
      where organization_id = ${organizationId} and payout_id = any (${[...ids]}::uuid[])`;
  } else if (status === "failed" || status === "canceled") {
    await sql`
      update commissions set payout_status = 'not_paid', payout_id = null, cause = ${by}
      where organization_id = ${organizationId} and payout_id = any (${[...ids]}::uuid[])`;
  }
}
