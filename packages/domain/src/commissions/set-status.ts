import type { ChangedCommissions } from "@findersfee/contract/commissions/rows";
import { hasPaymentDecisions } from "@findersfee/database/commissions/story";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { inTransaction } from "../transaction.ts";
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
  const { organization } = context;
  // In one order, so that two such calls never wait for each other.
  const ordered = [...new Set(ids)].sort();
  return await inTransaction(context, async (sql) => {
    // Locked before the commissions' rows, in the same order as the workers.
    if (await hasPaymentDecisions(sql, organization.id, ordered)) await lockPayments(sql, organization.id);
    let changed = 0;
    for (const id of ordered) {
      if (await setStatus(id)) changed += 1;
    }
    return { changed };

    async function setStatus(id: string): Promise<boolean> {
      try {
        const { was_changed } = await updateWithin(sql, context, { id, ...status }, reason);
        return was_changed;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { code, message, issues } = error;
        throw new DomainError(code, { message, issues, details: { commission_id: id } });
      }
    }
  });
}
