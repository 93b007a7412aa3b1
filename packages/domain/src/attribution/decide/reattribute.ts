import { type FactReference, referenceOf } from "../facts/fact-names.ts";
import { eachOnce, type NamedCandidate, namesAnybody } from "../facts/named-candidates.ts";
import type { OverrideFact, PaymentMade } from "../facts/payment-fact.ts";
import { type Relations, relate } from "../facts/relate.ts";
import {
  type AffiliateSnapshot,
  affiliateFor,
  type Candidate,
  type StoredFact,
} from "../facts/stored-fact.ts";
import {
  chronological,
  customerSince,
  effectiveSince,
  isSignUp,
  type TimedTouch,
  type Touch,
} from "../facts/touches.ts";
import {
  type Attribution,
  attribute,
  type CandidateResult,
  lost,
  markReplaced,
  unknown,
  withOthers,
  withResults,
} from "./attribute.ts";
import type { CustomerHistory } from "./history.ts";
import type { CustomerOutcome, PaymentOutcome } from "./outcome.ts";
import { Overrides } from "./overrides.ts";
import { PaymentDecider } from "./payment-decider.ts";
import { type AttributedReferral, type AttributedTouch, creatorsOfNamed, Referrals } from "./referrals.ts";

/**
 * Attributes all of a customer's touches again, and then decides each payment. Touches are ordered by the processors'
 * clocks, so the outcome does not depend on the order in which reports arrive.
 *
 * Decisions come second, because they need the stored rows of the referrals: manual commissions name these.
 */
export function reattributeCustomer(history: CustomerHistory): CustomerOutcome {
  const overrides = overridesOf(history.facts, history.relations);
  const { referrals, paid, outcomes } = attributeNamed(history, overrides);
  const decider = new PaymentDecider(history, { referrals, overrides });
  const payments: PaymentOutcome[] = paid.map(({ touch, payment, attributed }) =>
    decider.decide(touch, payment, attributed),
  );
  return { ...outcomes, payments, moved: decider.moved(), overrides };
}

/** People's decisions about a customer with these facts; null: none. */
export function overridesOf(facts: readonly StoredFact[], relations?: Relations): Overrides | null {
  const people = facts.filter(isOverride);
  return people.length === 0 ? null : new Overrides(people, relations ?? relate(facts));
}

/**
 * Attributes all touches. Names that a person gave to a referral count since the fact that created it. If another fact
 * creates it now, attributes once more with the names there: otherwise only the next report would find them.
 */
function attributeNamed(history: CustomerHistory, overrides: Overrides | null): NamedTouches {
  const attributeAll = (known: CustomerHistory): NamedTouches => {
    const attributed =
      overrides === null ? attributeTouches(known, NO_CREDITS) : attributeCredited(known, overrides);
    return { ...attributed, outcomes: attributed.referrals.outcomes(overrides?.movedTo() ?? null) };
  };
  const first = attributeAll(history);
  const creators = creatorsOfNamed(history.referrals, first.outcomes.referrals);
  if (creators.size === 0) return first;
  const referrals = history.referrals.map((known) => {
    return { ...known, attributed_by: creators.get(known.id) ?? known.attributed_by };
  });
  return attributeAll({ ...history, referrals });
}

type Credits = ReadonlyMap<FactReference, StoredFact<OverrideFact>>;

const NO_CREDITS: Credits = new Map();

interface AttributedTouches {
  referrals: Referrals;
  paid: { touch: Touch; payment: PaymentMade; attributed: AttributedTouch }[];
}

interface NamedTouches extends AttributedTouches {
  outcomes: ReturnType<Referrals["outcomes"]>;
}

