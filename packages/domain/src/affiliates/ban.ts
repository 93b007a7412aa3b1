import type { BanAffiliates, ChangedAffiliates } from "@findersfee/contract/affiliates/review";
import { findAffiliateReview, setBanReason } from "@findersfee/database/affiliates/review";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../transaction.ts";
import { updateAffiliateWithin } from "./update.ts";

/**
 * Bans affiliates, all or none. The reason replaces that of a former ban; without one, it stays. Errors: `not_found`.
 */
export async function banAffiliates(
  context: Context,
  { ids, reason }: BanAffiliates,
): Promise<ChangedAffiliates> {
  const shown = reason?.trim() ? reason.trim() : null;
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    // In one order, so that two such calls never wait for each other, and in lower case, as the audit log finds them.
    for (const id of [...new Set(ids.map((given) => given.toLowerCase()))].sort()) {
      const { row, was_changed } = await updateAffiliateWithin(sql, context, { id, banned: true });
      if (was_changed) changed += 1;
      if (shown !== null && row.erased_at === null) await giveReason(sql, context, { id, reason: shown });
    }
    return { changed };
  });
}

async function giveReason(
  sql: Transaction,
  context: Context,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { organization } = context;
  const review = await findAffiliateReview(sql, organization.id, id);
  await setBanReason(sql, organization.id, { id, reason });
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { ban_reason: review?.ban_reason ?? null },
    after: { ban_reason: reason },
  });
}
