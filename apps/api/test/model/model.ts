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
  FAILS_AFTER,
  type Fact,
  failedRefund,
  type History,
  type Payment,
  type Refund,
} from "./history.ts";
import { type Override, Overrides } from "./overrides.ts";

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
  | "adjustment_locked"
  | "not_found"
  | "override_refused"
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

interface Adjustment {
  affiliate: number;
  currency: string;
  amount: number;
  is_voided: boolean;
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
  /** Customers of whom a message named the email. */
  readonly #reported_emails = new Set<number>();
  /** Since when customers' records have a new email. */
  readonly #new_emails = new Map<number, number>();
  /** Customers with another id in their referral. */
  readonly #new_ids = new Set<number>();
  readonly #refunds: Refund[] = [];
  readonly #failed = new Set<Refund>();
  readonly #disputes: Dispute[] = [];
  readonly #referrals = new Map<number, Given>();
  readonly #sign_ups = new Map<number, Given>();
  readonly #manual: Manual[] = [];
  readonly #corrections = new Map<number, Correction>();
  readonly #overrides: Override[] = [];
  readonly #adjustments: Adjustment[] = [];
  /** The holding periods of commissions, by the ids of their lines; of payments' commissions, with the line that has it now. */
  readonly #holds = new Map<string, { hold_days: number; line: string }>();
  readonly #lines = new Map<string, Line>();

  constructor(history: History, start: number) {
    this.#history = history;
    this.#start = start;
    const affiliates = history.affiliates.map((affiliate) => ({ ...affiliate, banned: false }));
    this.#settings = { campaigns: history.campaigns, affiliates };
  }

