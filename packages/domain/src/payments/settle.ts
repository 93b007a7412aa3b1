import { isSameAddress } from "../attribution/self-referral.ts";
import type { CheckoutEvent, CustomerEvent, PaymentMade } from "../processors/payment-event.ts";
import { attribute, type CandidateResult, type Refusal } from "./attribute.ts";
import { earn } from "./earn.ts";
import type { CustomerHistory, KnownPayment } from "./history.ts";
import { type EarnedBefore, isWithinLimit } from "./limit.ts";
import {
  type CustomerOutcome,
  type Explanation,
  type NoCommissionReason,
  type PaymentOutcome,
  referenceOf,
} from "./outcome.ts";
import { Referrals, type SettledReferral } from "./referrals.ts";
import { type Related, relate } from "./related.ts";
import type { StoredEvent } from "./stored-event.ts";
import { remaining, takenBackAt } from "./taken-back.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** What binds a customer or earns. */
type Told = CheckoutEvent | CustomerEvent | PaymentMade;

const UNKNOWN_PAYMENT: KnownPayment = {
  decided_first_at: null,
  correction: null,
  has_manual_commission: false,
};

/**
 * What becomes of a customer: the referrals that its checkouts and payments make, and what each payment earns.
 * Everything is gone through in the order of the processors' clocks, so it depends on what was told and not
 * on the order of the telling.
 */
export function settleCustomer(history: CustomerHistory): CustomerOutcome {
  const related = relate(history.events);
  const settling = new Settling(history, related);
  for (const { stored, at } of inOrder(history.events, related)) settling.take(stored, at);
  return settling.finish();
}

interface Timed {
  stored: StoredEvent<Told>;
  at: Date;
}

/** What stands first where times are the same: who the customer is, before what it pays. */
const ORDER = { customer: 0, checkout: 1, payment: 2 };

function inOrder(events: readonly StoredEvent[], related: (stored: StoredEvent) => Related): Timed[] {
  const timed = events.filter(isTold).map((stored) => ({ stored, at: timeOf(stored, related) }));
  return timed.sort(
    (a, b) =>
      a.at.getTime() - b.at.getTime() ||
      ORDER[a.stored.event.kind] - ORDER[b.stored.event.kind] ||
      (referenceOf(a.stored) < referenceOf(b.stored) ? -1 : 1),
  );
}

function isTold(stored: StoredEvent): stored is StoredEvent<Told> {
  return stored.event.kind in ORDER;
}

function timeOf(stored: StoredEvent<Told>, related: (stored: StoredEvent) => Related): Date {
  const { event } = stored;
  if (event.kind === "payment") return event.paid_at;
  if (event.kind === "customer") return event.created_at;
  // Whatever the clocks say, a checkout is before the payment that it ended in.
  const paid = related(stored).payments.map(({ paid_at }) => paid_at.getTime());
  return new Date(Math.min(event.opened_at.getTime(), ...paid));
}

/** One customer's way through its events. */
class Settling {
  readonly #history: CustomerHistory;
  readonly #related: (stored: StoredEvent) => Related;
  readonly #referrals: Referrals;
  readonly #payments: PaymentOutcome[] = [];
  readonly #earned = new Map<SettledReferral, EarnedBefore[]>();
  /** Why candidates of the customer were passed over so far. */
  readonly #passed_over: CandidateResult[] = [];
  #refusal: Refusal | "no_email" | "paid_before_referral" | null = null;

  constructor(history: CustomerHistory, related: (stored: StoredEvent) => Related) {
    this.#history = history;
    this.#related = related;
    this.#referrals = new Referrals(history);
  }

