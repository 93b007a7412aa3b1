import type {
  AttributedCommissionRow,
  AttributedReferralRow,
} from "@findersfee/database/attribution/customers";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import type { PassedAffiliate } from "@findersfee/database/attribution/passed-affiliates";
import type { AffiliateRow } from "@findersfee/database/rows";
import { newId } from "../../ids.ts";
import { type Reviewer, reviewRow } from "../../ledger/review.ts";
import { serializeEvent, viewCommissionEvent } from "../../webhooks/events/data.ts";
import type { CandidateResult } from "../decide/attribute.ts";
import type { Correction, ManualCommission } from "../decide/history.ts";
import { takenOverFrom } from "../decide/known-decisions.ts";
import type { CustomerOutcome, PaymentOutcome } from "../decide/outcome.ts";
import {
  commissionChange,
  isLocked,
  manualChange,
  NameDiff,
  withdrawnCommission,
} from "./commission-diff.ts";
import type { CustomerBefore } from "./customer-history.ts";
import { readExplanation, writeExplanation } from "./explanation.ts";
import { addPassed, isSameRow, type PassedDifference, type PendingWrites } from "./pending-writes.ts";
import { ReferralDiff } from "./referral-diff.ts";
import { type Earning, movedReview, reportedReview } from "./review-diff.ts";
import { changedLookups, newSnapshots } from "./snapshot-diff.ts";

const NO_CORRECTION = {
  revenue_minor: null,
  commission_minor: null,
  reversed_minor: 0n,
  amounts_at: null,
  voided: null,
  voided_at: null,
  referral_date: null,
} satisfies Correction;

interface Dependencies {
  before: CustomerBefore;
  affiliates: ReadonlyMap<string, AffiliateRow>;
  reviewOf: Reviewer;
  customer_id: string;
  /** The source of the changes, for the audit log. */
  cause: string;
  now: Date;
}

/** Compares a customer's outcome with the stored rows, and adds the differences to the pending writes. */
export class OutcomeDiff {
  readonly #before: CustomerBefore;
  readonly #affiliates: Dependencies["affiliates"];
  readonly #reviewOf: Reviewer;
  readonly #writes: PendingWrites;
  readonly #referrals: ReferralDiff;
  readonly #names: NameDiff;
  /** Commissions that another affiliate gets. */
  readonly #moved = new Set<string>();
  readonly #customer_id: string;
  readonly #cause: string;
  readonly #now: Date;

  constructor(
    writes: PendingWrites,
    { before, affiliates, reviewOf, customer_id, cause, now }: Dependencies,
  ) {
    this.#writes = writes;
    this.#before = before;
    this.#affiliates = affiliates;
    this.#reviewOf = reviewOf;
    this.#customer_id = customer_id;
    this.#cause = cause;
    this.#now = now;
    this.#names = new NameDiff(before);
    const affiliateOf = (id: string) => this.#affiliate(id);
    const { referrals: stored, sources } = before;
    this.#referrals = new ReferralDiff(writes, { stored, sources, affiliateOf, now });
  }

