import { hash } from "node:crypto";
import { MAX_CHANGES, type OverrideResult } from "@findersfee/contract/attribution/overrides";
import { paymentOutcomes } from "@findersfee/contract/attribution/payment-decisions";
import type { AttributedCommissionRow } from "@findersfee/database/attribution/customers";
import { listCustomersDecisions, type StoredDecision } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findOverride } from "@findersfee/database/attribution/overrides";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { previewChange } from "../../preview-change.ts";
import { inTransaction } from "../../transaction.ts";
import { changedPayments } from "../changed-payments.ts";
import { customerKeys } from "../facts/fact-names.ts";
import type { OverrideFact } from "../facts/payment-fact.ts";
import { EMPTY_SNAPSHOT, type StoredFact } from "../facts/stored-fact.ts";
import { recordFacts } from "../record-facts.ts";
import { outcomeName } from "../view.ts";
import { type Loaded, loadCustomers } from "../write/load.ts";
import { loadFacts } from "../write/load-facts.ts";
import { overrideFields, viewOverride } from "./view.ts";

/** The customer of an override, before or after it. */
export interface CustomerState {
  decisions: readonly StoredDecision[];
  /** Manual ones and reversals included. */
  commissions: readonly AttributedCommissionRow[];
  loaded: Loaded;
}

/** How to make or change an override, within the transaction. */
interface Plan {
  /** Null: the override is new. */
  before: OverrideFact | null;
  after: OverrideFact;
  /** Throws if the person did not want this result. */
  require?: (after: CustomerState) => void;
}

interface Request {
  reason: string;
  dry_run: boolean;
  version?: string | undefined;
}

/**
 * Makes an override, or changes one, and decides again about its customer, in one transaction with an audit entry. A dry run
 * does the same and is rolled back.
 *
 * Errors: `override_changed` if the changes are others than those of the request's `version`, and those of `plan`.
 */
export async function applyOverride(
  context: Context,
  request: Request,
  plan: (sql: Transaction, now: Date) => Promise<Plan>,
): Promise<OverrideResult> {
  const apply = async (sql: Transaction) => {
    // Locked before the referrals, in the same order as the workers.
    await lockPayments(sql, context.organization.id);
    return await makeChanges(sql, context, { request, plan: await plan(sql, new Date()) });
  };
  if (request.dry_run) return { ...(await previewChange(context.database, apply)), override: null };
  return await inTransaction(context, apply);
}

async function makeChanges(
  sql: Transaction,
  context: Context,
  { request, plan }: { request: Request; plan: Plan },
): Promise<OverrideResult> {
  const { organization, actor } = context;
  const { after: fact } = plan;
  const before = await readCustomer(sql, context, { fact });
  const { lookups } = await recordFacts(sql, organization, [
    { processor: "organization", message_id: fact.subject, fact, cause: actorText(actor) },
  ]);
  if (lookups > 0) await notifyWorkers(sql, "lookups", [organization.id]);
  const after = await readCustomer(sql, context, { fact });
  plan.require?.(after);
  const changes = differences(before, after);
  const version = hash("sha256", JSON.stringify(changes), "base64url");
  if (request.version !== undefined && request.version !== version) throw new DomainError("override_changed");
  const fields = { ...overrideFields(fact), reason: request.reason };
  await writeAuditEntry(sql, context, {
    resource: "override",
    id: fact.subject,
    action: plan.before === null ? "created" : "updated",
    before: plan.before && overrideFields(plan.before),
    after: fields,
  });
  const row = await findOverride(sql, organization.id, fact.subject);
  if (row === null) throw notFound("override");
  return { override: viewOverride(row), version, ...viewChanges(changes) };
}

function viewChanges({
  payments,
  commissions,
  ...rest
}: Changes): Omit<OverrideResult, "override" | "version"> {
  return {
    payment_count: payments.length,
    payments: payments.slice(0, MAX_CHANGES),
    commission_count: commissions.length,
    commissions: commissions.slice(0, MAX_CHANGES),
    ...rest,
  };
}