/** `credits`: the credits for payments that make the customer their affiliate's. */
function attributeTouches(history: CustomerHistory, credits: Credits): AttributedTouches {
  const { relations } = history;
  const referrals = new Referrals(history);
  const attributor = new Attributor(history, { referrals, credits });
  const paid: AttributedTouches["paid"] = [];
  const facts = [...history.facts, ...relations.charge_payments];
  for (const timed of chronological(facts, relations)) {
    const attributed = attributor.take(timed);
    const { touch } = timed;
    if (touch.fact.kind !== "payment") continue;
    // Later touches add candidates to the referral's own list.
    const candidates = [...attributed.candidates];
    paid.push({ touch, payment: touch.fact, attributed: { ...attributed, candidates } });
  }
  return { referrals, paid };
}

/**
 * The same with the payments that people credited. Such a payment is of its customer's referral, also a later one. A
 * customer without any becomes the affiliate's, from the payment on.
 */
function attributeCredited(history: CustomerHistory, overrides: Overrides): AttributedTouches {
  const first = attributeTouches(history, NO_CREDITS);
  const credits = findReferrals(first, overrides);
  if (credits.size === 0) return first;
  const second = attributeTouches(history, credits);
  findReferrals(second, overrides);
  return second;
}

/** Gives credited payments later referrals of their customer; returns the credits of those that have none. */
function findReferrals({ referrals, paid }: AttributedTouches, overrides: Overrides): Credits {
  const credits = new Map<FactReference, StoredFact<OverrideFact>>();
  for (const { touch, payment, attributed } of paid) {
    if (attributed.referral !== null) continue;
    const credit = overrides.creditOf({ ...touch, fact: payment });
    if (credit === null) continue;
    attributed.referral = referrals.findLater(touch, payment.paid_at);
    if (attributed.referral === null) credits.set(referenceOf(touch), credit);
  }
  return credits;
}

function isOverride(stored: StoredFact): stored is StoredFact<OverrideFact> {
  return stored.fact.kind === "override";
}

/** Attributes one customer's touches, oldest first, and creates their referrals. */
class Attributor {
  readonly #history: CustomerHistory;
  readonly #referrals: Referrals;
  readonly #credits: Credits;
  readonly #evidence: Evidence;
  /** When the customer first appears in a payment, subscription or checkout. */
  readonly #customer_since: Date | null;
  /** Candidates rejected so far. */
  #passed_over: CandidateResult[] = [];
  /** Why the last of them was rejected. */
  #rejection: AttributedTouch["rejection"] = null;
  /** When the customer first paid without a referral. */
  #unreferred_since: Date | null = null;

  constructor(history: CustomerHistory, { referrals, credits }: { referrals: Referrals; credits: Credits }) {
    this.#history = history;
    this.#referrals = referrals;
    this.#credits = credits;
    this.#evidence = new Evidence(history);
    this.#customer_since = customerSince(history.facts);
  }

  take(timed: TimedTouch): AttributedTouch {
    const { touch, at } = timed;
    const referral = this.#referralOf(timed);
    if (referral !== null) this.#referrals.know(referral, touch, at);
    if (touch.fact.kind === "payment" && referral === null) this.#noteUnreferred(touch.fact);
    return { referral, rejection: this.#rejection, candidates: referral?.candidates ?? this.#passed_over };
  }

  #referralOf(timed: TimedTouch): AttributedReferral | null {
    const { touch, at } = timed;
    const found = this.#ownBefore(timed) ?? this.#referrals.find(touch, at);
    if (found === null) return this.#bind(timed) ?? this.#credit(timed);
    if (found.is_weak && !isSignUp(touch)) return this.#confirm(timed, found);
    if (found.is_weak && touch.fact.at < found.signup_date) this.#reassign(timed, found);
    this.#noteLost(timed, found);
    return found;
  }

  /** If only the email is missing, the customer still counts as referred. */
  #noteUnreferred({ revenue_minor, paid_at }: PaymentMade): void {
    if (revenue_minor > 0n && this.#rejection !== "no_email") this.#unreferred_since ??= paid_at;
  }

