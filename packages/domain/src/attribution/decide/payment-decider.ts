import type { ExchangeRates } from "../../exchange-rates/convert.ts";
import { groupBy } from "../../group-by.ts";
import { isSameAddress } from "../facts/emails.ts";
import { referenceOf } from "../facts/fact-names.ts";
import type { PaymentMade } from "../facts/payment-fact.ts";
import { linesOf } from "../facts/products.ts";
import { type CommissionAmounts, reversedAmountAt } from "../facts/refunds.ts";
import type { Relations } from "../facts/relate.ts";
import {
  type AffiliateSnapshot,
  affiliateFor,
  ruleSetsAt,
  type StoredFact,
  tierAt,
} from "../facts/stored-fact.ts";
import type { Touch } from "../facts/touches.ts";
import { earn, manualLeft, netCommission } from "./earn.ts";
import type { CustomerHistory, KnownPayment, ManualCommission, ReversedPayment } from "./history.ts";
import { combineEarnings, Earned, type EarnedBefore, isWithinLimit } from "./limit.ts";
import type { Explanation, ManualOutcome, NoCommissionReason, PaymentOutcome } from "./outcome.ts";
import { movedTo, type Overrides, type PaymentOverrides } from "./overrides.ts";
import type { AttributedReferral, AttributedTouch, Referrals } from "./referrals.ts";
import { type RuledPayment, type RuleLists, rulesOf } from "./rules.ts";
import { findSignals, type Observations } from "./signals.ts";

const UNKNOWN_PAYMENT: KnownPayment = {
  decided_first_at: null,
  referral_id: null,
  commission_id: null,
  correction: null,
  manual: null,
  repeated: [],
  kept_by: null,
  has_other_commission: false,
};

/** The outcomes of payments that earn as soon as missing data arrives. */
const WAITING: ReadonlySet<string> = new Set(["products_unknown", "exchange_rate_missing"]);

/** The fields of a payment that only lists of rules ask for. */
const NOT_ASKED = { country: null, metadata: {}, promo_codes: [] };

/** The facts that decide about one payment. */
interface Considered {
  touch: Touch;
  payment: PaymentMade;
  attributed: AttributedTouch;
  affiliate: AffiliateSnapshot | undefined;
  before: EarnedBefore;
  known: KnownPayment;
  overrides: PaymentOverrides | null;
}

/** Decides each payment of one customer, oldest first: its commission, or why it earns none. */
export class PaymentDecider {
  readonly #history: CustomerHistory;
  readonly #relations: Relations;
  readonly #referrals: Referrals;
  /** Null: nobody decided about the customer. */
  readonly #overrides: Overrides | null;
  readonly #earned = new Map<AttributedReferral, Earned>();
  /** Payments that rules gave nothing. */
  readonly #excluded = new Map<AttributedReferral, Earned>();
  readonly #manual: ReadonlyMap<string, ManualCommission[]>;
  /** The payments that have a manual commission, by the commission. */
  readonly #of_manual: ReadonlyMap<string, StoredFact<PaymentMade>>;

