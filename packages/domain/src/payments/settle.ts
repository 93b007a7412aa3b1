import { isSameAddress } from "../attribution/self-referral.ts";
import type { PaymentMade } from "../processors/payment-event.ts";
import { type Attribution, attribute } from "./attribute.ts";
import {
  type CandidateResult,
  eachOnce,
  lost,
  type NamedCandidate,
  type Refusal,
  unknown,
  withOthers,
  withResults,
} from "./candidate-results.ts";
import { earn } from "./earn.ts";
import { inOrder, type Timed } from "./happenings.ts";
import type { CustomerHistory, KnownPayment } from "./history.ts";
import type { Candidate } from "./judged.ts";
import { leftOf } from "./left.ts";
import { Earned, type EarnedBefore, isWithinLimit, together } from "./limit.ts";
import {
  type CustomerOutcome,
  type Explanation,
  type NoCommissionReason,
  type PaymentOutcome,
  referenceOf,
} from "./outcome.ts";
import { linesOf } from "./products.ts";
import { type Happening, Referrals, type SettledReferral } from "./referrals.ts";
import { type Relations, relate } from "./related.ts";
import { effectiveSince, isCustomerBefore, isSignUp } from "./sign-ups.ts";
import type { StoredEvent } from "./stored-event.ts";
import { takenBackAt } from "./taken-back.ts";
import type { JudgedAffiliate } from "./terms.ts";

const UNKNOWN_PAYMENT: KnownPayment = {
  decided_first_at: null,
  referral_id: null,
  correction: null,
  has_other_commission: false,
};

/**
 * What becomes of a customer: the referrals that its checkouts and payments make, and what each payment earns.
 * Everything is gone through in the order of the processors' clocks, so it depends on what was told and not
 * on the order of the telling.
 */
export function settleCustomer(history: CustomerHistory): CustomerOutcome {
  const relations = relate(history.events);
  const settling = new Settling(history, relations);
  const events = [...history.events, ...relations.charge_payments];
  for (const timed of inOrder(events, relations.relatedTo)) settling.take(timed);
  return settling.finish();
}

/** What bears upon one payment. */
interface Considered {
  stored: StoredEvent;
  payment: PaymentMade;
  referral: SettledReferral | null;
  affiliate: JudgedAffiliate | undefined;
  before: EarnedBefore;
  known: KnownPayment;
}

/** One customer's way through its events. */
class Settling {
  readonly #history: CustomerHistory;
  readonly #relations: Relations;
  readonly #referrals: Referrals;
  readonly #payments: PaymentOutcome[] = [];
  readonly #earned = new Map<SettledReferral, Earned>();
  /** Candidates that were passed over so far, and why the last of them was. */
  #passed_over: CandidateResult[] = [];
  #refusal: Refusal | "no_email" | "paid_before_referral" | null = null;
  /** When the customer first paid money without a referral. */
  #unreferred_since: Date | null = null;

  constructor(history: CustomerHistory, relations: Relations) {
    this.#history = history;
    this.#relations = relations;
    this.#referrals = new Referrals(history, relations);
  }

  finish(): CustomerOutcome {
    return { ...this.#referrals.outcomes(), payments: this.#payments };
  }

  take(timed: Timed): void {
    const { happening, at } = timed;
    const { event } = happening;
    const referral = this.#referralOf(timed);
    if (referral !== null) this.#referrals.know(referral, happening, at);
    if (event.kind === "payment") this.#payments.push(this.#decide(happening, event, referral));
    if (event.kind === "payment" && referral === null) this.#noteUnreferred(event);
  }

  #referralOf(timed: Timed): SettledReferral | null {
    const { happening, at } = timed;
    const found = this.#ownBefore(timed) ?? this.#referrals.find(happening, at);
    if (found === null) return this.#bind(timed);
    if (found.is_weak && !isSignUp(happening)) return this.#confirm(timed, found);
    if (found.is_weak && happening.event.at < found.signup_date) this.#reassign(timed, found);
    this.#noteLost(timed, found);
    return found;
  }

  /** A customer whose referral only lacks an email was referred nevertheless. */
  #noteUnreferred({ revenue_minor, paid_at }: PaymentMade): void {
    if (revenue_minor > 0n && this.#refusal !== "no_email") this.#unreferred_since ??= paid_at;
  }