/**
 * The customers with the names of an override; they are one after it. With `lock`, no payout run takes their commissions until the
 * transaction ends.
 */
export async function readCustomer(
  sql: Transaction,
  { organization }: Context,
  { fact, lock = false }: { fact: OverrideFact; lock?: boolean },
): Promise<CustomerState> {
  const stored: StoredFact<OverrideFact> = {
    processor: "organization",
    message_id: fact.subject,
    fact,
    snapshot: EMPTY_SNAPSHOT,
  };
  const known = await findCustomerKeys(sql, organization.id, customerKeys(stored));
  const customer_ids = [...new Set(known.values())];
  const facts = await loadFacts(sql, organization.id, customer_ids);
  // A referral that processors have not reported is found by the names of the override.
  const all = new Map([...facts, ["", [stored]] as const]);
  const loaded = await loadCustomers(sql, organization, all, { lock, customer_ids });
  const decisions = await listCustomersDecisions(sql, organization.id, customer_ids);
  return { decisions, commissions: [...loaded.commissions.values()].flat(), loaded };
}

type Changes = Pick<OverrideResult, "payments" | "commissions" | "reversal_count" | "balances">;

function differences(before: CustomerState, after: CustomerState): Changes {
  return {
    payments: changedPayments(before.decisions, after.decisions).map(({ id: _, ...payment }) => payment),
    commissions: manualChanges(before, after),
    reversal_count: countReversed(before, after),
    balances: balanceChanges(before.commissions, after.commissions),
  };
}

function manualChanges(before: CustomerState, after: CustomerState): Changes["commissions"] {
  const former = new Map(before.commissions.map((commission) => [commission.id, commission]));
  return after.commissions
    .filter(({ id, reversal_of }) => reversal_of === null && !after.loaded.of_payments.has(id))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .flatMap(({ id, affiliate_id, commission_minor, currency }) => {
      const before_affiliate_id = former.get(id)?.affiliate_id ?? affiliate_id;
      if (before_affiliate_id === affiliate_id) return [];
      const commission_amount = toMajor(commission_minor, currency);
      return [{ id, commission_amount, currency, before_affiliate_id, after_affiliate_id: affiliate_id }];
    });
}

function countReversed(before: CustomerState, after: CustomerState): number {
  const known = new Set(before.commissions.map(({ id }) => id));
  const added = after.commissions.filter(
    ({ id, commission_minor }) => commission_minor < 0n && !known.has(id),
  );
  return new Set(added.map(({ reversal_of }) => reversal_of)).size;
}

/**
 * The change of each affiliate's amounts from the customer. A commission in a payout changes by its reversals
 * only.
 */
function balanceChanges(
  before: readonly AttributedCommissionRow[],
  after: readonly AttributedCommissionRow[],
): Changes["balances"] {
  const sums = new Map<string, { affiliate_id: string; currency: string; minor: bigint }>();
  const add = (sign: bigint) => (commission: AttributedCommissionRow) => {
    const { affiliate_id, currency, commission_minor, payout_status } = commission;
    if (payout_status === "voided") return;
    const key = `${affiliate_id} ${currency}`;
    const minor = (sums.get(key)?.minor ?? 0n) + sign * commission_minor;
    sums.set(key, { affiliate_id, currency, minor });
  };
  before.forEach(add(-1n));
  after.forEach(add(1n));
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { affiliate_id, currency, minor }]) =>
      minor === 0n ? [] : { affiliate_id, currency, difference: toMajor(minor, currency) },
    );
}

/** An `override_refused` with the reason why a payment earns nothing. */
export function refusedBy(outcome: string): DomainError {
  return refused(`The payment cannot be credited. ${paymentOutcomes[outcomeName.parse(outcome)]}`);
}

export function refused(message: string): DomainError {
  return new DomainError("override_refused", { message });
}
