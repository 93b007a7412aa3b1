import type { ChangedAffiliates, DeclineAffiliates } from "@findersfee/contract/affiliates/review";
import { declineAffiliate, findAffiliateReview, insertEndMail } from "@findersfee/database/affiliates/review";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Declines applications. Affiliates who do not wait stay unchanged. For the API, a declined affiliate is one that is not
 * approved; approving or banning it ends the state. Errors: `not_found`, if one of them is unknown.
 */
export async function declineAffiliates(
  sender: Context,
  { ids, reason, mail }: DeclineAffiliates,
): Promise<ChangedAffiliates> {
  const context = beyondQuotas(sender);
  const { organization } = context;
  const shown = reason?.trim() ? reason.trim() : null;
  return await inTransaction(context, async (sql) => {
    const at = new Date();
    let changed = 0;
    // In lower case, as the audit log finds them.
    for (const id of [...new Set(ids.map((given) => given.toLowerCase()))].sort()) {
      if (!(await declineAffiliate(sql, organization.id, { id, reason: shown, at }))) {
        if ((await findAffiliateReview(sql, organization.id, id)) === null) throw notFound("affiliate");
        continue;
      }
      changed += 1;
      if (mail) await insertEndMail(sql, organization.id, { kind: "affiliate_declined", id, at });
      await writeAuditEntry(sql, context, {
        resource: "affiliate",
        id,
        action: "updated",
        before: { declined: false },
        after: { declined: true },
      });
    }
    return { changed };
  });
}