  /** The manual referral of an earlier decision about the payment, also after changes of it. */
  #ownBefore({ touch }: TimedTouch): AttributedReferral | null {
    const known = this.#history.payments.get(referenceOf(touch));
    return known === undefined || known.referral_id === null
      ? null
      : this.#referrals.manual(known.referral_id);
  }

  /** Creates a referral if an affiliate referred the customer. */
  #bind(timed: TimedTouch): AttributedReferral | null {
    const { touch, at } = timed;
    if (this.#referrals.findLater(touch, at) !== null) {
      this.#rejection = "paid_before_referral";
      this.#passOver(timed, lost(this.#evidence.candidatesOf(timed)));
      return null;
    }
    const email = this.#referrals.emailOf(touch, at);
    const { winner, rejection, results } = this.#attribute(timed);
    this.#passOver(timed, results);
    // Another affiliate's rejection is no reason, if a customer would be referred as soon as an email is known.
    const lacks_email = email === null && this.#rejection === "no_email";
    if (!lacks_email) this.#rejection = rejection ?? this.#rejection;
    if (winner === null) return null;
    if (email === null) {
      this.#rejection = "no_email";
      return null;
    }
    return this.#referrals.bind({
      email,
      customer_id: touch.fact.customer_id,
      affiliate_id: winner.affiliate_id,
      by: referenceOf(touch),
      at,
      signup_date: isSignUp(touch) ? touch.fact.at : at,
      is_weak: isSignUp(touch),
      candidates: [...this.#passed_over],
    });
  }

  /**
   * Makes the customer of a credited payment the affiliate's. If a person named an email that the payment lacks, the payment is of the
   * referral with that email: no two have the same.
   */
  #credit(timed: TimedTouch): AttributedReferral | null {
    const { touch, at } = timed;
    const credit = this.#credits.get(referenceOf(touch));
    const email = this.#referrals.emailOf(touch, at) ?? credit?.fact.email ?? null;
    if (credit === undefined || email === null || credit.fact.affiliate_id === null) return null;
    const known = this.#referrals.ofEmail(email);
    if (known !== null) return known.is_weak ? this.#confirm(timed, known) : known;
    return this.#referrals.bind({
      email,
      customer_id: touch.fact.customer_id,
      affiliate_id: credit.fact.affiliate_id,
      by: referenceOf(credit),
      at,
      signup_date: at,
      is_weak: false,
      candidates: [...this.#passed_over],
    });
  }

  /** `own` is the referral that the touch already has. */
  #attribute(timed: TimedTouch, own: AttributedReferral | null = null): Attribution {
    const { touch, at } = timed;
    return attribute(this.#evidence.candidatesOf(timed), {
      at: isSignUp(touch) ? touch.fact.at : at,
      email: this.#referrals.emailOf(touch, at),
      affiliateOf: (id) => this.#evidence.affiliateFor(timed, id),
      paidBefore: (moment) => this.#unreferred_since !== null && this.#unreferred_since < moment,
      is_customer: isSignUp(touch) && this.#isCustomerBefore(effectiveSince(touch.fact), own),
    });
  }

  /**
   * Whether a payment, subscription, checkout or other referral is older than the given time. Anyone with a publishable
   * key and a recent click can report sign-ups, so an existing customer cannot be referred by one.
   */
  #isCustomerBefore(moment: Date, own: AttributedReferral | null): boolean {
    const is_known = this.#customer_since !== null && this.#customer_since < moment;
    return is_known || this.#referrals.isReferredBefore(moment, own);
  }

  /**
   * Handles a checkout or payment of a customer referred by a page's sign-up. A promo code or click in it is stronger
   * evidence and moves the referral to its affiliate. Without one, the sign-up's affiliate keeps the customer
   * permanently.
   */
  #confirm(timed: TimedTouch, referral: AttributedReferral): AttributedReferral | null {
    const { touch, at } = timed;
    const by = referral.attributed_by;
    if (by !== null && this.#referrals.hasManualCommission(by, at)) {
      referral.is_weak = false;
      this.#noteLost(timed, referral);
      return referral;
    }
    const { winner, rejection, results } = this.#attribute(timed);
    this.#passed_over = this.#passed_over.map(markReplaced);
    this.#passOver(timed, results);
    if (rejection === "self_referral") {
      this.#rejection = rejection;
      this.#referrals.drop(referral);
      return null;
    }
    if (winner === null) {
      referral.candidates = withResults(referral.candidates, [
        ...results,
        ...this.#evidence.unknownOf(timed),
      ]);
    } else {
      referral.affiliate_id = winner.affiliate_id;
      referral.candidates = [...this.#passed_over];
    }
    // A customer record is not a sale, so without evidence of its own it confirms nothing.
    if (winner === null && touch.fact.kind === "customer") return referral;
    referral.is_weak = false;
    referral.attributed_by = referenceOf(touch);
    referral.since = at;
    return referral;
  }

  /**
   * A sign-up that was reported before the one that created a referral moves the referral to its affiliate. Otherwise
   * anyone could report another affiliate's sign-ups again with an older click.
   */
  #reassign(timed: TimedTouch, referral: AttributedReferral): void {
    const { winner, results } = this.#attribute(timed, referral);
    if (winner === null) return;
    this.#passed_over = this.#passed_over.map(markReplaced);
    this.#passOver(timed, results);
    referral.affiliate_id = winner.affiliate_id;
    referral.attributed_by = referenceOf(timed.touch);
    referral.since = timed.at;
    referral.signup_date = timed.touch.fact.at;
    referral.candidates = [...this.#passed_over];
  }

  #passOver(timed: TimedTouch, results: readonly CandidateResult[]): void {
    this.#passed_over = withResults(this.#passed_over, [...results, ...this.#evidence.unknownOf(timed)]);
  }

  /** The existing referral wins against affiliates who refer the customer later. */
  #noteLost(timed: TimedTouch, referral: AttributedReferral): void {
    const unknown_ones = this.#evidence.unknownOf(timed);
    const others = this.#evidence
      .candidatesOf(timed)
      .filter(({ affiliate_id }) => affiliate_id !== referral.affiliate_id);
    if (others.length + unknown_ones.length === 0) return;
    referral.candidates = withOthers(referral.candidates, [...lost(others), ...unknown_ones]);
  }
}