  /** A message of a processor, which changes nothing if it arrived before. */
  report(fact: Fact): void {
    if ("customer" in fact && this.#namesEmail(fact)) {
      this.#with_email.add(fact.customer);
      this.#reported_emails.add(fact.customer);
    }
    if (fact.kind === "customer" && fact.changes_email) {
      const since = this.#new_emails.get(fact.customer) ?? fact.at;
      this.#new_emails.set(fact.customer, Math.min(since, fact.at));
    }
    if (fact.kind === "checkout") this.#checkouts.push({ ...fact, settings: this.#settings });
    if (fact.kind === "payment") this.#addPayment(fact);
    if (fact.kind === "refund" && !fact.fails) this.#refunds.push(fact);
    const failed = fact.kind === "refund_failure" ? failedRefund(this.#history, fact) : null;
    if (failed !== null) this.#failed.add(failed[1]);
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
      case "keep_voided":
        return this.#keepVoided(deed);
      case "manual":
        return this.#addManual(deed);
      case "change_id":
        return this.#changeId(deed.customer);
      case "run":
        this.#balances.run([...this.#lines.values()], this.#minimum, this.#history.currency);
        return "done";
      case "move":
        return this.#balances.move(deed.status) > 0 ? "done" : "skipped";
      case "return":
        return this.#balances.return() > 0 ? "done" : "skipped";
      case "sign_up":
        return this.#signUp(deed);
      case "move_customer":
        return this.#moveCustomer(deed);
      case "credit":
        return this.#credit(deed);
      case "stop_customer":
        return this.#stopCustomer(deed.customer);
      case "resume":
      case "undo":
        return this.#changeOverride(deed);
      case "rerun":
        return this.#rerun(deed.payment);
      case "adjust":
        return this.#adjust(deed);
      case "set_adjustment":
        return this.#setAdjustment(deed);
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

  /**
   * The answer says nothing of the effect. An address alone does not name a customer who is known by id. A signed sign-up
   * counts like a referral by API.
   */
  #signUp({ customer, click, signed }: Deed & { kind: "sign_up" }): Answer {
    const affiliate = this.#history.clicks[click];
    if (affiliate === undefined || this.#history.customers[customer] === "some") return "skipped";
    const partner = this.#settings.affiliates[affiliate];
    const counts = partner?.approved && !partner.banned && partner.is_customer !== customer;
    if (!counts) return "done";
    const { referral, is_signed_up } = this.#decide(customer);
    if (signed && (referral === null || is_signed_up)) this.#referrals.set(customer, { affiliate });
    if (!signed && referral === null && !this.#sign_ups.has(customer)) {
      this.#sign_ups.set(customer, { affiliate });
    }
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

  /** What was in a payout is left out: a reversal beside the commission is voided then, or the commission. */
  #keepVoided({ payment: name, stays }: Deed & { kind: "keep_voided" }): Answer {
    const payment = this.#payments.get(name);
    const decision = this.#decisionOf(name);
    if (payment === undefined || decision?.outcome !== "commission") return "skipped";
    if (this.#balances.wasInPayout(lineOf(name, decision))) return "skipped";
    const correction = this.#corrections.get(name) ?? { amount: null, reversed: 0, voided: false };
    if (correction.voided === stays) return "done";
    if (stays && this.#remaining(payment, decision) > 0) return "invalid_request";
    this.#corrections.set(name, { ...correction, voided: stays });
    return "done";
  }

  /** Left out where the id alone ties the customer to the referral: the former one then names a stranger. */
  #changeId(customer: number): Answer {
    if (!this.#reported_emails.has(customer)) return "skipped";
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
    const decided = new Set(this.#payments.keys());
    this.#manual.push({ customer, affiliate, payment, amount, at: -days_ago * DAY, decided });
    return "done";
  }

  #moveCustomer({ customer, affiliate, unpaid_commissions }: Deed & { kind: "move_customer" }): Answer {
    const { referral } = this.#decide(customer);
    if (referral === null) return "skipped";
    if (this.#settings.affiliates[affiliate]?.banned) return "override_refused";
    const others = unpaid_commissions
      ? this.#unpaidOfOthers(customer, affiliate)
      : { payments: new Set<number>(), manual: new Set<number>() };
    if (referral === affiliate && others.payments.size + others.manual.size === 0) return "override_refused";
    this.#overrides.push({ ...newOverride("move_customer", customer), affiliate, ...others });
    return "done";
  }

  /** A customer's commissions that are in no payout, and another affiliate's. Void ones can be restored later. */
  #unpaidOfOthers(customer: number, affiliate: number): Pick<Override, "payments" | "manual"> {
    const isFree = (line: string) => !this.#balances.isLocked(line);
    const payments = [...this.#decide(customer).by_payment].filter(([name, decision]) => {
      const has_other = decision.outcome === "commission" && decision.affiliate !== affiliate;
      return has_other && isFree(lineOf(name, decision));
    });
    const manual = [...this.#manual.entries()].filter(([number, commission]) => {
      if (commission.customer !== customer) return false;
      const { id, affiliate: owner } = this.#manualLine(number, commission);
      return owner !== affiliate && isFree(id);
    });
    return {
      payments: new Set(payments.map(([name]) => name)),
      manual: new Set(manual.map(([number]) => number)),
    };
  }

  /** A stranger's payment is left out: the request would have to name the customer. */
  #credit({ payment: name, affiliate, past_payments }: Deed & { kind: "credit" }): Answer {
    const payment = this.#payments.get(name);
    if (payment === undefined) return "not_found";
    const { customer } = payment;
    if (!this.#isKnown(payment)) return "skipped";
    const { by_payment } = this.#decide(customer);
    const outcome = by_payment.get(name)?.outcome ?? "";
    if (HAS_COMMISSION.has(outcome)) return "commission_exists";
    if (!this.#with_email.has(customer)) return "invalid_request";
    const payments = [...by_payment].filter(([other, decision]) => {
      const earlier = this.#payments.get(other);
      if (earlier === undefined || !past_payments || !this.#isKnown(earlier)) return false;
      const is_free = !HAS_COMMISSION.has(decision.outcome) && decision.outcome !== "nothing_paid";
      return is_free && earlier.at < payment.at;
    });
    this.#overrides.push({
      ...newOverride("credit", customer),
      affiliate,
      payments: new Set([name, ...payments.map(([other]) => other)]),
    });
    if (this.remainingOf(name) > 0) return "done";
    this.#overrides.pop();
    return "override_refused";
  }

  #stopCustomer(customer: number): Answer {
    if (this.#decide(customer).referral === null) return "skipped";
    const is_stopped = this.#overrides.some(
      (override) => override.customer === customer && isStopping(override),
    );
    if (is_stopped) return "override_refused";
    this.#overrides.push(newOverride("stop_customer", customer));
    return "done";
  }

  #changeOverride({ kind, override: number }: Deed & { kind: "resume" | "undo" }): Answer {
    const override = this.#overrides[number];
    if (override === undefined) return "skipped";
    if (kind === "resume" ? !isStopping(override) : override.is_undone) return "override_refused";
    if (kind === "resume") override.is_ended = true;
    else override.is_undone = true;
    return "done";
  }

