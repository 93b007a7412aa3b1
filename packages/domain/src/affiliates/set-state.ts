import type { ChangedAffiliates } from "@findersfee/contract/affiliates/review";
import type { Context } from "../context.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";
import { updateAffiliateWithin } from "./update.ts";

/**
 * Approves, bans or unbans affiliates, all or none. One that is in the state already stays unchanged. Errors: `not_found`;
 * `invalid_request` for an erased affiliate, which stays banned.
 */
export async function setAffiliateStates(
  sender: Context,
  { ids, ...state }: { ids: readonly string[] } & ({ approved: true } | { banned: boolean }),
): Promise<ChangedAffiliates> {
  const context = "banned" in state && state.banned ? beyondQuotas(sender) : sender;
  // In one order, so that two such calls never wait for each other.
  const ordered = [...new Set(ids)].sort();
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    for (const id of ordered) {
      const { was_changed } = await updateAffiliateWithin(sql, context, { id, ...state });
      if (was_changed) changed += 1;
    }
    return { changed };
  });
}
