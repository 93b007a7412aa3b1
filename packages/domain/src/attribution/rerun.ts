import type { PaymentDecision } from "@findersfee/contract/payment-decisions";
import { findPaymentDecision } from "@findersfee/database/payment-decisions";
import { clearSnapshots } from "@findersfee/database/payment-facts";
import { lockPayments } from "@findersfee/database/processor-work";
import { notifyWorkers } from "@findersfee/database/shards";
import { actorText } from "../actor.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { inTransaction } from "../transaction.ts";
import { reattributeCustomers } from "./reattribute-customers.ts";
import { paymentDecisionFields, viewPaymentDecision } from "./view.ts";

/**
 * Decides a payment again with the current settings: after an affiliate was approved, a code linked, a rate corrected.
 * A customer's existing referral stays. Errors: `not_found`.
 */
export async function rerunPayment(context: Context, id: string): Promise<PaymentDecision> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    await lockPayments(sql, organization.id);
    const before = await findPaymentDecision(sql, organization.id, id);
    if (before === null) throw notFound("payment decision");
    await clearSnapshots(sql, organization.id, before);
    const cause = actorText(context.actor);
    const { lookups } = await reattributeCustomers(sql, organization, {
      customer_ids: [before.customer_id],
      cause,
    });
    if (lookups > 0) await notifyWorkers(sql, "lookups", [organization.id]);
    const after = await findPaymentDecision(sql, organization.id, id);
    if (after === null) throw new Error(`payment decision ${id} disappeared within its own transaction`);
    await writeAuditEntry(sql, context, {
      resource: "payment_decision",
      id: after.id,
      action: "rerun",
      before: paymentDecisionFields(before),
      after: paymentDecisionFields(after),
      currency: after.currency,
    });
    return viewPaymentDecision(after, organization.currency);
  });
}