  /** A referral by hand that a payment was of before, whatever was changed in it since. */
  #ownBefore({ happening }: Timed): SettledReferral | null {
    const known = this.#history.payments.get(referenceOf(happening));
    return known === undefined || known.referral_id === null
      ? null
      : this.#referrals.byHand(known.referral_id);
  }

  #candidatesOf({ happening, brought_by }: Timed): readonly Candidate[] {
    const { candidatesOf } = this.#history;
    return only(brought_by, eachOnce(this.#evidence(happening).flatMap((stored) => candidatesOf(stored))));
  }

  #unknownOf({ happening, brought_by }: Timed): CandidateResult[] {
    const { unknownOf } = this.#history;
    return unknown(
      only(brought_by, eachOnce(this.#evidence(happening).flatMap((stored) => unknownOf(stored)))),
    );
  }

  /** An event, and of a payment its charges: a backend may put the click id into the payment intent's metadata. */
  #evidence(happening: Happening): StoredEvent[] {
    const charges = happening.event.kind === "payment" ? this.#relations.chargesOf(happening) : [];
    return [happening, ...charges];
  }

  /** Makes a referral if an affiliate brought the customer. */
  #bind(timed: Timed): SettledReferral | null {
    const { happening, at } = timed;
    if (this.#referrals.hasOwnLater(happening, at)) {
      this.#refusal = "paid_before_referral";
      this.#passOver(timed, lost(this.#candidatesOf(timed)));
      return null;
    }
    const email = this.#referrals.emailOf(happening, at);
    const { winner, refusal, results } = this.#attribute(timed);
    this.#passOver(timed, results);
    this.#refusal = refusal ?? this.#refusal;
    if (winner === null) return null;
    if (email === null) {
      this.#refusal = "no_email";
      return null;
    }
    return this.#referrals.bind({
      email,
      customer_id: happening.event.customer_id,
      winner,
      by: referenceOf(happening),
      at,
      signup_date: isSignUp(happening) ? happening.event.at : at,
      is_weak: isSignUp(happening),
      candidates: [...this.#passed_over],
    });
  }

  /** `own` is the referral that the event is of already. */
  #attribute(timed: Timed, own: SettledReferral | null = null): Attribution {
    const { happening, at } = timed;
    return attribute(this.#candidatesOf(timed), {
      at: isSignUp(happening) ? happening.event.at : at,
      email: this.#referrals.emailOf(happening, at),
      affiliateOf: (id) => this.#affiliateOf(happening, id),
      paidBefore: (moment) => this.#unreferred_since !== null && this.#unreferred_since < moment,
      is_customer: isSignUp(happening) && this.#isCustomerBefore(effectiveSince(happening.event), own),
    });
  }

  #isCustomerBefore(moment: Date, own: SettledReferral | null): boolean {
    return isCustomerBefore(this.#history.events, moment) || this.#referrals.isReferredBefore(moment, own);
  }

  /**
   * A checkout or payment of a customer that a page's sign-up referred: a promo code or click in it is stronger, and
   * takes the referral to its affiliate. Without one, the sign-up's affiliate keeps the customer for good.
   */
  #confirm(timed: Timed, referral: SettledReferral): SettledReferral | null {
    const { happening, at } = timed;
    const by = referral.bound_by;
    if (by !== null && this.#referrals.hasManualCommission(by, at)) {
      referral.is_weak = false;
      this.#noteLost(timed, referral);
      return referral;
    }
    const { winner, refusal, results } = this.#attribute(timed);
    this.#passed_over = this.#passed_over.map(superseded);
    this.#passOver(timed, results);
    if (refusal === "self_referral") {
      this.#refusal = refusal;
      this.#referrals.drop(referral);
      return null;
    }
    if (winner === null) {
      referral.candidates = withResults(referral.candidates, [...results, ...this.#unknownOf(timed)]);
    } else {
      referral.affiliate_id = winner.affiliate_id;
      referral.candidates = [...this.#passed_over];
    }
    // A customer's record is no sale: without evidence of its own it confirms nothing.
    if (winner === null && happening.event.kind === "customer") return referral;
    referral.is_weak = false;
    referral.bound_by = referenceOf(happening);
    referral.since = at;
    return referral;
  }

  /**
   * A sign-up that was reported before the one that made a referral: the referral is its affiliate's. Otherwise anyone
   * could report the sign-ups of others again, with a click older than theirs.
   */
  #reassign(timed: Timed, referral: SettledReferral): void {
    const { winner, results } = this.#attribute(timed, referral);
    if (winner === null) return;
    this.#passed_over = this.#passed_over.map(superseded);
    this.#passOver(timed, results);
    referral.affiliate_id = winner.affiliate_id;
    referral.bound_by = referenceOf(timed.happening);
    referral.since = timed.at;
    referral.signup_date = timed.happening.event.at;
    referral.candidates = [...this.#passed_over];
  }

  #passOver(timed: Timed, results: readonly CandidateResult[]): void {
    this.#passed_over = withResults(this.#passed_over, [...results, ...this.#unknownOf(timed)]);
  }

  /** The existing referral wins against affiliates who bring the customer later. */
  #noteLost(timed: Timed, referral: SettledReferral): void {
    const unknown_ones = this.#unknownOf(timed);
    const others = this.#candidatesOf(timed).filter(
      ({ affiliate_id }) => affiliate_id !== referral.affiliate_id,
    );
    if (others.length + unknown_ones.length === 0) return;
    referral.candidates = withOthers(referral.candidates, [...lost(others), ...unknown_ones]);
  }

  #affiliateOf({ judged }: StoredEvent, id: string): JudgedAffiliate | undefined {
    return judged.affiliates.find(({ affiliate_id }) => affiliate_id === id) ?? this.#history.affiliateOf(id);
  }

  #decide(stored: StoredEvent, payment: PaymentMade, referral: SettledReferral | null): PaymentOutcome {
    const reference = referenceOf(stored);
    const known = this.#history.payments.get(reference) ?? UNKNOWN_PAYMENT;
    const affiliate = referral === null ? undefined : this.#affiliateOf(stored, referral.affiliate_id);
    const before = this.#earnedBefore(referral, payment, known);
    const base: PaymentOutcome = {
      reference,
      processor: stored.processor,
      payment,
      outcome: "no_referral",
      referral,
      affiliate: affiliate ?? null,
      commission_minor: 0n,
      taken_back_minor: takenBackAt(payment, this.#relations.takenBackOf(stored), null),
      remaining: null,
      explanation: {
        candidates: [...(referral?.candidates ?? this.#passed_over)],
        earned_before: before.number,
        steps: [],
        exact: null,
      },
    };
    const considered = { stored, payment, referral, affiliate, before, known };
    const refusal = this.#refuse(considered);
    return refusal === null ? this.#earn(base, considered) : { ...base, outcome: refusal };
  }

  /** Why a payment earns nothing, whatever the rates are. */
  #refuse({ stored, payment, referral, affiliate, before, known }: Considered): NoCommissionReason | null {
    if (known.has_other_commission) return "commission_exists";
    if (payment.revenue_minor <= 0n) return "nothing_paid";
    if (referral === null || affiliate === undefined) return this.#refusal ?? "no_referral";
    if (affiliate.banned) return "affiliate_banned";
    if (!affiliate.approved) return "affiliate_unapproved";
    const happening = { ...stored, event: payment };
    const email = this.#referrals.emailOf(happening, payment.paid_at) ?? referral.email;
    if (isSameAddress(email, affiliate.email)) return "self_referral";
    if (affiliate.terms.skip_prorations && payment.is_proration === true) return "proration";
    return isWithinLimit(affiliate.terms.limit, before, payment.paid_at) ? null : "limit_reached";
  }

  #earn(
    base: PaymentOutcome,
    { stored, payment, referral, affiliate, before, known }: Considered,
  ): PaymentOutcome {
    if (referral === null || affiliate === undefined) return base;
    const lines = linesOf(payment, this.#relations.productsOf(stored));
    const earned = earn(
      { ...payment, lines },
      {
        terms: affiliate.terms,
        is_first: before.number === 0,
        fixed_currency: this.#history.currency,
      },
    );
    const explanation: Explanation = { ...base.explanation, steps: earned.steps };
    // It will earn: the payments after it are judged as they will be when its products are known.
    if (earned.outcome === "products_unknown") this.#earnedOf(referral).add(payment.paid_at, null);
    if (earned.outcome !== "commission") return { ...base, outcome: earned.outcome, explanation };
    const { commission_minor, exact } = earned;
    const facts = this.#relations.takenBackOf(stored);
    const leftAt = (moment: Date | null) =>
      leftOf(
        { ...payment, commission_minor },
        { correction: known.correction, moment, taken_back_minor: takenBackAt(payment, facts, moment) },
      );
    const is_lasting = known.correction === null && Object.values(facts).every((parts) => parts.length === 0);
    const countsAt = is_lasting ? null : (moment: Date) => leftAt(moment) !== null;
    this.#earnedOf(referral).add(payment.paid_at, countsAt);
    return {
      ...base,
      outcome: "commission",
      commission_minor,
      remaining: leftAt(null),
      explanation: { ...explanation, exact },
    };
  }

  #earnedOf(referral: SettledReferral): Earned {
    const known = this.#earned.get(referral) ?? new Earned();
    this.#earned.set(referral, known);
    return known;
  }

  /**
   * The referral's commissions before a payment. Of those made by hand only what was there when the payment was
   * decided first: a later one changes no earlier decision.
   */
  #earnedBefore(
    referral: SettledReferral | null,
    { paid_at }: PaymentMade,
    { decided_first_at }: KnownPayment,
  ): EarnedBefore {
    if (referral === null) return new Earned();
    const by_hand = new Earned();
    for (const one of this.#history.manual_commissions) {
      if (one.referral_id !== referral.id || one.referral_date > paid_at) continue;
      if (decided_first_at !== null && one.created_at > decided_first_at) continue;
      const { voided_at } = one;
      by_hand.add(one.referral_date, voided_at === null ? null : (moment) => moment < voided_at);
    }
    return together(this.#earnedOf(referral), by_hand);
  }
}

/** A sign-up's candidate that had won until stronger evidence came. */
function superseded(candidate: CandidateResult): CandidateResult {
  return candidate.result === "won" ? { ...candidate, result: "lost" } : candidate;
}

/** Those that one entry of a customer's record names; null: all. */
function only<One extends NamedCandidate>(reference: string | null, all: readonly One[]): readonly One[] {
  return reference === null ? all : all.filter((one) => one.reference === reference);
}
