import type {
  SettledCommissionRow,
  SettledReferralRow,
  Settlement,
} from "@findersfee/database/customer-settlement";
import type { StoredDecision } from "@findersfee/database/payment-decisions";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewCommissionEvent } from "../commissions/view.ts";
import { freezeEvent } from "../events/record.ts";
import { newId } from "../ids.ts";
import { viewReferralEvent } from "../referrals/view.ts";
import { namesAnybody } from "./candidates.ts";
import { type CommissionChange, commissionChange, withdrawnCommission } from "./commission-change.ts";
import type { CustomerBefore } from "./customer-history.ts";
import { writeExplanation } from "./explanation.ts";
import type { Judged } from "./judged.ts";
import { decidedAs, takenOverFrom } from "./known-decisions.ts";
import { type Lookup, lookupText, wantedLookups } from "./lookups.ts";
import type { CustomerOutcome, PaymentOutcome, ReferralOutcome } from "./outcome.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** What is to be written, so that what is stored is what was worked out. */
export interface Changes extends Settlement {
  decisions: StoredDecision[];
  /** By what events were judged, where it is more than before. */
  judged: Map<StoredEvent, Judged>;
  /** What events wait for now, where it is something else than before; null: nothing any more. */
  lookups: Map<StoredEvent, Lookup | null>;
}

export function noChanges(): Changes {
  return {
    new_referrals: [],
    changed_referrals: [],
    renamed_referral_ids: [],
    new_commissions: [],
    changed_commissions: [],
    events: [],
    decisions: [],
    judged: new Map(),
    lookups: new Map(),
  };
}

/** Compares a customer's outcome with what is stored, and adds what differs to the changes. */
export class CustomerChanges {
  readonly #before: CustomerBefore;
  readonly #affiliates: ReadonlyMap<string, AffiliateRow>;
  readonly #changes: Changes;
  readonly #customer_id: string;
  readonly #cause: string;
  readonly #now: Date;
  readonly #rows = new Map<ReferralOutcome, SettledReferralRow>();

  constructor(
    changes: Changes,
    parts: {
      before: CustomerBefore;
      affiliates: ReadonlyMap<string, AffiliateRow>;
      customer_id: string;
      /** Of what is changed, for the ledger. */
      cause: string;
      now: Date;
    },
  ) {
    this.#changes = changes;
    this.#before = parts.before;
    this.#affiliates = parts.affiliates;
    this.#customer_id = parts.customer_id;
    this.#cause = parts.cause;
    this.#now = parts.now;
  }

  add(outcome: CustomerOutcome): void {
    const { referrals, superseded, payments } = outcome;
    for (const referral of referrals) this.#addReferral(referral);
    for (const payment of payments) this.#addPayment(payment);
    for (const decision of this.#before.replaced) this.#replace(decision);
    this.#addJudged(payments);
    this.#addLookups(outcome);
    this.#writeReferrals();
    for (const id of superseded) this.#supersede(id);
  }

  /** Nobody is known by it any more; what is stored of it stays. */
  #supersede(id: string): void {
    const row = this.#before.referrals.get(id);
    if (row !== undefined) this.#change(row, { ...row, superseded_at: row.superseded_at ?? this.#now });
  }

