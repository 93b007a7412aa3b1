import {
  type Commission,
  type UpdateCommission,
  updateCommissionInput,
} from "@findersfee/contract/commissions/commissions";
import type { Issue } from "@findersfee/contract/errors";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import {
  type CommissionsPayment,
  findCommissionsLead,
  findCommissionsPayment,
  upsertCorrection,
  withdrawVoid,
} from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import type { LeadRow } from "@findersfee/database/attribution/leads";
import type { CommissionChange } from "@findersfee/database/commissions/changes";
import {
  type CommissionValues,
  findCommission,
  findRecruitCommissionId,
  isReplaced,
  lockCommission,
} from "@findersfee/database/commissions/commissions";
import { insertPaymentNames } from "@findersfee/database/commissions/payment-names";
import { lockRecruitsCommissions } from "@findersfee/database/commissions/recruits";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { CommissionRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import { paymentKeys } from "../attribution/facts/fact-names.ts";
import { reattributeCustomers } from "../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound, requireNoIssues } from "../errors.ts";
import { writeCommissions } from "../ledger/write-commissions.ts";
import { amountToMinor } from "../money.ts";
import { inTransaction } from "../transaction.ts";
import { commissionExists, explainConflict, findHolder } from "./conflicts.ts";
import { rejected, setStaysVoided } from "./keep-voided.ts";
import { changeRecruitLine, nothingLeft } from "./recruit-line.ts";
import { commissionFields, viewCommission } from "./view.ts";

/**
 * Changes the given fields. A commission in a payout stays unchanged. A field with its current value counts as omitted. The audit log
 * shows the reason of a person.
 *
 * Errors: `not_found`, `commission_locked`, `commission_exists`, `invalid_request`.
 */
export async function updateCommission(
  context: Context,
  input: UpdateCommission,
  reason: string | null = null,
): Promise<Commission> {
  try {
    return await inTransaction(
      context,
      async (sql) => (await updateWithin(sql, context, input, reason)).commission,
    );
  } catch (error) {
    throw await explainConflict(context, error, input.processor_payment_id);
  }
}

interface Updated {
  commission: Commission;
  was_changed: boolean;
}

/** The same within a transaction of the caller. */
export async function updateWithin(
  sql: Transaction,
  context: Context,
  { stays_voided, ...fields }: UpdateCommission,
  reason: string | null = null,
): Promise<Updated> {
  const updated = await updateFields(sql, context, fields, reason);
  if (stays_voided === undefined) return updated;
  const decided = await setStaysVoided(sql, context, { id: fields.id, stays_voided });
  if (decided === null) return updated;
  return { commission: viewCommission(decided, context.organization.currency), was_changed: true };
}

async function updateFields(
  sql: Transaction,
  context: Context,
  input: Omit<UpdateCommission, "stays_voided">,
  reason: string | null,
): Promise<Updated> {
  const { organization } = context;
  const { id } = input;
  const payment = await findCommissionsPayment(sql, organization.id, id);
  const lead = payment === null ? await findCommissionsLead(sql, organization.id, id) : null;
  const named = await findPaymentsCustomers(sql, organization.id, input.processor_payment_id ?? null);
  // Locked before the commission's row, in the same order as the workers.
  if (payment !== null || lead !== null || named.length > 0) await lockPayments(sql, organization.id);
  const root_id = await findRecruitCommissionId(sql, organization.id, id);
  if (root_id !== null) await lockRecruitsCommissions(sql, organization.id, [root_id]);
  const before = await lockCommission(sql, organization.id, id);
  if (before === null) throw notFound("commission");
  const values = updatedValues(before, input, organization.currency);
  const changed = changedFields(before, values);
  // Without a change, its state does not matter.
  if (changed.size === 0) {
    return { commission: viewCommission(before, organization.currency), was_changed: false };
  }
  if (isLocked(before.payout_status)) throw new DomainError("commission_locked");
  if (changed.has("payout_status") && before.review_state === "rejected") throw rejected();
  const change = { before, values, changed, payment, lead };
  if (changesAmount(changed) && (await isReplaced(sql, organization.id, before.id))) throw superseded();
  const after =
    root_id === null
      ? await write(sql, context, change)
      : await writeLine(sql, context, { ...change, root_id });
  if (changed.has("processor_payment_id") && named.length > 0) {
    await reattributeCustomers(sql, organization, { customer_ids: named, cause: actorText(context.actor) });
  }
  await writeAuditEntry(sql, context, {
    resource: "commission",
    id: before.id,
    action: "updated",
    before: { ...commissionFields(before), reason: null },
    after: { ...commissionFields({ ...before, ...after }), reason: reason?.trim() ? reason.trim() : null },
    currency: before.currency,
  });
  return { commission: viewCommission({ ...before, ...after }, organization.currency), was_changed: true };
}

async function writeLine(
  sql: Transaction,
  context: Context,
  { before, values, changed, root_id }: Change & { root_id: string },
): Promise<CommissionValues> {
  const change = commissionChange(before, values, actorText(context.actor));
  await changeRecruitLine(sql, context, { change, changed, root_id });
  const after = await findCommission(sql, context.organization.id, before.id);
  if (after === null) throw notFound("commission");
  if (values.payout_status === "not_paid" && after.payout_status === "voided") throw nothingLeft(root_id);
  return after;
}

export type LockedCommission = NonNullable<Awaited<ReturnType<typeof lockCommission>>>;

interface Change {
  before: LockedCommission;
  values: CommissionValues;
  changed: ReadonlySet<keyof CommissionValues>;
  /** Null: processors reported none. */
  payment: CommissionsPayment | null;
  /** The lead that earned it; null: none. */
  lead: LeadRow | null;
}

/** Voids or restores a commission for which the caller holds the locks. It writes no audit log entry. */
export async function setPayoutStatus(
  sql: Transaction,
  context: Context,
  {
    before,
    payment,
    lead,
    payout_status,
  }: Pick<Change, "before" | "payment" | "lead"> & { payout_status: "not_paid" | "voided" },
): Promise<void> {
  const { revenue_minor, commission_minor, referral_date, processor_payment_id } = before;
  const values = { revenue_minor, commission_minor, referral_date, processor_payment_id, payout_status };
  await write(sql, context, { before, values, changed: new Set(["payout_status"]), payment, lead });
}

/** Writes the changed values, and returns all of them. */
async function write(sql: Transaction, context: Context, change: Change): Promise<CommissionValues> {
  const restores = change.changed.has("payout_status") && change.values.payout_status === "not_paid";
  const { before, values, changed, payment } = restores ? await restore(sql, context, change) : change;
  const { organization, actor } = context;
  if (changed.has("processor_payment_id")) await giveName(sql, organization.id, { before, values });
  const written = commissionChange(before, values, actorText(actor));
  const is_recruits = before.affiliate.recruited_by !== null;
  await writeCommissions(sql, organization.id, { changed: [written], added: [] }, () => is_recruits);
  await storeCorrection(sql, organization.id, { ...change, before, values, changed, payment });
  if (payment !== null && (changesAmount(changed) || movesDecision(payment, changed))) {
    await reattributeCustomers(sql, organization, {
      customer_ids: [payment.customer_id],
      cause: actorText(actor),
    });
  }
  return values;
}

/**
 * Restores a commission that a person voided: it gets the present earnings of its payment. If these are
 * nothing, or if nobody voided it, the rest of the change restores the amounts that it shows.
 */
async function restore(sql: Transaction, context: Context, change: Change): Promise<Change> {
  const { before, values, payment } = change;
  const { organization, actor } = context;
  await requireOwnPayment(sql, organization.id, change);
  const was_voided = await withdrawVoid(sql, organization.id, before.id);
  if (!was_voided || payment === null) return change;
  await reattributeCustomers(sql, organization, {
    customer_ids: [payment.customer_id],
    cause: actorText(actor),
  });
  const now = await lockCommission(sql, organization.id, before.id);
  if (now === null) throw notFound("commission");
  if (now.payout_status === "voided") return change;
  const changed = new Set([...change.changed].filter((name) => name !== "payout_status"));
  const others = Object.fromEntries([...changed].map((name) => [name, values[name]]));
  const { revenue_minor, commission_minor, payout_status, referral_date, processor_payment_id } = now;
  const current = { revenue_minor, commission_minor, payout_status, referral_date, processor_payment_id };
  return { ...change, before: now, values: { ...current, ...others }, changed };
}

/** Throws `commission_exists` if the payment of a void commission has another commission. */
async function requireOwnPayment(
  sql: Transaction,
  organizationId: string,
  { before: { id, reversal_of, processor_payment_id }, payment }: Change,
): Promise<void> {
  if (reversal_of !== null) return;
  const manual = payment?.manual_commission_id ?? null;
  if (manual !== null && manual !== id) throw commissionExists(manual);
  const holder =
    processor_payment_id === null ? null : await findHolder(sql, organizationId, processor_payment_id);
  if (holder !== null && holder !== id) throw commissionExists(holder);
}

/** Gives the commission the name that it shows from now on. It also keeps those that it had. */
async function giveName(
  sql: Transaction,
  organizationId: string,
  { before: { id, reversal_of }, values }: Pick<Change, "before" | "values">,
): Promise<void> {
  const name = values.processor_payment_id;
  if (name === null || reversal_of !== null) return;
  const holder = await findHolder(sql, organizationId, name);
  if (holder === id) return;
  if (holder !== null) throw commissionExists(holder);
  await insertPaymentNames(sql, organizationId, [{ name, commission_id: id }]);
}

function commissionChange(row: LockedCommission, values: CommissionValues, cause: string): CommissionChange {
  const { affiliate, referral, payout: _, ...commission } = row;
  const before = { ...commission, affiliate_id: affiliate.id };
  return { before, after: { ...before, referral_id: referral.id, ...values, cause } };
}

/** Stores manual values, which attribution keeps when it decides about the payment again. */
async function storeCorrection(
  sql: Transaction,
  organizationId: string,
  { before, changed, values, payment, lead }: Change,
): Promise<void> {
  const sets_status = changed.has("payout_status");
  const restores = sets_status && values.payout_status === "not_paid";
  // A commission that earns nothing is restored with the amounts that it has. A manual one has no others.
  const is_manual = payment === null || payment.manual_commission_id === before.id;
  const sets_amounts = changed.has("revenue_minor") || changed.has("commission_minor");
  const sets_both = restores || (sets_amounts && is_manual);
  const now = new Date();
  await upsertCorrection(sql, organizationId, {
    commission_id: before.id,
    revenue_minor: sets_both || changed.has("revenue_minor") ? values.revenue_minor : null,
    commission_minor: sets_both || changed.has("commission_minor") ? values.commission_minor : null,
    reversed_minor: payment?.reversed_minor ?? 0n,
    amounts_at: sets_both || sets_amounts ? now : null,
    // A lead that earns follows its decision again; another one was restored against it.
    voided: !sets_status || (restores && lead?.outcome === "commission") ? null : !restores,
    voided_at: sets_status && !(restores && lead?.outcome === "commission") ? now : null,
    referral_date: changed.has("referral_date") ? values.referral_date : null,
  });
}

/** Whether a decision returns to the charge that it was taken over from depends on the name that its commission shows. */
function movesDecision(
  { taken_over_from }: CommissionsPayment,
  changed: ReadonlySet<keyof CommissionValues>,
): boolean {
  return taken_over_from !== null && changed.has("processor_payment_id");
}

/** The customers of the payments with this name that processors reported. */
async function findPaymentsCustomers(
  sql: Transaction,
  organizationId: string,
  name: string | null,
): Promise<string[]> {
  if (name === null) return [];
  return [...new Set((await findCustomerKeys(sql, organizationId, paymentKeys(name))).values())];
}

function changesAmount(changed: ReadonlySet<keyof CommissionValues>): boolean {
  return changed.has("payout_status") || changed.has("commission_minor") || changed.has("revenue_minor");
}

/** Voiding one of two amounts that cancel each other out would pay or deduct the other one. */
function superseded(): DomainError {
  return new DomainError("commission_locked", {
    message:
      "A later commission of this payment cancels this one out; change the latest one, or the commission that was reversed.",
  });
}

function isLocked(status: CommissionRow["payout_status"]): boolean {
  switch (status) {
    case "not_paid":
    case "voided":
      return false;
    case "pending":
    case "paid":
      return true;
  }
}

/**
 * Throws the `invalid_request` that `updateCommission` would throw for this input, and changes nothing. A
 * commission that does not exist has no issues.
 */
export async function checkCommissionUpdate(
  { database, organization }: Context,
  input: UpdateCommission,
): Promise<void> {
  const row = await findCommission(database, organization.id, input.id);
  if (row !== null) updatedValues(row, input, organization.currency);
}

/** The commission's values after the update. Throws `invalid_request` with all issues. */
function updatedValues(before: CommissionRow, input: UpdateCommission, currency: string): CommissionValues {
  const { payout_status = before.payout_status, processor_payment_id, referral_date } = input;
  const issues: Issue[] = readOnlyIssues(updateCommissionInput, input, viewCommission(before, currency));
  if (payout_status !== before.payout_status && isLocked(payout_status)) {
    issues.push({ path: "payout_status", message: "Only payouts make a commission pending or paid." });
  }
  const minor = (path: "revenue_amount" | "commission_amount", current: bigint): bigint => {
    const amount = input[path];
    return amount === undefined
      ? current
      : amountToMinor({ path, amount, currency: before.currency, issues });
  };
  const values: CommissionValues = {
    revenue_minor: minor("revenue_amount", before.revenue_minor),
    commission_minor: minor("commission_amount", before.commission_minor),
    payout_status,
    referral_date: referral_date === undefined ? before.referral_date : new Date(referral_date),
    processor_payment_id:
      processor_payment_id === undefined ? before.processor_payment_id : processor_payment_id,
  };
  issues.push(...leadIssues(before, values));
  requireNoIssues(issues);
  return values;
}

/** A lead has no payment and no revenue. */
function leadIssues(
  { lead }: CommissionRow,
  { revenue_minor, processor_payment_id }: CommissionValues,
): Issue[] {
  const issues: Issue[] = [];
  if (lead === null) return issues;
  if (revenue_minor !== 0n) issues.push({ path: "revenue_amount", message: "A lead has no revenue." });
  if (processor_payment_id !== null) {
    const message = "A lead has no payment. Create a commission for the payment.";
    issues.push({ path: "processor_payment_id", message });
  }
  return issues;
}

function changedFields(before: CommissionRow, values: CommissionValues): Set<keyof CommissionValues> {
  const names = ["revenue_minor", "commission_minor", "payout_status", "processor_payment_id"] as const;
  const changed = new Set<keyof CommissionValues>(names.filter((name) => values[name] !== before[name]));
  if (values.referral_date.getTime() !== before.referral_date.getTime()) changed.add("referral_date");
  return changed;
}
