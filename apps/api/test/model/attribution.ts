import { earn, type Placed } from "./amounts.ts";
import type { RateOf } from "./exchange-rates.ts";
import { type Checkout, DAY, MINUTE, type Partner, type Payment, type Terms } from "./history.ts";
import { addMonths } from "./months.ts";
import type { Overrides } from "./overrides.ts";

/*
 * Who earns for the payments of a customer, by "Attribution" and "Commission amounts" of docs/concepts.md.
 */

/** An affiliate, as it was at some time. */
export interface SetPartner extends Partner {
  banned: boolean;
  /** The changes of its tier, oldest first. */
  tiers: readonly { since: number; tier: number | null }[];
}

/** What people set, as it was at some time. */
export interface Settings {
  campaigns: readonly Terms[];
  affiliates: readonly SetPartner[];
  /** Whether fixed amounts are converted. */
  converts: boolean;
}

/** A fact, and the settings when it was first processed. */
export type Seen<Fact> = Fact & { settings: Settings };

/** A payment, the exchange rates that count for it, and the settings when it was last processed, or those when each affiliate was first found for it. */
export type SeenPayment = Seen<Payment> & { found: Map<number, Settings>; rateOf: RateOf };

/** A referral by API, or by the sign-up that a page reported. */
export interface Given {
  affiliate: number;
  /** After everything that people did before. */
  at: number;
}

/** A manual commission: of a payment or not. */
export interface Manual {
  customer: number;
  affiliate: number;
  payment: number | null;
  amount: number;
  at: number;
  /** The payments that were decided before it: it does not count for them. */
  decided: ReadonlySet<number>;
}

/** A commission that counts for first payments and limits. */
interface Earned {
  at: number;
  payment: number | null;
  /** The payments for which it does not count. */
  decided?: ReadonlySet<number>;
}

/** All that is known of a customer. */
export interface Customer {
  number: number;
  has_email: boolean;
  checkouts: readonly Seen<Checkout>[];
  payments: readonly SeenPayment[];
  /** Payments by an email before a record has it: they are no referral's, but the customer paid them. */
  too_early: ReadonlySet<number>;
  /** When trials began that are known to be the customer's. */
  trials: readonly number[];
  referral: Given | null;
  /** The first one counts. */
  sign_ups: readonly Given[];
  manual: readonly Manual[];
  overrides: Overrides;
  /** Payments that a manual commission replaced. */
  taken: ReadonlySet<number>;
  /** Whether all of a payment's commission is gone at a time. */
  isVoided: (payment: number, at: number) => boolean;
  /** The affiliates of the history's clicks. */
  clicks: readonly number[];
  currency: string;
  /** When the history started. */
  start: number;
}

export interface Decision {
  outcome: string;
  affiliate: number | null;
  amount: number;
  /** Whose terms are settled by it: the affiliate's, or those of all that the evidence so far named in vain. */
  found: readonly number[];
}

export interface Decisions {
  by_payment: Map<number, Decision>;
  /** The affiliate of the customer's referral. */
  referral: number | null;
  /** Whether the referral is of a sign-up that nothing confirmed yet. */
  is_signed_up: boolean;
  /** The affiliate of the referral, but for moves by people. */
  bound_to: number | null;
  /** What made the referral: one by API replaces others. */
  referral_by: "api" | "evidence";
  /** When the customer was referred. */
  since: number;
  /** Whether it was by API or by a sign-up. */
  is_given: boolean;
  /** Whether a credit made the customer the affiliate's. */
  is_credited: boolean;
}

/** Clicks count until then after the checkout was opened. */
const LATE_CLICK = 5 * MINUTE;
/** A referral by API covers payments since then. */
const REFERRAL_COVERS = -60 * MINUTE;