  #change(before: SettledReferralRow, row: SettledReferralRow): void {
    if (isSame(before, row)) return;
    this.#changes.changed_referrals.push(row);
    const is_renamed =
      before.email !== row.email ||
      before.processor_customer_id !== row.processor_customer_id ||
      before.superseded_at !== row.superseded_at;
    if (is_renamed) this.#changes.renamed_referral_ids.push(row.id);
  }

  #addReferral(referral: ReferralOutcome): void {
    const known = referral.id === null ? undefined : this.#before.referrals.get(referral.id);
    if (known === undefined) {
      const row = newReferral(referral, this.#now);
      this.#rows.set(referral, row);
      const affiliate = this.#affiliate(row.affiliate_id);
      const data = viewReferralEvent({ ...row, affiliate });
      this.#changes.events.push(freezeEvent("referral.created", data, this.#now));
    } else this.#rows.set(referral, changedReferral(known, referral));
  }

  #addPayment(outcome: PaymentOutcome): void {
    const { reference, payment, referral, affiliate } = outcome;
    const known = this.#before.decisions.get(reference);
    const row = referral === null ? null : this.#row(referral);
    const commission_id = this.#settleCommission(outcome, known, row);
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
      taken_back_minor: outcome.taken_back_minor,
      paid_at: payment.paid_at,
      explanation: writeExplanation(outcome.explanation),
      created_at: known?.created_at ?? this.#now,
      decided_at: this.#now,
      replaced_at: null,
      taken_over_from: takenOverFrom(known, payment),
    };
    if (known !== undefined && isSame(known, decision)) return;
    // First those that return: each gives up a payment id that another decision may take.
    if (known?.taken_over_from === payment.subject) this.#changes.decisions.unshift(decision);
    else this.#changes.decisions.push(decision);
  }

  /** Takes back the commission of a payment that turned out to be part of another one. */
  #replace(decision: StoredDecision): void {
    const { commission_id, currency, replaced_at } = decision;
    if (commission_id !== null) {
      const stored = this.#before.commissions.get(commission_id) ?? [];
      const correction = this.#before.corrections.get(commission_id) ?? null;
      this.#addCommissions(withdrawnCommission({ stored, correction, currency, now: this.#now }));
    }
    if (replaced_at === null) this.#changes.decisions.push({ ...decision, replaced_at: this.#now });
  }

  /** Makes a payment's commission what it should be; returns its id. */
  #settleCommission(
    outcome: PaymentOutcome,
    known: StoredDecision | undefined,
    referral: SettledReferralRow | null,
  ): string | null {
    const commission_id = known?.commission_id ?? null;
    const stored = commission_id === null ? [] : (this.#before.commissions.get(commission_id) ?? []);
    const change = commissionChange(outcome, {
      stored,
      decided_as: known?.payment_id ?? null,
      correction: this.#before.history.payments.get(outcome.reference)?.correction ?? null,
      referral_id: referral?.id ?? null,
      now: this.#now,
    });
    this.#addCommissions(change);
    const made = change.added.find(({ reversal_of }) => reversal_of === null);
    if (made !== undefined) this.#tell("commission.created", made, referral);
    const earns = outcome.outcome === "commission" && (made !== undefined || commission_id !== null);
    if (earns && referral !== null) this.#convert(referral);
    return made?.id ?? commission_id;
  }

  #addCommissions({ added, changed }: CommissionChange): void {
    const cause = this.#cause;
    this.#changes.changed_commissions.push(...changed.map((row) => ({ ...row, cause })));
    this.#changes.new_commissions.push(...added.map((row) => ({ ...row, cause })));
  }

  #tell(type: "commission.created", made: SettledCommissionRow, referral: SettledReferralRow | null): void {
    if (referral === null) throw new Error(`commission ${made.id} without its referral`);
    const affiliate = this.#affiliate(made.affiliate_id);
    const data = viewCommissionEvent({ ...made, affiliate, referral, payout: null });
    this.#changes.events.push(freezeEvent(type, data, this.#now));
  }

  /** The first commission of a referral converts it, also one that was another's before. */
  #convert(referral: SettledReferralRow): void {
    if (referral.converted_at !== null) return;
    const data = viewReferralEvent({ ...referral, affiliate: this.#affiliate(referral.affiliate_id) });
    this.#changes.events.push(freezeEvent("referral.converted", data, this.#now));
    referral.converted_at = this.#now;
  }

  #addLookups(outcome: CustomerOutcome): void {
    const { history } = this.#before;
    const wanted = wantedLookups(history, outcome);
    for (const stored of history.events) {
      const lookup = wanted.get(stored) ?? null;
      const text = lookup === null ? null : lookupText(lookup);
      if (text !== (stored.lookup ?? null)) this.#changes.lookups.set(stored, lookup);
    }
  }

  /** Notes what events were judged by, the first time that it is known. */
  #addJudged(payments: readonly PaymentOutcome[]): void {
    const paid = new Map(payments.map((outcome) => [outcome.reference, outcome]));
    for (const stored of this.#before.history.events) {
      const judged = this.#judgedNow(stored, paid.get(decidedAs(stored)));
      const { candidates, affiliates, looked_at } = stored.judged;
      const is_same =
        judged.candidates.length === candidates.length &&
        judged.affiliates.length === affiliates.length &&
        judged.looked_at === looked_at;
      if (!is_same) this.#changes.judged.set(stored, judged);
    }
  }

  #judgedNow(stored: StoredEvent, outcome: PaymentOutcome | undefined): Judged {
    const { judged } = stored;
    const candidates = this.#before.history.candidatesOf(stored);
    const affiliates = [...judged.affiliates];
    const add = (affiliate: JudgedAffiliate | undefined) => {
      const is_known = affiliates.some(({ affiliate_id }) => affiliate_id === affiliate?.affiliate_id);
      if (affiliate !== undefined && !is_known) affiliates.push(affiliate);
    };
    for (const { affiliate_id } of candidates) add(this.#before.history.affiliateOf(affiliate_id));
    if (outcome?.affiliate) add(outcome.affiliate);
    // That nobody got the customer stays, too, whoever of them is approved later.
    else if (outcome !== undefined) {
      for (const { affiliate_id } of outcome.explanation.candidates) {
        if (affiliate_id !== null) add(this.#before.history.affiliateOf(affiliate_id));
      }
    }
    const looked_at = judged.looked_at ?? (namesAnybody(stored) ? this.#now : null);
    return { candidates: [...candidates], affiliates, looked_at };
  }

  #writeReferrals(): void {
    for (const [{ id }, row] of this.#rows) {
      const before = id === null ? undefined : this.#before.referrals.get(id);
      if (before === undefined) this.#changes.new_referrals.push(row);
      else this.#change(before, row);
    }
  }

  #row(referral: ReferralOutcome): SettledReferralRow {
    const row = this.#rows.get(referral);
    if (row === undefined) throw new Error("a payment is of a referral that was not settled");
    return row;
  }

  #affiliate(id: string): AffiliateRow {
    const affiliate = this.#affiliates.get(id);
    if (affiliate === undefined) throw new Error(`affiliate ${id} was not loaded`);
    return affiliate;
  }
}