  /** A customer who has an affiliate keeps that affiliate, whatever settings the checkouts had. */
  #rerun(name: number): Answer {
    const payment = this.#payments.get(name);
    if (payment === undefined) return "skipped";
    payment.found.clear();
    const { customer } = payment;
    if (!this.#isKnown(payment) || this.#decide(customer).referral !== null) return "done";
    for (const checkout of this.#checkouts)
      if (checkout.customer === customer) checkout.settings = this.#settings;
    return "done";
  }

  #adjust({ affiliate, amount, currency }: Deed & { kind: "adjust" }): Answer {
    const others = { currency: currency ?? this.#history.currency, is_voided: false };
    this.#adjustments.push({ affiliate, amount, ...others });
    return "done";
  }

  #setAdjustment({ adjustment: number, voided }: Deed & { kind: "set_adjustment" }): Answer {
    const adjustment = this.#adjustments[number];
    if (adjustment === undefined) return "skipped";
    if (this.#balances.isLocked(lineOfAdjustment(number))) return "adjustment_locked";
    adjustment.is_voided = voided;
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
        const hold_days = this.#holdOf(`p${name}`, id);
        const { currency, at } = payment;
        lines.set(id, { id, affiliate, currency, amount: remaining, held_until: at + hold_days * DAY });
      }
    }
    for (const [number, commission] of this.#manual.entries()) {
      const line = this.#manualLine(number, commission);
      const hold_days = this.#holdOf(`m${number}`, line.id);
      lines.set(line.id, { ...line, held_until: commission.at + hold_days * DAY });
      const result = commission.payment === null ? undefined : payments.get(commission.payment);
      if (result !== undefined) result.remaining = line.amount;
    }
    for (const [number, { is_voided, ...adjustment }] of this.#adjustments.entries()) {
      const id = lineOfAdjustment(number);
      const amount = is_voided ? 0 : adjustment.amount;
      lines.set(id, { ...adjustment, id, amount, held_until: Number.NEGATIVE_INFINITY });
    }
    for (const [id, line] of this.#lines) if (!lines.has(id)) lines.set(id, { ...line, amount: 0 });
    for (const [id, line] of lines) this.#lines.set(id, line);
    return { payments, balances: this.#balances.of([...lines.values()]) };
  }

  /** The line of a manual commission, with the affiliate of its last move. */
  #manualLine(number: number, { customer, payment, ...commission }: Manual): Omit<Line, "held_until"> {
    const moved_to = this.#overridesOf(customer).ownerOfManual(number);
    const affiliate = moved_to ?? commission.affiliate;
    const paid = payment === null ? undefined : this.#payments.get(payment);
    const amount = paid === undefined ? commission.amount : this.#reduce(commission.amount, paid);
    return { id: `m${number} a${affiliate}`, affiliate, currency: this.#history.currency, amount };
  }

  /**
   * The settings on the day when a commission is created say how long it is held. It goes along to another affiliate, unless
   * a payout has it: then it is netted, and the other affiliate's is new.
   */
  #holdOf(commission: string, line: string): number {
    const known = this.#holds.get(commission);
    const is_same = known !== undefined && (known.line === line || !this.#balances.isLocked(known.line));
    const hold_days = is_same ? known.hold_days : this.#hold_days;
    this.#holds.set(commission, { hold_days, line });
    return hold_days;
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
      ...this.#refunds.filter((refund) => !this.#failed.has(refund) || at < refund.at + FAILS_AFTER),
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
    const strange = all.payments.filter((payment) => !this.#isKnown(payment));
    const too_early = strange.filter(({ by }) => by === "new_email" && this.#new_emails.has(number));
    const payments = strange.filter((payment) => !too_early.includes(payment));
    const decisions = decide({
      ...all,
      payments: all.payments.filter((payment) => !payments.includes(payment)),
      too_early: new Set(too_early.map(({ name }) => name)),
    });
    const nothing = {
      checkouts: [],
      referral: null,
      sign_up: null,
      manual: [],
      overrides: new Overrides([]),
    };
    const strangers = decide({ ...all, payments, ...nothing });
    for (const [name, decision] of strangers.by_payment) decisions.by_payment.set(name, decision);
    return decisions;
  }

  /** Whether a payment is known to be the customer's. */
  #isKnown({ customer, by, at }: Payment): boolean {
    if (by === "new_email") return at > (this.#new_emails.get(customer) ?? Number.POSITIVE_INFINITY);
    return by === "usual" || this.#new_ids.has(customer);
  }

  #overridesOf(customer: number): Overrides {
    return new Overrides(this.#overrides.filter((override) => override.customer === customer));
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
      too_early: new Set(),
      referral: this.#referrals.get(number) ?? null,
      sign_up: this.#sign_ups.get(number) ?? null,
      manual: of(this.#manual),
      overrides: this.#overridesOf(number),
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

/** The outcomes of payments that have a commission. */
const HAS_COMMISSION: ReadonlySet<string> = new Set(["commission", "commission_exists"]);

function newOverride(kind: Override["kind"], customer: number): Override {
  const nothing = { affiliate: null, payments: new Set<number>(), manual: new Set<number>() };
  return { kind, customer, ...nothing, is_ended: false, is_undone: false };
}

function isStopping({ kind, is_ended, is_undone }: Override): boolean {
  return kind === "stop_customer" && !is_ended && !is_undone;
}

function lineOfAdjustment(number: number): string {
  return `d${number}`;
}

function lineOf(payment: number, { affiliate }: Decision): string {
  return `p${payment} a${affiliate}`;
}