  constructor(
    history: CustomerHistory,
    { referrals, overrides }: { referrals: Referrals; overrides: Overrides | null },
  ) {
    this.#history = history;
    this.#relations = history.relations;
    this.#referrals = referrals;
    this.#overrides = overrides;
    this.#manual = groupBy(history.manual_commissions, ({ referral_id }) => referral_id);
    this.#of_manual = new Map(
      history.manual_commissions.length === 0
        ? []
        : history.relations.payments.flatMap((payment) => {
            const manual = history.payments.get(referenceOf(payment))?.manual;
            return manual ? [[manual.id, payment] as const] : [];
          }),
    );
  }

  decide(touch: Touch, payment: PaymentMade, attributed: AttributedTouch): PaymentOutcome {
    const { referral, candidates } = attributed;
    const reference = referenceOf(touch);
    const known = this.#history.payments.get(reference) ?? UNKNOWN_PAYMENT;
    const overrides = this.#overrides?.of({ ...touch, fact: payment }, known.commission_id) ?? null;
    const affiliate_id = overrides?.affiliate_id ?? referral?.affiliate_id;
    const affiliate =
      referral === null || affiliate_id === undefined
        ? undefined
        : this.#affiliateOf(affiliate_id, touch, payment);
    const before = this.#earnedBefore(referral, payment, known);
    const base: PaymentOutcome = {
      reference,
      processor: touch.processor,
      payment,
      outcome: "no_referral",
      referral,
      affiliate: affiliate ?? null,
      commission_minor: 0n,
      reversed_minor: reversedAmountAt(payment, this.#relations.reversalsOf(touch), null),
      netAmounts: null,
      manual:
        known.manual &&
        this.#manualOutcome(known.manual, manualLeft(known.manual, this.#reversed(touch, payment), null)),
      explanation: {
        candidates: [...candidates],
        earned_before: before.number,
        steps: [],
        exact: null,
        ...(overrides !== null && { override: overrides.applied }),
      },
      observed: null,
    };
    const considered = { touch, payment, attributed, affiliate, before, known, overrides };
    const reason = this.#refuse(considered);
    if (reason !== null) return { ...base, outcome: reason };
    const suspected = this.#suspect(base, considered);
    const is_refused = suspected.explanation.signals?.some(({ action }) => action === "refuse");
    return is_refused ? { ...suspected, outcome: "refused_by_signal" } : this.#earn(suspected, considered);
  }

  /** Adds the payment's signals of fraud. A person who credited it has decided about them. */
  #suspect(
    base: PaymentOutcome,
    { touch, payment, attributed: { referral, candidates }, affiliate, overrides }: Considered,
  ): PaymentOutcome {
    if (affiliate?.terms.signals === undefined || referral === null || overrides?.is_credited) return base;
    const observed: Observations = {};
    const observe = this.#history.observeOf(affiliate.affiliate_id);
    const email = this.#referrals.emailOf(touch, payment.paid_at) ?? referral.email;
    const { signup_date: signed_up_at } = referral;
    const cards = this.#relations.cardsOf(touch);
    const signals = findSignals({ affiliate, email, signed_up_at, cards, candidates }, (key) => {
      const value = touch.snapshot.observed?.[key] ?? observe(key);
      if (value !== null) observed[key] = value;
      return value;
    });
    if (signals.length === 0) return { ...base, observed };
    return { ...base, observed, explanation: { ...base.explanation, signals } };
  }

  #affiliateOf(id: string, { snapshot }: Touch, { paid_at }: PaymentMade): AffiliateSnapshot | undefined {
    const { affiliateOf, drafted } = this.#history;
    const affiliate = affiliateFor(snapshot, id, affiliateOf);
    return affiliate === undefined || drafted === undefined ? affiliate : drafted(affiliate, paid_at);
  }

  /** The manual commissions that people moved, and that have no payment here. */
  moved(): ManualOutcome[] {
    const { manual_commissions, manual_moves, payments_of_others } = this.#history;
    if (manual_moves.length === 0) return [];
    return manual_commissions
      .filter(
        (commission) => !this.#of_manual.has(commission.id) && movedTo(commission, manual_moves) !== null,
      )
      .map((commission) => {
        const left = manualLeft(commission, payments_of_others.get(commission.id)?.decided, null);
        return this.#manualOutcome(commission, left);
      });
  }

  #manualOutcome(commission: ManualCommission, netAmounts: CommissionAmounts | null): ManualOutcome {
    const affiliate_id = movedTo(commission, this.#history.manual_moves) ?? commission.affiliate_id;
    return { commission, affiliate_id, netAmounts };
  }

  /** Why a payment earns nothing at any rate. */
  #refuse({
    touch,
    payment,
    attributed: { referral, rejection },
    affiliate,
    before,
    known,
    overrides,
  }: Considered): NoCommissionReason | null {
    const { manual, kept_by, has_other_commission } = known;
    if (manual !== null || kept_by !== null || has_other_commission) return "commission_exists";
    if (payment.revenue_minor <= 0n) return "nothing_paid";
    if (referral === null || affiliate === undefined) return rejection ?? "no_referral";
    if (overrides?.is_credited) return null;
    if (overrides?.is_stopped) return "customer_stopped";
    if (affiliate.banned) return "affiliate_banned";
    if (!affiliate.approved) return "affiliate_unapproved";
    const email = this.#referrals.emailOf(touch, payment.paid_at) ?? referral.email;
    if (isSameAddress(email, affiliate.email)) return "self_referral";
    if (affiliate.terms.skip_prorations && payment.is_proration === true) return "proration";
    return isWithinLimit(affiliate.terms.limit, before, payment.paid_at) ? null : "limit_reached";
  }

  #earn(
    base: PaymentOutcome,
    { touch, payment, attributed: { referral }, affiliate, before, known }: Considered,
  ): PaymentOutcome {
    if (referral === null || affiliate === undefined) return base;
    const lines = linesOf(payment, this.#relations.productsOf(touch));
    const lists = ruleSetsAt(affiliate, payment.paid_at).map(this.#history.ruleSetOf);
    const earned = earn(
      { ...payment, lines },
      this.#ruled({ touch, payment, referral, affiliate, before, lists }),
      {
        rules: rulesOf(affiliate.terms, lists),
        commission_cap: affiliate.terms.commission_cap,
        fixed_currency: this.#history.currency,
        exchange_rates: affiliate.terms.converts_fixed_amounts
          ? this.#exchangeRatesOf(payment, { snapshot: touch.snapshot, affiliate })
          : null,
      },
    );
    const explanation: Explanation = { ...base.explanation, steps: earned.steps };
    // It will earn: later payments are decided as they will be once its products or rates are known.
    if (WAITING.has(earned.outcome))
      this.#count({ touch, payment, known }, { referral, commission_minor: payment.revenue_minor });
    if (earned.outcome === "excluded_by_rule" || earned.outcome === "product_excluded")
      entryOf(this.#excluded, referral).add(payment.paid_at, null);
    if (earned.outcome !== "commission") return { ...base, outcome: earned.outcome, explanation };
    const { commission_minor, exact } = earned;
    const leftAt = this.#count({ touch, payment, known }, { referral, commission_minor });
    return {
      ...base,
      outcome: "commission",
      commission_minor,
      netAmounts: leftAt(null),
      explanation: { ...explanation, exact },
    };
  }

  #exchangeRatesOf(...payment: Parameters<CustomerHistory["exchangeRatesOf"]>): ExchangeRates {
    const rates = this.#history.exchangeRatesOf(...payment);
    return new Map(rates.map((rate) => [rate.currency, rate]));
  }

  /**
   * Counts a commission for later payments, unless it is void by then. Returns a function: what is left at a time (null: now), after
   * refunds, disputes and corrections.
   */
  #count(
    { touch, payment, known: { correction } }: Pick<Considered, "touch" | "payment" | "known">,
    { referral, commission_minor }: { referral: AttributedReferral; commission_minor: bigint },
  ) {
    const { revenue_minor, paid_minor } = payment;
    const facts = this.#relations.reversalsOf(touch);
    const leftAt = (moment: Date | null) => {
      const reversed_minor = reversedAmountAt(payment, facts, moment);
      return netCommission(
        { revenue_minor, commission_minor, paid_minor },
        { correction, moment, reversed_minor },
      );
    };
    const is_lasting = correction === null && Object.values(facts).every((parts) => parts.length === 0);
    this.#earnedOf(referral).add(payment.paid_at, is_lasting ? null : (at) => leftAt(at) !== null);
    return leftAt;
  }

  /** The fields of a payment that rules ask for. */
  #ruled({
    touch,
    payment,
    referral,
    affiliate,
    before,
    lists,
  }: Pick<Considered, "touch" | "payment" | "before"> & {
    referral: AttributedReferral;
    affiliate: AffiliateSnapshot;
    lists: RuleLists;
  }): RuledPayment {
    const excluded = this.#excluded.get(referral);
    const counted = excluded === undefined ? before : combineEarnings(before, excluded);
    return {
      is_first: before.number === 0,
      number: counted.number + 1,
      paid_at: payment.paid_at,
      first_at: counted.first_at,
      currency: payment.currency,
      revenue_minor: payment.revenue_minor,
      ...(lists.length === 0 ? NOT_ASKED : this.#reported(touch, payment)),
      tier: tierAt(affiliate, payment.paid_at),
      tags: affiliate.tags ?? [],
    };
  }

  /** The fields that other facts of the payment can have, too. */
  #reported(touch: Touch, payment: PaymentMade): Pick<RuledPayment, keyof typeof NOT_ASKED> {
    const evidence = this.#relations.evidenceOf(touch);
    const discounts = evidence.flatMap(this.#relations.discountsOf);
    const facts = [payment, ...evidence.map(({ fact }) => fact), ...discounts.map(({ fact }) => fact)];
    return {
      country: facts.find(({ country }) => country !== undefined)?.country ?? null,
      metadata: Object.assign({}, ...facts.map(({ metadata }) => metadata).reverse()),
      promo_codes: facts.flatMap(({ promo_codes }) =>
        promo_codes.flatMap(({ external_id, code }) => [external_id ?? [], code ?? []].flat()),
      ),
    };
  }

  #earnedOf(referral: AttributedReferral): Earned {
    return entryOf(this.#earned, referral);
  }

  /**
   * The referral's commissions before a payment. Manual ones count only if they existed when the payment was first
   * decided, so a later one changes no earlier decision.
   */
  #earnedBefore(
    referral: AttributedReferral | null,
    { paid_at }: PaymentMade,
    { decided_first_at }: KnownPayment,
  ): EarnedBefore {
    if (referral === null) return new Earned();
    const manual = new Earned();
    const all = referral.id === null ? [] : (this.#manual.get(referral.id) ?? []);
    for (const commission of all) {
      const { referral_date, created_at } = commission;
      if (referral_date > paid_at) continue;
      if (decided_first_at !== null && created_at > decided_first_at) continue;
      manual.add(referral_date, this.#manualCountsAt(commission));
    }
    return combineEarnings(this.#earnedOf(referral), manual);
  }

  /** Whether a manual commission counts at a time. Null: always. */
  #manualCountsAt(commission: ManualCommission): ((moment: Date) => boolean) | null {
    const own = this.#of_manual.get(commission.id);
    const payment =
      own === undefined ? this.#history.payments_of_others.get(commission.id) : this.#reversed(own, own.fact);
    if (payment === undefined && commission.correction?.voided !== true) return null;
    return (moment) => manualLeft(commission, payment, moment) !== null;
  }

  /** What was taken back of a payment of this customer. */
  #reversed(touch: StoredFact, payment: PaymentMade): ReversedPayment {
    const facts = this.#relations.reversalsOf(touch);
    const { paid_minor } = payment;
    return { paid_minor, reversedAt: (moment) => reversedAmountAt(payment, facts, moment) };
  }
}

function entryOf(earned: Map<AttributedReferral, Earned>, referral: AttributedReferral): Earned {
  const known = earned.get(referral) ?? new Earned();
  earned.set(referral, known);
  return known;
}