function newReferral(referral: ReferralOutcome, now: Date): SettledReferralRow {
  const { email, customer_id, affiliate_id, bound_by, since, signup_date, processor_status } = referral;
  return {
    id: newId(now),
    email,
    affiliate_id,
    subscription_status: processor_status ?? "signed_up",
    signup_date,
    processor_customer_id: customer_id,
    converted_at: null,
    created_at: now,
    bound_by,
    bound_at: bound_by === null ? null : since,
    processor_status,
    email_by_hand: false,
    customer_id_by_hand: false,
    superseded_at: null,
  };
}

function changedReferral(before: SettledReferralRow, referral: ReferralOutcome): SettledReferralRow {
  const { email, customer_id, affiliate_id, bound_by, since, signup_date } = referral;
  const keeps_customer_id = before.customer_id_by_hand && before.processor_customer_id !== null;
  const { processor_status } = referral;
  // What was set by hand stays until the processor tells of a change.
  const subscription_status =
    processor_status === before.processor_status
      ? before.subscription_status
      : (processor_status ?? "signed_up");
  const bound = bound_by === null ? {} : { bound_by, bound_at: since, signup_date };
  return {
    ...before,
    affiliate_id,
    email: before.email_by_hand ? before.email : email,
    processor_customer_id: keeps_customer_id ? before.processor_customer_id : customer_id,
    customer_id_by_hand: before.customer_id_by_hand && (keeps_customer_id || customer_id === null),
    subscription_status,
    processor_status,
    superseded_at: null,
    ...bound,
  };
}

/** Whether nothing differs but when it was decided. */
function isSame(before: object, after: object): boolean {
  const differs = Object.entries(after).some(([name, value]) => {
    if (name === "decided_at") return false;
    const known: unknown = before[name as keyof typeof before];
    return value instanceof Date && known instanceof Date ? +value !== +known : value !== known;
  });
  return !differs;
}
