import type { DeclineClaim } from "@findersfee/contract/customers/claims";
import { decideClaim } from "@findersfee/database/customers/claims";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";
import { lockOpenClaim } from "./accept.ts";

/** Declines a claim, with words for the affiliate. Errors: `not_found`, `claim_decided`. */
export async function declineClaim(context: Context, { id, answer }: DeclineClaim): Promise<void> {
  const { organization, actor } = context;
  await inTransaction(context, async (sql) => {
    const claim = await lockOpenClaim(sql, organization.id, id);
    await decideClaim(sql, organization.id, {
      id: claim.id,
      state: "declined",
      answer: answer.trim(),
      decided_by: actorText(actor),
      decided_at: new Date(),
      payment_decision_id: null,
      commission_id: null,
    });
    await writeAuditEntry(sql, context, {
      resource: "claim",
      id: claim.id,
      action: "updated",
      before: { state: "open" },
      after: { state: "declined" },
    });
  });
}