  add(outcome: CustomerOutcome): void {
    const { referrals, superseded, payments, moved } = outcome;
    const { history, replaced } = this.#before;
    for (const referral of referrals) this.#referrals.add(referral);
    for (const payment of payments) this.#addPayment(payment);
    for (const manual of moved) {
      const stored = this.#before.commissions.get(manual.commission.id) ?? [];
      this.#addCommissions(stored, manualChange(manual, { stored, now: this.#now }), manual.commission);
    }
    for (const decision of replaced) this.#replace(decision);
    this.#writes.names = this.#names.changes();
    for (const [stored, snapshot] of newSnapshots(history, payments, this.#now))
      this.#writes.snapshot.set(stored, snapshot);
    for (const [stored, lookup] of changedLookups(history, outcome)) this.#writes.lookups.set(stored, lookup);
    this.#referrals.write(superseded);
    const touched = this.#referrals.touched(outcome);
    const { overrides } = outcome;
    this.#writes.touched.push(...touched.map((one) => ({ ...one, overrides, cause: this.#cause })));
  }

  #addPayment(outcome: PaymentOutcome): void {
    const { reference, payment, referral, affiliate } = outcome;
    const known = this.#before.decisions.get(reference);
    const row = referral === null ? null : this.#referrals.rowOf(referral);
    const commission_id = this.#addCommission(outcome, known, row);
    const manual_commission_id = this.#addManual(outcome);
    const kept_by = this.#before.history.payments.get(reference)?.kept_by ?? null;
    this.#names.add(reference, manual_commission_id ?? commission_id ?? kept_by);
    const decision: StoredDecision = {
      id: known?.id ?? newId(this.#now),
      processor: outcome.processor,
      payment_id: payment.subject,
      customer_id: this.#customer_id,
      outcome: outcome.outcome,
      referral_id: row?.id ?? null,
      affiliate_id: affiliate?.affiliate_id ?? null,
      commission_id,
      currency: payment.currency,
      revenue_minor: payment.revenue_minor,
      commission_minor: outcome.commission_minor,
      paid_minor: payment.paid_minor,
      reversed_minor: outcome.reversed_minor,
      paid_at: payment.paid_at,
      explanation: writeExplanation(outcome.explanation),
      created_at: known?.created_at ?? this.#now,
      decided_at: this.#now,
      replaced_at: null,
      taken_over_from: takenOverFrom(known, payment),
      manual_commission_id,
    };
    if (known !== undefined && isSameRow(known, decision)) return;
    if (known !== undefined) this.#reviewAgain(known, decision, outcome);
    addPassed(this.#writes, passedDifference(known, decision, outcome.explanation.candidates));
    // Returning decisions first: each releases a payment id that another decision may take.
    if (known?.taken_over_from === payment.subject) this.#writes.decisions.unshift(decision);
    else this.#writes.decisions.push(decision);
  }

  /** Late evidence or another amount changes a review that nobody has decided. A commission that moved was reviewed for that. */
  #reviewAgain(before: StoredDecision, after: StoredDecision, { explanation }: PaymentOutcome): void {
    const { commission_id } = after;
    if (commission_id === null || commission_id !== before.commission_id) return;
    if (this.#moved.has(commission_id)) return;
    const commission = this.#before.commissions.get(commission_id)?.find(({ id }) => id === commission_id);
    if (commission === undefined || isLocked(commission)) return;
    const { signals = [] } = explanation;
    const of = { commission, reviewOf: this.#reviewOf, signals, now: this.#now };
    const review = reportedReview({ before, after }, of);
    if (review !== null) this.#writes.reviews.push({ ...review, cause: this.#cause });
  }

  /** Changes a payment's manual commission to its rest; returns its id. Null: there is none. */
  #addManual({ reference, manual }: PaymentOutcome): string | null {
    if (manual === null) return null;
    const { id, revenue_minor, commission_minor, correction, created_at, included_minor } = manual.commission;
    const stored = this.#before.commissions.get(id) ?? [];
    const change = manualChange(manual, { stored, now: this.#now });
    this.#addCommissions(stored, change, manual.commission);
    const { amounts_at = null, reversed_minor = 0n } = correction ?? {};
    const is_first = amounts_at === null && change.changed.some((row) => isReduced(row, stored));
    // Of the payment that it had before.
    const is_former = amounts_at !== null && reversed_minor !== included_minor;
    if (is_first || is_former) {
      const amounts = { revenue_minor, commission_minor, amounts_at: amounts_at ?? created_at };
      const corrected = { ...NO_CORRECTION, commission_id: id, ...amounts, reversed_minor: included_minor };
      this.#writes.corrections.push(corrected);
    }
    for (const other of this.#before.history.payments.get(reference)?.repeated ?? []) this.#withdraw(other);
    return id;
  }

  /** Voids a manual commission for a payment that has another one. */
  #withdraw({ id, currency }: ManualCommission): void {
    const stored = this.#before.commissions.get(id) ?? [];
    this.#addCommissions(stored, withdrawnCommission({ stored, currency, now: this.#now }), null);
    const voided = { voided: true, voided_at: this.#now };
    this.#writes.corrections.push({ ...NO_CORRECTION, commission_id: id, ...voided });
    this.#names.withdraw(id);
  }

  /** Withdraws the commission of a payment that turned out to be part of another one. */
  #replace(decision: StoredDecision): void {
    const { commission_id, currency, replaced_at } = decision;
    if (commission_id !== null) {
      const stored = this.#before.commissions.get(commission_id) ?? [];
      this.#addCommissions(stored, withdrawnCommission({ stored, currency, now: this.#now }), null);
      this.#names.withdraw(commission_id);
    }
    if (replaced_at !== null) return;
    const after = { ...decision, replaced_at: this.#now };
    addPassed(this.#writes, passedDifference(decision, after));
    this.#writes.decisions.push(after);
  }

  /** Creates or changes a payment's commission to match the outcome; returns its id. */
  #addCommission(
    outcome: PaymentOutcome,
    known: StoredDecision | undefined,
    referral: AttributedReferralRow | null,
  ): string | null {
    const commission_id = known?.commission_id ?? null;
    const stored = commission_id === null ? [] : (this.#before.commissions.get(commission_id) ?? []);
    const change = commissionChange(outcome, {
      stored,
      decided_as: [known?.payment_id, known?.taken_over_from].filter((id) => typeof id === "string"),
      correction: this.#before.history.payments.get(outcome.reference)?.correction ?? null,
      referral_id: referral?.id ?? null,
      now: this.#now,
    });
    const earning = { commission_minor: outcome.commission_minor, signals: outcome.explanation.signals };
    this.#addCommissions(stored, change, earning);
    const made = change.added.find(({ reversal_of }) => reversal_of === null);
    if (made !== undefined) this.#announce(made, referral, earning);
    const earns = outcome.outcome === "commission" && (made !== undefined || commission_id !== null);
    if (earns && referral !== null) this.#referrals.convert(referral);
    return made?.id ?? commission_id;
  }

  /** `earning` null: the commission is withdrawn. */
  #addCommissions(
    stored: readonly AttributedCommissionRow[],
    { added, changed }: ReturnType<typeof commissionChange>,
    earning: Earning | null,
  ): void {
    const cause = this.#cause;
    for (const row of changed) {
      const before = stored.find(({ id }) => id === row.id);
      if (before === undefined) throw new Error(`commission ${row.id} was not loaded`);
      const change = { before, after: { ...row, cause } };
      this.#writes.changed_commissions.push(change);
      const of = { reviewOf: this.#reviewOf, now: this.#now };
      const review = earning && movedReview(change, { ...of, earning });
      if (review === null) continue;
      this.#writes.reviews.push({ ...review, cause });
      this.#moved.add(row.id);
    }
    this.#writes.new_commissions.push(
      ...added.map((row) => ({ ...row, cause, review: earning && this.#reviewNew(row, earning) })),
    );
  }

  #reviewNew(row: AttributedCommissionRow, { commission_minor, signals }: Earning) {
    return this.#reviewOf({ ...row, commission_minor }, signals);
  }

  #announce(made: AttributedCommissionRow, referral: AttributedReferralRow | null, earning: Earning): void {
    if (referral === null) throw new Error(`commission ${made.id} has no referral`);
    const affiliate = this.#affiliate(made.affiliate_id);
    const data = viewCommissionEvent({
      ...made,
      ...reviewRow(this.#reviewNew(made, earning), made),
      affiliate,
      referral,
      payout: null,
    });
    this.#writes.events.push(serializeEvent("commission.created", data, this.#now));
  }

  #affiliate(id: string): AffiliateRow {
    const affiliate = this.#affiliates.get(id);
    if (affiliate === undefined) throw new Error(`affiliate ${id} was not loaded`);
    return affiliate;
  }
}

/** Whether more than the affiliate of a commission changes. */
function isReduced(row: AttributedCommissionRow, stored: readonly AttributedCommissionRow[]): boolean {
  const before = stored.find(({ id }) => id === row.id);
  return (
    before?.commission_minor !== row.commission_minor ||
    before.revenue_minor !== row.revenue_minor ||
    before.payout_status !== row.payout_status
  );
}

type Decided = Pick<StoredDecision, "id" | "affiliate_id" | "paid_at" | "replaced_at" | "explanation">;

/** The rows to add and to remove when a decision changes; `candidates` are those of `after`. */
function passedDifference(
  before: Decided | undefined,
  after: Decided,
  candidates: readonly Pick<CandidateResult, "affiliate_id">[] = storedCandidates(after),
): PassedDifference {
  const added = passedBy(after, candidates);
  if (before === undefined) return { added, removed: [] };
  const removed = passedBy(before, storedCandidates(before));
  const isIn = (rows: readonly PassedAffiliate[]) => (row: PassedAffiliate) =>
    rows.some(
      ({ affiliate_id, paid_at }) =>
        affiliate_id === row.affiliate_id && paid_at.getTime() === row.paid_at.getTime(),
    );
  return {
    added: added.filter((row) => !isIn(removed)(row)),
    removed: removed.filter((row) => !isIn(added)(row)),
  };
}

function storedCandidates({ explanation }: Decided) {
  return readExplanation(JSON.parse(explanation)).candidates;
}

/** Each affiliate of the candidates who does not have the payment. */
function passedBy(
  { id, affiliate_id: winner, paid_at, replaced_at }: Decided,
  candidates: readonly Pick<CandidateResult, "affiliate_id">[],
): PassedAffiliate[] {
  if (replaced_at !== null) return [];
  const passed = new Set(candidates.map(({ affiliate_id }) => affiliate_id));
  return [...passed].flatMap((affiliate_id) =>
    affiliate_id === null || affiliate_id === winner ? [] : [{ affiliate_id, paid_at, decision_id: id }],
  );
}
