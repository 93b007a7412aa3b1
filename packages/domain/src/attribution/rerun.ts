import type { PaymentDecision } from "@findersfee/contract/attribution/payment-decisions";
import type { DecidedAgain } from "@findersfee/contract/attribution/payment-rows";
import { findPaymentDecisions, type PaymentDecisionRow } from "@findersfee/database/attribution/decisions";
import { clearSnapshots } from "@findersfee/database/attribution/facts";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../actor.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor } from "../money.ts";
import { previewChange } from "../preview-change.ts";
import { inTransaction } from "../transaction.ts";
import { reattributeCustomers } from "./reattribute-customers.ts";
import { outcomeName, paymentDecisionFields, viewPaymentDecision } from "./view.ts";

/** A decision before and after it was made again. */
interface Rerun {
  before: PaymentDecisionRow;
  after: PaymentDecisionRow;
}

/**
 * Decides a payment again with the current settings: after an affiliate was approved, a code linked, a rate corrected.
 * A customer's existing referral stays. Errors: `not_found`.
 */
export async function rerunPayment(context: Context, id: string): Promise<PaymentDecision> {
  return await inTransaction(context, async (sql) => {
    const [rerun] = await decideAgain(sql, context, [id]);
    if (rerun === undefined) throw notFound("payment decision");
    return viewPaymentDecision(rerun.after, context.organization.currency);
  });
}

/** The same for several payments, all or none. Errors: `not_found`. */
export async function rerunPayments(context: Context, ids: readonly string[]): Promise<DecidedAgain> {
  return await inTransaction(context, async (sql) => (await decideAgain(sql, context, ids)).map(viewRerun));
}

/**
 * The changes that `rerunPayments` would make, found in a transaction that is rolled back. Errors:
 * `not_found`.
 */
export async function previewRerun(context: Context, ids: readonly string[]): Promise<DecidedAgain> {
  return await previewChange(context.database, async (sql) =>
    (await decideAgain(sql, context, ids)).map(viewRerun),
  );
}

async function decideAgain(sql: Transaction, context: Context, ids: readonly string[]): Promise<Rerun[]> {
  const { organization, actor } = context;
  await lockPayments(sql, organization.id);
  const unique = [...new Set(ids)];
  const before = await findPaymentDecisions(sql, organization.id, unique);
  if (before.length < unique.length) throw notFound("payment decision");
  for (const decision of before) await clearSnapshots(sql, organization.id, decision);
  const { lookups } = await reattributeCustomers(sql, organization, {
    customer_ids: [...new Set(before.map(({ customer_id }) => customer_id))],
    cause: actorText(actor),
  });
  if (lookups > 0) await notifyWorkers(sql, "lookups", [organization.id]);
  const after = new Map(
    (await findPaymentDecisions(sql, organization.id, unique)).map((row) => [row.id, row]),
  );
  const reruns = before.map((row) => ({ before: row, after: after.get(row.id) ?? row }));
  for (const rerun of reruns) await recordRerun(sql, context, rerun);
  return reruns;
}

async function recordRerun(sql: Transaction, context: Context, { before, after }: Rerun): Promise<void> {
  await writeAuditEntry(sql, context, {
    resource: "payment_decision",
    id: after.id,
    action: "rerun",
    before: paymentDecisionFields(before),
    after: paymentDecisionFields(after),
    currency: after.currency,
  });
}

function viewRerun({ before, after }: Rerun): DecidedAgain[number] {
  const [was, is] = [decidedOf(before), decidedOf(after)];
  return {
    id: after.id,
    processor_payment_id: after.payment_id,
    before: was,
    after: is,
    changed: JSON.stringify(was) !== JSON.stringify(is),
  };
}

function decidedOf({ outcome, commission_minor, currency, affiliate_id }: PaymentDecisionRow) {
  return {
    outcome: outcomeName.parse(outcome),
    commission_amount: toMajor(commission_minor, currency),
    currency,
    affiliate_id,
  };
}
