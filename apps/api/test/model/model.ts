import { reduce } from "./amounts.ts";
import {
  type Customer,
  type Decision,
  type Decisions,
  decide,
  type Given,
  type Manual,
  type Seen,
  type SeenPayment,
  type Settings,
} from "./attribution.ts";
import { type Balance, Balances, type Line } from "./balances.ts";
import {
  type Checkout,
  DAY,
  type Deed,
  type Dispute,
  type Fact,
  type History,
  type Payment,
  type Refund,
} from "./history.ts";

/*
 * The independent model: a second program that computes what the documents promise, and shares no code with the service.
 * docs/contributing/testing.md says how it is used.
 */

const HOLD_DAYS = 15;

/** How the service must answer a deed. `skipped`: the deed makes no sense now, so nobody does it. */
export type Answer =
  | "done"
  | "skipped"
  | "invalid_request"
  | "referral_exists"
  | "commission_locked"
  | "commission_exists";

/** What the service must say of a payment. */
export interface PaymentResult extends Decision {
  /** What remains of the commission, a manual one included. */
  remaining: number;
}

export interface Result {
  payments: Map<number, PaymentResult>;
  balances: Balance[];
}

/** What people changed about the commission of a payment. */
interface Correction {
  amount: number | null;
  /** What was reversed when the amount was set. */
  reversed: number;
  voided: boolean;
}

export class Model {
  readonly #history: History;
  readonly #start: number;
  readonly #balances = new Balances();
  #settings: Settings;
  #hold_days = HOLD_DAYS;
  #minimum = 0;
  readonly #checkouts: Seen<Checkout>[] = [];
  readonly #payments = new Map<number, SeenPayment>();
  readonly #with_email = new Set<number>();
  /** Since when customers' records have a new email. */
  readonly #new_emails = new Map<number, number>();
  /** Customers with another id in their referral. */
  readonly #new_ids = new Set<number>();
  readonly #refunds: Refund[] = [];
  readonly #disputes: Dispute[] = [];
  readonly #referrals = new Map<number, Given>();
  readonly #sign_ups = new Map<number, Given>();
  readonly #manual: Manual[] = [];
  readonly #corrections = new Map<number, Correction>();
  /** The holding periods of commissions, by the ids of their lines. */
  readonly #holds = new Map<string, number>();
  readonly #lines = new Map<string, Line>();

  constructor(history: History, start: number) {
    this.#history = history;
    this.#start = start;
    const affiliates = history.affiliates.map((affiliate) => ({ ...affiliate, banned: false }));
    this.#settings = { campaigns: history.campaigns, affiliates };
  }

  /** A message of a processor, which changes nothing if it arrived before. */
  report(fact: Fact): void {
    if ("customer" in fact && this.#namesEmail(fact)) this.#with_email.add(fact.customer);
    if (fact.kind === "customer" && fact.changes_email) {
      const since = this.#new_emails.get(fact.customer) ?? fact.at;
      this.#new_emails.set(fact.customer, Math.min(since, fact.at));
    }
    if (fact.kind === "checkout") this.#checkouts.push({ ...fact, settings: this.#settings });
    if (fact.kind === "payment") this.#addPayment(fact);
    if (fact.kind === "refund" && !fact.fails) this.#refunds.push(fact);
    if (fact.kind === "dispute") this.#disputes.push(fact);
  }

  /** A payment by a new email or id is a stranger's, until a record or a referral has that name. */
  #namesEmail(fact: Fact & { customer: number; names_email: boolean }): boolean {
    if (fact.kind === "payment" && fact.by !== "usual") return false;
    return fact.names_email || this.#history.customers[fact.customer] !== "some";
  }