/** The decisions on all payments of a customer, in the order of the processor's clock. */
export function decide(customer: Customer): Decisions {
  const decisions = new Timeline(customer, { credits_bind: false }).decide();
  // A credit makes a customer the affiliate's only if the customer is nobody's.
  return decisions.referral === null ? new Timeline(customer, { credits_bind: true }).decide() : decisions;
}

class Timeline {
  readonly #customer: Customer;
  readonly #credits_bind: boolean;
  readonly #decisions = new Map<number, Decision>();
  readonly #earned: Earned[] = [];
  /** When payments were made that rules gave nothing. */
  readonly #excluded: number[] = [];
  #referral: number | null;
  /** The affiliate of the sign-up, until a checkout or a payment decides. */
  #signed_up: number | null = null;
  #since = Number.POSITIVE_INFINITY;
  #is_credited = false;
  /** Whether there is a sign-up of a customer with older facts. */
  #is_refused = false;
  /** Why the customer has no referral: the first objection to what the last checkout had. */
  #reason = "no_referral";
  /** The affiliates of codes, clicks and the sign-up of a customer without a referral. */
  readonly #named = new Set<number>();
  /** The first payment that no referral covered. */
  #paid_since: number | null = null;

  constructor(customer: Customer, { credits_bind }: { credits_bind: boolean }) {
    this.#customer = customer;
    this.#credits_bind = credits_bind;
    this.#referral = customer.referral?.affiliate ?? null;
    this.#since = customer.referral?.at ?? this.#since;
    this.#earned.push(...customer.manual);
  }