/** The candidates that one customer's touches name. */
class Evidence {
  readonly #history: CustomerHistory;
  /** Most customers' facts name nobody. */
  readonly #is_none: boolean;

  constructor(history: CustomerHistory) {
    this.#history = history;
    this.#is_none = !history.facts.some(namesAnybody);
  }

  /** Candidates with an affiliate. */
  candidatesOf(timed: TimedTouch): readonly Candidate[] {
    return this.#collect(timed, this.#history.candidatesOf);
  }

  /** Codes and clicks without an affiliate. */
  unknownOf(timed: TimedTouch): CandidateResult[] {
    return unknown(this.#collect(timed, this.#history.unknownOf));
  }

  #collect<One extends NamedCandidate>(
    { touch, referral_source }: TimedTouch,
    namedBy: (stored: StoredFact) => readonly One[],
  ): readonly One[] {
    if (this.#is_none) return [];
    const all = eachOnce(this.#sourcesOf(touch).flatMap(namedBy));
    return referral_source === null ? all : all.filter(({ reference }) => reference === referral_source);
  }

  /** The settings of an affiliate that counted when the touch was first processed. */
  affiliateFor({ touch }: TimedTouch, id: string): AffiliateSnapshot | undefined {
    const affiliates = this.#sourcesOf(touch).flatMap(({ snapshot }) => snapshot.affiliates);
    return affiliateFor({ affiliates }, id, this.#history.affiliateOf);
  }

  /** The facts that name a touch's candidates. */
  #sourcesOf(touch: Touch): readonly StoredFact[] {
    const { chargesOf, checkoutOf, discountsOf } = this.#history.relations;
    // A backend may put the click id into the payment intent's metadata.
    if (touch.fact.kind === "payment") return [touch, ...chargesOf(touch)];
    // A checkout and the discounts used in it decide alike: otherwise a discount's code alone would change the reason.
    const checkout = checkoutOf(touch) ?? touch;
    return [checkout, ...discountsOf(checkout)];
  }
}