  #addPayment(fact: Payment): void {
    const found = this.#payments.get(fact.name)?.found ?? new Map<number, Settings>();
    this.#payments.set(fact.name, { ...fact, settings: this.#settings, found });
  }

  /** All messages so far are processed. The settings count when an affiliate is first found for a payment. */
  settle(): void {
    for (const payment of this.#payments.values()) payment.settings = this.#settings;
    for (const [name, { affiliate }] of this.result().payments) {
      const found = this.#payments.get(name)?.found;
      if (affiliate !== null && found?.has(affiliate) === false) found.set(affiliate, this.#settings);
    }
  }

  perform(deed: Deed): Answer {
    switch (deed.kind) {
      case "refer":
        return this.#refer(deed);
      case "set_rate":
        return this.#setRate(deed);
      case "set_affiliate":
        return this.#setAffiliate(deed);
      case "set_payouts":
        this.#hold_days = deed.hold_days ?? this.#hold_days;
        this.#minimum = deed.minimum ?? this.#minimum;
        return "done";
      case "correct":
      case "void":
      case "restore":
        return this.#correct(deed);
      case "manual":
        return this.#addManual(deed);
      case "change_id":
        return this.#changeId(deed.customer);
      case "run":
        this.#balances.run([...this.#lines.values()], this.#minimum, this.#history.currency);
        return "done";
      case "move":
        return this.#balances.move(deed.status) > 0 ? "done" : "skipped";
      case "sign_up":
        return this.#signUp(deed);
    }
  }

  #refer({ customer, affiliate }: Deed & { kind: "refer" }): Answer {
    if (this.#settings.affiliates[affiliate]?.is_customer === customer) return "invalid_request";
    const { referral, is_signed_up } = this.#decide(customer);
    if (referral !== null && !is_signed_up) return "referral_exists";
    this.#referrals.set(customer, { affiliate });
    this.#with_email.add(customer);
    return "done";
  }

  /** The answer says nothing of the effect. An address alone does not name a customer who is known by id. */
  #signUp({ customer, click }: Deed & { kind: "sign_up" }): Answer {
    const affiliate = this.#history.clicks[click];
    if (affiliate === undefined || this.#history.customers[customer] === "some") return "skipped";
    const partner = this.#settings.affiliates[affiliate];
    const counts = partner?.approved && !partner.banned && partner.is_customer !== customer;
    const is_known = this.#decide(customer).referral !== null || this.#sign_ups.has(customer);
    if (counts && !is_known) this.#sign_ups.set(customer, { affiliate });
    return "done";
  }

  #setRate({ campaign, rate }: Deed & { kind: "set_rate" }): Answer {
    const campaigns = this.#settings.campaigns.map((terms, number) =>
      number === campaign ? { ...terms, rate } : terms,
    );
    this.#settings = { ...this.#settings, campaigns };
    return "done";
  }

  #setAffiliate({ affiliate, banned, approved }: Deed & { kind: "set_affiliate" }): Answer {
    const affiliates = this.#settings.affiliates.map((partner, number) =>
      number !== affiliate
        ? partner
        : { ...partner, banned: banned ?? partner.banned, approved: approved ?? partner.approved },
    );
    this.#settings = { ...this.#settings, affiliates };
    return "done";
  }

  #correct(deed: Deed & { kind: "correct" | "void" | "restore" }): Answer {
    const payment = this.#payments.get(deed.payment);
    const decision = this.#decisionOf(deed.payment);
    if (payment === undefined || decision?.outcome !== "commission") return "skipped";
    const reversed = this.#reversed(payment, Number.POSITIVE_INFINITY);
    const correction = this.#corrections.get(deed.payment) ?? { amount: null, reversed: 0, voided: false };
    const remaining = this.#remaining(payment, decision);
    const is_gone = reversed >= payment.revenue + payment.tax;
    if (is_gone || correction.voided !== (deed.kind === "restore")) return "skipped";
    if (this.#balances.isLocked(lineOf(deed.payment, decision))) return "commission_locked";
    if (deed.kind === "correct") {
      const amount = Math.round((remaining * deed.percent) / 100);
      if (amount === remaining || amount === 0) return "skipped";
      this.#corrections.set(deed.payment, { ...correction, amount, reversed });
    } else {
      this.#corrections.set(deed.payment, { ...correction, voided: deed.kind === "void" });
    }
    return "done";
  }

  #changeId(customer: number): Answer {
    const { referral, is_signed_up } = this.#decide(customer);
    if (referral === null || is_signed_up) return "skipped";
    this.#new_ids.add(customer);
    return "done";
  }

  #addManual({ customer, payment, amount, days_ago }: Deed & { kind: "manual" }): Answer {
    const affiliate = this.#decide(customer).referral;
    if (affiliate === null) return "skipped";
    if (payment !== null) {
      const is_taken = this.#manual.some((manual) => manual.payment === payment);
      if (is_taken || this.#decisionOf(payment)?.outcome === "commission") return "commission_exists";
    }
    this.#manual.push({ customer, affiliate, payment, amount, at: -days_ago * DAY });
    return "done";
  }

  /** What a payment's commission is changed to is known by the amount that it then has. */
  remainingOf(payment: number): number {
    const found = this.#payments.get(payment);
    const decision = this.#decisionOf(payment);
    return found === undefined || decision === undefined ? 0 : this.#remaining(found, decision);
  }

  result(): Result {
    const payments = new Map<number, PaymentResult>();
    const lines = new Map<string, Line>();
    for (const customer of this.#history.customers.keys()) {
      for (const [name, decision] of this.#decide(customer).by_payment) {
        const payment = this.#payments.get(name);
        if (payment === undefined) continue;
        const remaining = this.#remaining(payment, decision);
        payments.set(name, { ...decision, remaining });
        if (decision.outcome !== "commission" || decision.affiliate === null) continue;
        const { affiliate } = decision;
        const id = lineOf(name, decision);
        lines.set(id, this.#line({ id, affiliate, ...payment, amount: remaining }));
      }
    }
    for (const [number, { affiliate, amount, at, payment }] of this.#manual.entries()) {
      const id = `m${number}`;
      const paid = payment === null ? undefined : this.#payments.get(payment);
      const remaining = paid === undefined ? amount : this.#reduce(amount, paid);
      lines.set(id, this.#line({ id, affiliate, at, currency: this.#history.currency, amount: remaining }));
      const result = payment === null ? undefined : payments.get(payment);
      if (result !== undefined) result.remaining = remaining;
    }
    for (const [id, line] of this.#lines) if (!lines.has(id)) lines.set(id, { ...line, amount: 0 });
    for (const [id, line] of lines) this.#lines.set(id, line);
    return { payments, balances: this.#balances.of([...lines.values()]) };
  }

  /** The settings on the day when a commission is created say how long it is held. */
  #line({ id, affiliate, currency, at, amount }: Omit<Line, "held_until"> & { at: number }): Line {
    const hold_days = this.#holds.get(id) ?? this.#hold_days;
    this.#holds.set(id, hold_days);
    return { id, affiliate, currency, amount, held_until: at + hold_days * DAY };
  }

  #remaining(payment: SeenPayment, { outcome, amount }: Decision): number {
    if (outcome !== "commission") return 0;
    const correction = this.#corrections.get(payment.name);
    if (correction?.voided) return 0;
    return this.#reduce(correction?.amount ?? amount, payment, correction?.reversed);
  }

  /** What remains of an amount that was right when a part of its payment was reversed already. */
  #reduce(amount: number, payment: Payment, reversed_before = 0): number {
    const paid = payment.revenue + payment.tax - reversed_before;
    const reversed = this.#reversed(payment, Number.POSITIVE_INFINITY) - reversed_before;
    return reduce(amount, { paid, reversed });
  }

  /** What was refunded and disputed of a payment by then. */
  #reversed({ name, revenue, tax }: Payment, at: number): number {
    const paid = revenue + tax;
    const reversals = [
      ...this.#refunds,
      ...this.#disputes.filter(({ status }) => status === "open" || status === "lost"),
    ].filter((reversal) => reversal.payment === name && reversal.at <= at);
    const sum = reversals.reduce((all, { percent }) => all + partOf(paid, percent), 0);
    return Math.min(sum, paid);
  }

  #decisionOf(payment: number): Decision | undefined {
    const customer = this.#payments.get(payment)?.customer;
    return customer === undefined ? undefined : this.#decide(customer).by_payment.get(payment);
  }

  /** The decisions on a customer's payments, and on those of strangers who may be the same person but are not known to be. */
  #decide(number: number): Decisions {
    const all = this.#customer(number);
    const isKnown = ({ by, at }: Payment) => {
      if (by === "new_email") return at > (this.#new_emails.get(number) ?? Number.POSITIVE_INFINITY);
      return by === "usual" || this.#new_ids.has(number);
    };
    const decisions = decide({ ...all, payments: all.payments.filter(isKnown) });
    const payments = all.payments.filter((payment) => !isKnown(payment));
    const strangers = decide({ ...all, payments, checkouts: [], referral: null, sign_up: null, manual: [] });
    for (const [name, decision] of strangers.by_payment) decisions.by_payment.set(name, decision);
    return decisions;
  }

  #customer(number: number): Customer {
    const of = <Fact extends { customer: number }>(facts: Iterable<Fact>) =>
      [...facts].filter(({ customer }) => customer === number);
    const taken = this.#manual.flatMap(({ payment }) => (payment === null ? [] : [payment]));
    return {
      number,
      has_email: this.#with_email.has(number),
      checkouts: of(this.#checkouts),
      payments: of(this.#payments.values()),
      referral: this.#referrals.get(number) ?? null,
      sign_up: this.#sign_ups.get(number) ?? null,
      manual: of(this.#manual),
      taken: new Set(taken),
      isVoided: (payment, at) => this.#isVoided(payment, at),
      clicks: this.#history.clicks,
      currency: this.#history.currency,
      start: this.#start,
    };
  }

  #isVoided(name: number, at: number): boolean {
    const payment = this.#payments.get(name);
    if (payment === undefined) return false;
    if (at > 0 && this.#corrections.get(name)?.voided) return true;
    return this.#reversed(payment, at) >= payment.revenue + payment.tax;
  }
}

/** The part of a paid amount that a refund or a dispute covers. */
export function partOf(paid: number, percent: number): number {
  return Math.round((paid * percent) / 100);
}

function lineOf(payment: number, { affiliate }: Decision): string {
  return `p${payment} a${affiliate}`;
}
