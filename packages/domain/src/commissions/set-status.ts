import type { ChangedCommissions } from "@findersfee/contract/commissions/rows";
import type { Context } from "../context.ts";
import { changeEach } from "./change-each.ts";
import { updateWithin } from "./update.ts";

/**
 * Voids or restores commissions, or decides whether voided ones stay so, all or none. One that has the status already stays
 * unchanged. The audit log shows the reason. Errors: `not_found`, `invalid_request`, `commission_locked` with the commission in `details`.
 */
export async function setCommissionStatuses(
  context: Context,
  {
    ids,
    ...status
  }: { ids: readonly string[] } & ({ payout_status: "not_paid" | "voided" } | { stays_voided: boolean }),
  reason: string | null = null,
): Promise<ChangedCommissions> {
  return await changeEach(context, ids, async (sql, id) => {
    const { was_changed } = await updateWithin(sql, context, { id, ...status }, reason);
    return was_changed;
  });
}
