import type {
  ChangeOverride,
  CreditPayment,
  MoveCustomer,
  OverrideResult,
  StopCustomer,
} from "@findersfee/contract/attribution/overrides";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findLeads, type LeadRow } from "@findersfee/database/attribution/leads";
import { findOverride } from "@findersfee/database/attribution/overrides";
import { findReferral } from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow, ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { actorText } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField, notFound, requireReferral } from "../../errors.ts";
import { groupBy } from "../../group-by.ts";
import { newId } from "../../ids.ts";
import { KnownEmails } from "../facts/emails.ts";
import { paymentKeys } from "../facts/fact-names.ts";
import type { OverrideFact, PaymentMade } from "../facts/payment-fact.ts";
import { relate } from "../facts/relate.ts";
import type { StoredFact } from "../facts/stored-fact.ts";
import { loadFacts } from "../write/load-facts.ts";
import { applyOverride, type CustomerState, readCustomer, refused, refusedBy } from "./apply.ts";
import { readOverride } from "./view.ts";

/**
 * Moves a customer to another affiliate: its payments from now on, and those of its commissions that are in no payout if
 * `unpaid_commissions` is true.
 *
 * Errors: `not_found` (referral, affiliate), `override_refused`, `override_changed`.
 */
export async function moveCustomer(context: Context, input: MoveCustomer): Promise<OverrideResult> {
  return await applyOverride(context, input, async (sql, now) => {
    const referral = await findCustomersReferral(sql, context, input.referral_id);
    const affiliate = await requirePayee(sql, context, input.affiliate_id);
    if (affiliate.banned) throw refused("A banned affiliate gets no customers.");
    const override = {
      ...newOverride(context, { type: "move", reason: input.reason, now }),
      ...namesOf(referral),
    };
    const state = input.unpaid_commissions
      ? await readCustomer(sql, context, { fact: override, lock: true })
      : null;
    const leads = state === null ? [] : await findLeadsOf(sql, context, state);
    const commissions = state === null ? [] : unpaidOfOthers({ ...state, leads }, affiliate.id);
    if (referral.affiliate.id === affiliate.id && commissions.length === 0) {
      throw refused("The customer has this affiliate already.");
    }
    return { before: null, after: { ...override, affiliate_id: affiliate.id, commissions } };
  });
}

async function findLeadsOf(
  sql: Transaction,
  { organization }: Context,
  { loaded }: CustomerState,
): Promise<LeadRow[]> {
  const ids = new Set([...loaded.referrals.values()].map(({ id }) => id));
  return await findLeads(sql, organization.id, [...ids]);
}

const IN_PAYOUT: ReadonlySet<string> = new Set(["pending", "paid"]);

/**
 * The commissions that a move takes along: those in no payout. A dispute that is won restores void ones.
 * These stay: the earnings of a payment before a later report showed that it earns nothing, as if that report
 * had been the first; the commission of a lead that earns nothing for its present affiliate; and a manual
 * commission of another customer's referral with a payment of this customer.
 */