  finish(): CustomerOutcome {
    return { referrals: this.#referrals.outcomes(), payments: this.#payments };
  }

  take(stored: StoredEvent<Told>, at: Date): void {
    const { event } = stored;
    const known = this.#referrals.find(event, at);
    if (known !== null) this.#noteLost(stored, known);
    const referral = known ?? this.#bind(stored, at);
    if (referral !== null) this.#referrals.know(referral, event);
    if (event.kind === "payment") this.#payments.push(this.#decide(stored, event, referral));
  }

  /** Makes a referral if an affiliate brought the customer. */
  #bind(stored: StoredEvent<Told>, at: Date): SettledReferral | null {
    const { event } = stored;
    if (this.#referrals.hasOwnLater(event)) {
      this.#refusal ??= "paid_before_referral";
      return null;
    }
    const email = this.#referrals.emailOf(event);
    const { winner, refusal, results } = attribute(this.#history.candidatesOf(stored), {
      at,
      email,
      affiliateOf: (id) => this.#affiliateOf(stored, id),
    });
    this.#passed_over.push(...results);
    this.#refusal ??= refusal;
    if (winner === null) return null;
    if (email === null) {
      this.#refusal ??= "no_email";
      return null;
    }
    return this.#referrals.bind({
      email,
      customer_id: event.customer_id,
      winner,
      by: referenceOf(stored),
      at,
      candidates: [...this.#passed_over],
    });
  }

  /** Whoever else brings a customer later has lost to the referral that there is. */
  #noteLost(stored: StoredEvent, { affiliate_id: winner, candidates }: SettledReferral): void {
    for (const { source, reference, affiliate_id } of this.#history.candidatesOf(stored)) {
      if (affiliate_id === winner || candidates.some((one) => one.reference === reference)) continue;
      candidates.push({ source, reference, affiliate_id, result: "lost" });
    }
  }

  #affiliateOf({ judged }: StoredEvent, id: string): JudgedAffiliate | undefined {
    return judged.affiliates.find(({ affiliate_id }) => affiliate_id === id) ?? this.#history.affiliateOf(id);
  }

  #decide(stored: StoredEvent<Told>, payment: PaymentMade, referral: SettledReferral | null): PaymentOutcome {
    const reference = referenceOf(stored);
    const known = this.#history.payments.get(reference) ?? UNKNOWN_PAYMENT;
    const affiliate = referral === null ? undefined : this.#affiliateOf(stored, referral.affiliate_id);
    const before = referral === null ? [] : this.#earnedBefore(referral, payment, known);
    const base: PaymentOutcome = {
      reference,
      processor: stored.processor,
      payment,
      outcome: "no_referral",
      referral,
      affiliate: affiliate ?? null,
      commission_minor: 0n,
      taken_back_minor: takenBackAt(payment, this.#related(stored), null),
      remaining: null,
      explanation: {
        candidates: [...(referral?.candidates ?? this.#passed_over)],
        earned_before: before.length,
        steps: [],
        exact: null,
      },
    };
    const refusal = this.#refuse(payment, { referral, affiliate, before, known });
    if (refusal !== null || affiliate === undefined || referral === null) {
      return { ...base, outcome: refusal ?? "no_referral" };
    }
    return this.#earn(base, { stored, affiliate, referral, before, known });
  }

  /** Why a payment earns nothing, whatever the rates are. */
  #refuse(
    payment: PaymentMade,
    {
      referral,
      affiliate,
      before,
      known,
    }: {
      referral: SettledReferral | null;
      affiliate: JudgedAffiliate | undefined;
      before: readonly EarnedBefore[];
      known: KnownPayment;
    },
  ): NoCommissionReason | null {
    if (known.has_manual_commission) return "commission_exists";
    if (payment.revenue_minor <= 0n) return "nothing_paid";
    if (referral === null || affiliate === undefined) return this.#refusal ?? "no_referral";
    if (affiliate.banned) return "affiliate_banned";
    if (!affiliate.approved) return "affiliate_unapproved";
    const email = this.#referrals.emailOf(payment) ?? referral.email;
    if (isSameAddress(email, affiliate.email)) return "self_referral";
    return isWithinLimit(affiliate.terms.limit, before, payment.paid_at) ? null : "limit_reached";
  }

  #earn(
    base: PaymentOutcome,
    {
      stored,
      affiliate,
      referral,
      before,
      known,
    }: {
      stored: StoredEvent;
      affiliate: JudgedAffiliate;
      referral: SettledReferral;
      before: readonly EarnedBefore[];
      known: KnownPayment;
    },
  ): PaymentOutcome {
    const { payment } = base;
    const earned = earn(payment, {
      terms: affiliate.terms,
      is_first: before.length === 0,
      fixed_currency: this.#history.currency,
    });
    const explanation: Explanation = { ...base.explanation, steps: earned.steps };
    if (earned.outcome !== "commission") return { ...base, outcome: earned.outcome, explanation };
    const outcome: PaymentOutcome = {
      ...base,
      outcome: "commission",
      commission_minor: earned.commission_minor,
      explanation: { ...explanation, exact: earned.exact },
    };
    const leftAt = (moment: Date | null) =>
      left(outcome, known, takenBackAt(payment, this.#related(stored), moment));
    this.#earnedOf(referral).push({ at: payment.paid_at, countsAt: (moment) => leftAt(moment) !== null });
    return { ...outcome, remaining: leftAt(null) };
  }

  #earnedOf(referral: SettledReferral): EarnedBefore[] {
    let earned = this.#earned.get(referral);
    if (earned === undefined) {
      earned = [];
      this.#earned.set(referral, earned);
    }
    return earned;
  }

  /**
   * The referral's commissions before a payment. Of those made by hand only what was there when the payment was
   * decided first: a later one changes no earlier decision.
   */
  #earnedBefore(
    referral: SettledReferral,
    { paid_at }: PaymentMade,
    { decided_first_at }: KnownPayment,
  ): EarnedBefore[] {
    const manual = this.#history.manual_commissions.filter(
      ({ referral_id, referral_date, created_at }) =>
        referral_id === referral.id &&
        referral_date <= paid_at &&
        (decided_first_at === null || created_at <= decided_first_at),
    );
    return [
      ...this.#earnedOf(referral),
      ...manual.map(({ referral_date, voided }) => ({ at: referral_date, countsAt: () => !voided })),
    ];
  }
}

/** What is left of a commission, with what was corrected in it by hand. */
function left(
  { payment, commission_minor }: PaymentOutcome,
  { correction }: KnownPayment,
  taken_back_minor: bigint,
): PaymentOutcome["remaining"] {
  const { revenue_minor, paid_minor } = payment;
  if (correction === null)
    return remaining({ revenue_minor, commission_minor }, { paid_minor, taken_back_minor });
  if (correction.voided) return null;
  // What was taken back when it was corrected is in the corrected amounts already.
  return remaining(correction, {
    paid_minor: paid_minor - correction.taken_back_minor,
    taken_back_minor: taken_back_minor - correction.taken_back_minor,
  });
}