  decide(): Decisions {
    const { checkouts, payments } = this.#customer;
    const facts = [...checkouts, ...payments].sort((a, b) => a.at - b.at);
    const { trials, referral: given } = this.#customer;
    this.#signUp([...facts, ...trials.map((at) => ({ at }))]);
    for (const fact of facts) {
      if (fact.at > 0) this.#refuseSignUp();
      if (fact.kind === "checkout") this.#attribute(fact);
      this.#referral ??= this.#signed_up;
      if (fact.kind === "payment") {
        const decision = this.#decidePayment(fact);
        const found = decision.affiliate === null ? [...this.#named] : [decision.affiliate];
        this.#decisions.set(fact.name, { ...decision, found });
      }
      if (this.#referral !== null) this.#since = Math.min(this.#since, fact.at);
    }
    const referral = this.#referral ?? this.#signed_up;
    return {
      by_payment: this.#decisions,
      referral: referral === null ? null : (this.#customer.overrides.movedTo() ?? referral),
      is_signed_up: this.#referral === null && referral !== null,
      bound_to: referral,
      referral_by: given === null ? "evidence" : "api",
      since: given?.at ?? this.#since,
      is_credited: this.#is_credited,
      is_given: given !== null || this.#since === this.#customer.sign_ups[0]?.at,
    };
  }

  /** A sign-up claims no customer with a checkout or payment older than the click. A manual commission confirms it. */
  #signUp(facts: readonly { at: number }[]): void {
    const { sign_ups, manual } = this.#customer;
    const [sign_up] = sign_ups;
    if (sign_up === undefined || this.#referral !== null) return;
    this.#is_refused = facts.some(({ at }) => at < 0);
    if (this.#is_refused) return;
    this.#since = sign_up.at;
    if (manual.length > 0) this.#referral = sign_up.affiliate;
    else this.#signed_up = sign_up.affiliate;
  }

  #refuseSignUp(): void {
    const named = this.#referral === null ? this.#customer.sign_ups : [];
    for (const { affiliate } of named) this.#named.add(affiliate);
    if (this.#is_refused) this.#reason = "existing_customer";
    this.#is_refused = false;
  }

  /** Binds the customer to an affiliate by the evidence of a checkout. */
  #attribute(checkout: Seen<Checkout>): void {
    const { referral } = this.#customer;
    const is_free = this.#referral === null || (referral !== null && checkout.at < REFERRAL_COVERS);
    const candidates = is_free ? this.#candidates(checkout) : [];
    for (const { affiliate } of candidates) this.#named.add(affiliate);
    if (this.#referral !== null) return;
    for (const [number, candidate] of candidates.entries()) {
      const reason = this.#objection(candidate, checkout);
      if (reason === null) {
        if (this.#customer.has_email) this.#referral = candidate.affiliate;
        else this.#reason = "no_email";
        return;
      }
      const is_decisive = reason === "self_referral";
      // Once only the email is missing, that is the reason.
      if ((number === 0 || is_decisive) && this.#reason !== "no_email") this.#reason = reason;
      if (!is_decisive) continue;
      this.#signed_up = null;
      this.#since = Number.POSITIVE_INFINITY;
      return;
    }
  }

  /** Codes, then clicks: those that count, in the order of the campaign's attribution, before those that do not. */
  #candidates(checkout: Seen<Checkout>): Candidate[] {
    const { clicks, settings } = checkout;
    const made = this.#customer.clicks;
    const codes = checkout.codes.map((affiliate) => ({ affiliate, by: "code" as const }));
    const newest_first = [...new Set(clicks)]
      .sort((a, b) => b - a)
      .flatMap((click): Candidate[] => {
        const affiliate = made[click];
        return affiliate === undefined ? [] : [{ affiliate, by: "click" }];
      });
    const counting = newest_first.filter((click) =>
      [null, "self_referral"].includes(this.#objection(click, checkout)),
    );
    const campaignOf = ({ affiliate }: Candidate) => settings.affiliates[affiliate]?.campaign ?? -1;
    const [last] = counting;
    const campaign = last === undefined ? -1 : campaignOf(last);
    const of_campaign = counting.filter((click) => campaignOf(click) === campaign);
    if (settings.campaigns[campaign]?.attribution === "first_click") of_campaign.reverse();
    return [...codes, ...of_campaign, ...newest_first.filter((click) => !of_campaign.includes(click))];
  }

  /** Why a candidate does not win. */
  #objection({ affiliate, by }: Candidate, { settings, at }: Seen<Checkout>): string | null {
    const partner = settings.affiliates[affiliate];
    const terms = settings.campaigns[partner?.campaign ?? -1];
    if (partner === undefined || terms === undefined) return "no_referral";
    if (partner.banned) return "affiliate_banned";
    if (!partner.approved) return "affiliate_unapproved";
    if (by === "click" && at + LATE_CLICK < 0) return "click_after_checkout";
    if (by === "click" && at > terms.cookie_duration * DAY) return "click_expired";
    // Who the customer is, only the email says.
    if (this.#customer.has_email && partner.is_customer === this.#customer.number) return "self_referral";
    const since = by === "click" ? 0 : at;
    const is_existing = this.#paid_since !== null && this.#paid_since < since;
    return is_existing && terms.customers === "new" ? "existing_customer" : null;
  }

  #decidePayment(payment: SeenPayment): Omit<Decision, "found"> {
    const { taken, referral, overrides, too_early } = this.#customer;
    if (too_early.has(payment.name)) return this.#refuse(payment, this.#reason);
    const credited_to = overrides.creditedTo(payment.name);
    if (this.#credits_bind && this.#referral === null && credited_to !== null) {
      this.#referral = credited_to;
      this.#is_credited = true;
    } else if (this.#referral === null && payment.revenue > 0) this.#paid_since ??= payment.at;
    const is_covered = credited_to !== null || referral === null || payment.at >= REFERRAL_COVERS;
    const holder = this.#referral ?? credited_to;
    const affiliate = holder === null ? null : (overrides.ownerOf(payment) ?? holder);
    if (taken.has(payment.name)) {
      return { outcome: "commission_exists", affiliate, amount: 0 };
    }
    if (affiliate === null) return this.#refuse(payment, this.#reason);
    if (!is_covered) return this.#refuse(payment, "paid_before_referral");
    const refusal = this.#refusal(payment, affiliate);
    if (refusal !== null) return { outcome: refusal, affiliate, amount: 0 };
    const terms = this.#terms(payment, affiliate);
    const placed = this.#place(payment, affiliate);
    const rateOf = settingsOf(payment, affiliate).converts ? payment.rateOf : null;
    const earning = earn(payment, { terms, placed, currency: this.#customer.currency, rateOf });
    // A payment that waits for a rate reserves its place.
    if (["commission", "exchange_rate_missing"].includes(earning.outcome))
      this.#earned.push({ at: payment.at, payment: payment.name });
    if (/excluded/.test(earning.outcome)) this.#excluded.push(payment.at);
    return { ...earning, affiliate };
  }

  #place(payment: SeenPayment, affiliate: number): Placed {
    const { at } = payment;
    const earned = this.#earnedBefore(payment).map((commission) => commission.at);
    const counted = [...earned, ...this.#excluded.filter((time) => time < at)];
    const { start } = this.#customer;
    const first = start + Math.min(at, ...counted);
    const { own_rules: own = null, tiers = [] } = settingsOf(payment, affiliate).affiliates[affiliate] ?? {};
    return {
      is_first: earned.length === 0,
      number: counted.length + 1,
      own_rules: own !== null && own.from <= at ? own.rules : [],
      tier: tiers.findLast(({ since }) => since <= at)?.tier ?? null,
      isFromMonth: (month) => month <= 1 || start + at >= addMonths(first, month - 1),
    };
  }

  /** The decision on a payment that no referral covers. */
  #refuse({ revenue, at }: SeenPayment, reason: string): Omit<Decision, "found"> {
    if (revenue > 0) this.#paid_since ??= at;
    return { outcome: revenue === 0 ? "nothing_paid" : reason, affiliate: null, amount: 0 };
  }

  #terms(payment: SeenPayment, affiliate: number): Terms {
    const settings = settingsOf(payment, affiliate);
    const terms = settings.campaigns[settings.affiliates[affiliate]?.campaign ?? -1];
    if (terms === undefined) throw new Error(`no campaign of affiliate ${affiliate}`);
    return terms;
  }

  /** Why a payment of a referral earns nothing at any amount. */
  #refusal(payment: SeenPayment, affiliate: number): string | null {
    const partner = settingsOf(payment, affiliate).affiliates[affiliate];
    const terms = this.#terms(payment, affiliate);
    const { overrides, number } = this.#customer;
    if (payment.revenue === 0) return "nothing_paid";
    if (overrides.creditedTo(payment.name) !== null) return null;
    if (overrides.stops(payment)) return "customer_stopped";
    if (partner?.banned) return "affiliate_banned";
    if (!partner?.approved) return "affiliate_unapproved";
    if (partner.is_customer === number) return "self_referral";
    if (payment.proration && terms.skip_prorations) return "proration";
    return this.#isBeyond(payment, terms) ? "limit_reached" : null;
  }

  #earnedBefore({ at, name }: SeenPayment): Earned[] {
    return this.#earned.filter((commission) => commission.at < at && !commission.decided?.has(name));
  }

  #isBeyond(payment: SeenPayment, { limit }: Terms): boolean {
    if (limit === null) return false;
    const { at } = payment;
    const before = this.#earnedBefore(payment);
    if (limit.type === "months") {
      const first = Math.min(...before.map((commission) => commission.at));
      const { start } = this.#customer;
      return before.length > 0 && start + at >= addMonths(start + first, limit.amount);
    }
    const { isVoided } = this.#customer;
    const live = before.filter(({ payment: name }) => name === null || !isVoided(name, at));
    return live.length >= limit.amount;
  }
}

interface Candidate {
  affiliate: number;
  by: "code" | "click";
}

function settingsOf({ found, settings }: SeenPayment, affiliate: number): Settings {
  return found.get(affiliate) ?? settings;
}