function unpaidOfOthers(
  { commissions, decisions, leads, loaded }: CustomerState & { leads: readonly LeadRow[] },
  affiliate_id: string,
): OverrideFact["commissions"] {
  const valid = decisions.filter(({ replaced_at }) => replaced_at === null);
  const decided = new Map([...valid, ...leads].map((decision) => [decision.commission_id, decision]));
  const own = new Set([...loaded.referrals.values()].map((referral) => referral.id));
  const inPayout = groupBy(
    commissions.filter(({ payout_status }) => IN_PAYOUT.has(payout_status)),
    ({ id, reversal_of }) => reversal_of ?? id,
  );
  return commissions
    .filter(({ id, lead, referral_id, affiliate_id: owner, reversal_of }) => {
      if (reversal_of !== null) return false;
      const paid = inPayout.get(id) ?? [];
      if (lead === null && !loaded.of_payments.has(id)) {
        return paid.length === 0 && own.has(referral_id) && owner !== affiliate_id;
      }
      const decision = decided.get(id);
      // A void commission has the affiliate who had it last. A payout to a former affiliate was netted.
      const is_free = paid.every((line) => line.affiliate_id !== decision?.affiliate_id);
      return is_free && decision?.outcome === "commission" && decision.affiliate_id !== affiliate_id;
    })
    .map((commission) => ({ id: commission.id, affiliate_id: commission.affiliate_id }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Credits an affiliate for a payment that earned nothing, and with `past_payments` for the customer's earlier ones. A customer
 * without a referral becomes the affiliate's.
 *
 * Errors: `not_found` (payment, affiliate), `invalid_request` (no email is known), `commission_exists`, `override_refused`,
 * `override_changed`.
 */
export async function creditPayment(context: Context, input: CreditPayment): Promise<OverrideResult> {
  return await applyOverride(context, input, async (sql, now) => {
    const affiliate = await requirePayee(sql, context, input.affiliate_id);
    const { payment, email } = await findPayment(sql, context, input.processor_payment_id);
    const named: OverrideFact = {
      ...newOverride(context, { type: "credit", reason: input.reason, now }),
      affiliate_id: affiliate.id,
      customer_id: payment.fact.customer_id,
      email: email ?? input.email ?? null,
      payments: [{ processor: payment.processor, id: payment.fact.subject }],
    };
    const { decisions, loaded } = await readCustomer(sql, context, { fact: named });
    const chosen = decisions.find((decision) => isAbout(decision, payment));
    if (chosen === undefined) throw notFound("payment");
    requireFree(chosen);
    if (named.email === null && loaded.referrals.size === 0) {
      throw invalidField(
        "email",
        "The processor reported no email of this customer. Send the customer's email.",
      );
    }
    const past = input.past_payments ? decisions.filter((decision) => isCreditable(decision, chosen)) : [];
    const payments = [chosen, ...past].map(({ processor, payment_id }) => ({ processor, id: payment_id }));
    return {
      before: null,
      after: { ...named, payments },
      require: (after) => requireEarned(after, chosen.id),
    };
  });
}

/** The payment with an id at its processor, and its customer's email. Errors: `not_found`. */
async function findPayment(
  sql: Transaction,
  { organization }: Context,
  id: string,
): Promise<{ payment: StoredFact<PaymentMade>; email: string | null }> {
  const known = await findCustomerKeys(sql, organization.id, paymentKeys(id));
  const facts = await loadFacts(sql, organization.id, [...new Set(known.values())]);
  for (const own of facts.values()) {
    const relations = relate(own);
    const payment = relations.payments.find((one) => relations.idsOf(one).includes(id));
    if (payment === undefined) continue;
    const emails = new KnownEmails([...own, ...relations.charge_payments], relations.nameOf);
    return { payment, email: emails.of(payment, payment.fact.paid_at) };
  }
  throw notFound("payment");
}

function isAbout({ processor, payment_id, replaced_at }: StoredDecision, payment: StoredFact): boolean {
  return replaced_at === null && processor === payment.processor && payment_id === payment.fact.subject;
}

function requireFree({ outcome, commission_id, manual_commission_id }: StoredDecision): void {
  if (outcome !== "commission" && outcome !== "commission_exists") return;
  const holder = manual_commission_id ?? commission_id;
  throw new DomainError("commission_exists", {
    details: holder === null ? undefined : { commission_id: holder },
  });
}

/** An earlier payment of the customer that earned nothing. */
function isCreditable({ outcome, paid_at, replaced_at }: StoredDecision, chosen: StoredDecision): boolean {
  const is_free = outcome !== "commission" && outcome !== "commission_exists" && outcome !== "nothing_paid";
  return replaced_at === null && is_free && paid_at < chosen.paid_at;
}

function requireEarned({ decisions, commissions }: CustomerState, id: string): void {
  const decision = decisions.find((one) => one.id === id);
  if (decision === undefined) throw notFound("payment");
  if (decision.outcome !== "commission") throw refusedBy(decision.outcome);
  const commission = commissions.find((one) => one.id === decision.commission_id);
  if (commission?.payout_status === "voided") {
    throw refused("The payment was refunded, or its commission was voided.");
  }
}

/**
 * Stops a customer: payments from now on earn nothing, until the stop is ended.
 *
 * Errors: `not_found` (referral), `override_refused`, `override_changed`.
 */
export async function stopCustomer(context: Context, input: StopCustomer): Promise<OverrideResult> {
  return await applyOverride(context, input, async (sql, now) => {
    const referral = await findCustomersReferral(sql, context, input.referral_id);
    const after = {
      ...newOverride(context, { type: "stop", reason: input.reason, now }),
      ...namesOf(referral),
    };
    const { loaded } = await readCustomer(sql, context, { fact: after });
    const facts = [...loaded.facts.values()].flat();
    if (facts.some(({ fact }) => fact.kind === "override" && fact !== after && isStopping(fact))) {
      throw refused("The customer is stopped already.");
    }
    return { before: null, after };
  });
}

function isStopping({ type, until, undone_at }: OverrideFact): boolean {
  return type === "stop" && until === null && undone_at === null;
}

/**
 * Ends a stop: payments from now on earn again. Those of the time in between stay without a commission.
 *
 * Errors: `not_found`, `override_refused`, `override_changed`.
 */
export async function resumeCustomer(context: Context, input: ChangeOverride): Promise<OverrideResult> {
  return await applyOverride(context, input, async (sql, now) => {
    const before = await requireOverride(sql, context, input.id);
    if (!isStopping(before)) throw refused("This override is no stop, or has ended.");
    return { before, after: { ...changed(before, now), until: now } };
  });
}

/**
 * Undoes an override: everything is as if it had never been made. The next payout nets commissions that are in a payout.
 *
 * Errors: `not_found`, `override_refused`, `override_changed`.
 */
export async function undoOverride(context: Context, input: ChangeOverride): Promise<OverrideResult> {
  return await applyOverride(context, input, async (sql, now) => {
    const before = await requireOverride(sql, context, input.id);
    if (before.undone_at !== null) throw refused("The override was undone already.");
    return { before, after: { ...changed(before, now), undone_at: now } };
  });
}

/** A later state of an override, also if another process's clock is ahead of this one's. */
function changed(before: OverrideFact, now: Date): OverrideFact {
  const at = new Date(Math.max(now.getTime(), before.at.getTime()));
  return { ...before, at, rank: before.rank + 1 };
}

async function requireOverride(
  sql: Transaction,
  { organization }: Context,
  id: string,
): Promise<OverrideFact> {
  const row = await findOverride(sql, organization.id, id);
  if (row === null) throw notFound("override");
  return readOverride(row);
}

async function findCustomersReferral(
  sql: Transaction,
  { organization }: Context,
  id: string,
): Promise<ReferralWithAffiliateRow> {
  return requireReferral(await findReferral(sql, organization.id, id));
}

/** The affiliate who gets customers or payments. Errors: `not_found`, `override_refused`. */
async function requirePayee(sql: Transaction, { organization }: Context, id: string): Promise<AffiliateRow> {
  const affiliate = await findAffiliate(sql, organization.id, id);
  if (affiliate === null) throw notFound("affiliate");
  if (affiliate.erased_at !== null) throw refused("The affiliate's data was erased, so nobody can be paid.");
  return affiliate;
}

function namesOf({ email, processor_customer_id }: ReferralWithAffiliateRow) {
  return { email, customer_id: processor_customer_id };
}

function newOverride(
  { actor }: Context,
  { type, reason, now }: { type: OverrideFact["type"]; reason: string; now: Date },
): OverrideFact {
  return {
    kind: "override",
    type,
    subject: newId(now),
    at: now,
    rank: 0,
    references: [],
    belongs_to: [],
    customer_id: null,
    email: null,
    affiliate_id: null,
    payments: [],
    commissions: [],
    since: now,
    until: null,
    undone_at: null,
    created_by: actorText(actor),
    reason,
  };
}
