import { partOf, reduce } from "./amounts.ts";
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
import { type Balance, Balances, type Line, lineOf, lineOfAdjustment } from "./balances.ts";
import { ExchangeRates } from "./exchange-rates.ts";
import {
  type Checkout,
  DAY,
  type Dispute,
  FAILS_AFTER,
  type Fact,
  failedRefund,
  type History,
  type Payment,
  type Refund,
} from "./history.ts";
import { type LeadResult, Leads, type Led, lineOfLead, sumsOfLeads } from "./leads.ts";
import { isChange, paymentId } from "./names.ts";
import { type Override, Overrides } from "./overrides.ts";
import { Recruits, type Root } from "./recruits.ts";
import { CreatedCommissions } from "./reviews.ts";

const HOLD_DAYS = 15;

/** What the service must say of a payment. */
export interface PaymentResult extends Decision {
  /** What remains of the commission, a manual one included. */
  remaining: number;
}

export interface Result {
  payments: Map<number, PaymentResult>;
  /** What is left of the commissions of leads, by kind and affiliate. */
  leads: Map<string, number>;
  /** What is left of what recruiters get, by commission, recruiter and currency. */
  recruits: Map<string, number>;
  balances: Balance[];
}

/** With what was earned before refunds. */
type Earning = Omit<Line, "held_until"> & { earned: number };

/** A commission as it is now. */
interface Made extends Earning {
  line: string;
  at: number;
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
  /** When it was voided last. */
  voided_at: number;
}

export const NO_CORRECTION: Correction = { amount: null, reversed: 0, voided: false, voided_at: 0 };

/** What is known of a history so far, and what follows from it: decisions, commissions and balances. */
export class State {
  protected readonly history: History;
  readonly #start: number;
  protected readonly balances = new Balances();
  protected settings: Settings;
  protected hold_days = HOLD_DAYS;
  protected minimum = 0;
  protected readonly checkouts: Seen<Checkout>[] = [];
  protected readonly payments = new Map<number, SeenPayment>();
  protected readonly with_email = new Set<number>();
  /** Customers of whom a message named the email. */
  protected readonly reported_emails = new Set<number>();
  /** Since when customers' records have a new email. */
  readonly #new_emails = new Map<number, number>();
  /** The customers of messages with their usual names. */
  readonly #met = new Set<number>();
  /** Customers with another id in their referral. */
  protected readonly new_ids = new Set<number>();
  readonly #refunds: Refund[] = [];
  readonly #failed = new Set<Refund>();
  readonly #disputes: Dispute[] = [];
  protected readonly referrals = new Map<number, Given>();
  protected readonly sign_ups = new Map<number, Given[]>();
  protected readonly manual: Manual[] = [];
  protected readonly corrections = new Map<number, Correction>();
  protected readonly overrides: Override[] = [];
  protected readonly adjustments: Adjustment[] = [];
  protected readonly rates: ExchangeRates;
  protected readonly leads: Leads;
  /** When customers' trials began. */
  readonly #trials = new Map<number, number[]>();
  /** Customers whose id is known to be that of their email. */
  protected readonly known_ids = new Set<number>();
  /** By payment (`p`), manual commission (`m`) or lead (`l`). */
  protected readonly created: CreatedCommissions;
  protected readonly recruits: Recruits;
  /** What recruiters get of these commissions. */
  readonly #shares: CreatedCommissions;
  protected readonly lines = new Map<string, Line>();

  constructor(history: History, start: number) {
    this.history = history;
    this.#start = start;
    const affiliates = history.affiliates.map((affiliate) => ({ ...affiliate, banned: false, tiers: [] }));
    this.settings = { campaigns: history.campaigns, affiliates, converts: history.rates.length > 0 };
    this.rates = new ExchangeRates(start);
    for (const rate of history.rates) this.rates.enter(rate);
    const isLocked = (line: string) => this.balances.isLocked(line);
    this.created = new CreatedCommissions({ currency: history.currency, isLocked });
    this.recruits = new Recruits(start);
    this.#shares = new CreatedCommissions({ currency: history.currency, isLocked });
    this.leads = new Leads({ currency: history.currency, start });
  }

  /** A message of a processor, which changes nothing if it arrived before. */
  report(fact: Fact): void {
    if ("customer" in fact && this.#namesEmail(fact)) {
      this.with_email.add(fact.customer);
      this.reported_emails.add(fact.customer);
      // A record with a new email says nothing about the usual one.
      if (!isChange(fact)) this.known_ids.add(fact.customer);
    }
    if ("customer" in fact && namesUsual(fact)) this.#met.add(fact.customer);
    if (isChange(fact)) {
      const since = this.#new_emails.get(fact.customer) ?? fact.at;
      this.#new_emails.set(fact.customer, Math.min(since, fact.at));
    }
    if (fact.kind === "trial") {
      this.#trials.set(fact.customer, [...(this.#trials.get(fact.customer) ?? []), fact.at]);
    }
    if (fact.kind === "checkout") this.checkouts.push({ ...fact, settings: this.settings });
    if (fact.kind === "payment") this.#addPayment(fact);
    if (fact.kind === "refund" && !fact.fails) this.#refunds.push(fact);
    const failed = fact.kind === "refund_failure" ? failedRefund(this.history, fact) : null;
    if (failed !== null) this.#failed.add(failed[1]);
    if (fact.kind === "dispute") this.#disputes.push(fact);
  }

  /** A payment by a new email or id is a stranger's, until a record or a referral has that name. */
  #namesEmail(fact: Fact & { customer: number; names_email: boolean }): boolean {
    if (fact.kind === "trial" || (fact.kind === "payment" && fact.by !== "usual")) return false;
    return fact.names_email || this.history.customers[fact.customer] !== "some";
  }

  #addPayment(fact: Payment): void {
    const found = this.payments.get(fact.name)?.found ?? new Map<number, Settings>();
    const rateOf = (currency: string) => this.rates.of(fact, currency);
    this.payments.set(fact.name, { ...fact, settings: this.settings, found, rateOf });
  }

  /** All messages so far are processed. The settings count when an affiliate is first found for a payment. */
  settle(): void {
    for (const payment of this.payments.values()) payment.settings = this.settings;
    this.leads.settle(this.#allLed(), this.settings);
    this.rates.keep((payment) => this.decisionOf(payment)?.outcome ?? null);
    for (const [name, decision] of this.result().payments) {
      const found = this.payments.get(name)?.found;
      for (const one of decision.found) if (found?.has(one) === false) found.set(one, this.settings);
    }
  }

  /** What a payment's commission is changed to is known by the amount that it then has. */
  remainingOf(payment: number): number {
    const found = this.payments.get(payment);
    const decision = this.decisionOf(payment);
    return found === undefined || decision === undefined ? 0 : this.remaining(found, decision);
  }

  result(): Result {
    const payments = new Map<number, PaymentResult>();
    const lines = new Map<string, Line>();
    const roots: Root[] = [];
    for (const customer of this.history.customers.keys()) {
      for (const [name, decision] of this.decide(customer).by_payment) {
        const payment = this.payments.get(name);
        if (payment !== undefined)
          payments.set(name, { ...decision, remaining: this.remaining(payment, decision) });
      }
    }
    const led = this.#allLed().flatMap((one) => this.leads.results(one));
    const present = this.#present(payments, led);
    this.created.begin(present);
    for (const [root, { at, ...earning }] of present) {
      const { id, affiliate, currency, amount } = earning;
      lines.set(id, { id, affiliate, currency, amount, held_until: this.#heldUntil(root, earning, at) });
      roots.push({ id, affiliate, currency, amount, root, at });
    }
    for (const [number, { payment }] of this.manual.entries()) {
      const result = payment === null ? undefined : payments.get(payment);
      if (result !== undefined) result.remaining = present.get(`m${number}`)?.amount ?? 0;
    }
    const leads = sumsOfLeads(led);
    const recruits = this.#addRecruits(lines, roots);
    for (const [number, { is_voided, ...adjustment }] of this.adjustments.entries()) {
      const id = lineOfAdjustment(number);
      const amount = is_voided ? 0 : adjustment.amount;
      lines.set(id, { ...adjustment, id, amount, held_until: Number.NEGATIVE_INFINITY });
    }
    for (const [id, line] of this.lines) if (!lines.has(id)) lines.set(id, { ...line, amount: 0 });
    for (const [id, line] of lines) this.lines.set(id, line);
    return { payments, leads, recruits, balances: this.balances.of([...lines.values()]) };
  }

  /** Commissions by payment (`p`), manual commission (`m`) or lead (`l`). */
  #present(payments: Result["payments"], led: readonly LeadResult[]): Map<string, Made> {
    const present = new Map<string, Made>();
    const add = (root: string, line: Omit<Made, "line">) => present.set(root, { ...line, line: line.id });
    for (const [name, { remaining: amount, ...decision }] of payments) {
      const payment = this.payments.get(name);
      const { affiliate, outcome, amount: earned } = decision;
      if (payment === undefined || outcome !== "commission" || affiliate === null) continue;
      const { currency, at } = payment;
      add(`p${name}`, { id: lineOf(name, decision), affiliate, currency, amount, earned, at });
    }
    for (const [number, manual] of this.manual.entries())
      add(`m${number}`, { ...this.manualLine(number, manual), earned: manual.amount, at: manual.at });
    const { currency } = this.history;
    for (const lead of led) {
      const { affiliate, amount, at } = lead;
      const id = lineOfLead(lead);
      if (amount !== 0) add(`l${lead.id}`, { id, affiliate, currency, amount, earned: amount, at });
    }
    return present;
  }

  #addRecruits(lines: Map<string, Line>, roots: readonly Root[]): Map<string, number> {
    const sums = new Map<string, number>();
    for (const root of roots) {
      const line = this.recruits.shareOf(root, this.settings, this.history.campaigns);
      const is_known = line !== null && this.#shares.find(root.root) !== undefined;
      if (line === null || (line.amount === 0 && !is_known)) continue;
      const set = { hold_days: this.hold_days, settings: null };
      const { hold_days } = this.#shares.record(
        root.root,
        { ...line, line: line.id, earned: line.amount },
        set,
      );
      const is_in_review = this.created.find(root.root)?.review === "pending";
      const held_until = is_in_review ? Number.POSITIVE_INFINITY : root.at + hold_days * DAY;
      lines.set(line.id, { ...line, held_until });
      const key = `${this.#nameOf(root)} to affiliate ${line.affiliate} in ${line.currency}`;
      sums.set(key, (sums.get(key) ?? 0) + line.amount);
    }
    return sums;
  }

  /** A commission of a lead or a payment, or one by hand. */
  #nameOf({ root }: Root): string {
    const [kind, number] = [root.charAt(0), Number(root.slice(1))];
    if (kind === "l") return root.slice(root.lastIndexOf(" ") + 1);
    const payment = kind === "p" ? number : (this.manual[number]?.payment ?? null);
    return payment === null ? "by hand" : paymentId(this.history, payment);
  }

  #allLed(): Led[] {
    return [...this.history.customers.keys()].map((customer) => this.led(customer));
  }

  protected led(customer: number): Led {
    const trials = this.#trialsOf(customer);
    return { customer, decisions: this.decide(customer), overrides: this.#overridesOf(customer), trials };
  }

  /** A trial names its customer by id alone. */
  #trialsOf(customer: number): readonly number[] {
    return this.known_ids.has(customer) ? (this.#trials.get(customer) ?? []) : [];
  }

  /** The line of a manual commission, with the affiliate of its last move. */
  protected manualLine(
    number: number,
    { customer, payment, ...commission }: Manual,
  ): Omit<Line, "held_until"> {
    const moved_to = this.#overridesOf(customer).ownerOfManual(number);
    const affiliate = moved_to ?? commission.affiliate;
    const paid = payment === null ? undefined : this.payments.get(payment);
    const amount = paid === undefined ? commission.amount : this.#reduce(commission.amount, paid);
    return { id: `m${number} a${affiliate}`, affiliate, currency: this.history.currency, amount };
  }

  /** When a commission of a time is due: never, while it is in review. */
  #heldUntil(of: string, { id, ...line }: Earning, at: number): number {
    const { hold_days, settings } = this;
    const created = this.created.record(of, { ...line, line: id }, { hold_days, settings });
    return created.review === "pending" ? Number.POSITIVE_INFINITY : at + created.hold_days * DAY;
  }

  /** A commission that was withdrawn keeps the names of its payment. */
  protected hadCommission(payment: number): boolean {
    return this.created.find(`p${payment}`) !== undefined;
  }

  protected remaining(payment: SeenPayment, { outcome, amount }: Decision): number {
    if (outcome !== "commission") return 0;
    const correction = this.corrections.get(payment.name);
    if (correction?.voided) return 0;
    return this.#reduce(correction?.amount ?? amount, payment, correction?.reversed);
  }

  /** What remains of an amount that was right when a part of its payment was reversed already. */
  #reduce(amount: number, payment: Payment, reversed_before = 0): number {
    const paid = payment.revenue + payment.tax - reversed_before;
    const reversed = this.reversed(payment, Number.POSITIVE_INFINITY) - reversed_before;
    return reduce(amount, { paid, reversed });
  }

  /** What was refunded and disputed of a payment by then. */
  protected reversed({ name, revenue, tax }: Payment, at: number): number {
    const paid = revenue + tax;
    const reversals = [
      ...this.#refunds.filter((refund) => !this.#failed.has(refund) || at < refund.at + FAILS_AFTER),
      ...this.#disputes.filter(({ status }) => status === "open" || status === "lost"),
    ].filter((reversal) => reversal.payment === name && reversal.at <= at);
    const sum = reversals.reduce((all, { percent }) => all + partOf(paid, percent), 0);
    return Math.min(sum, paid);
  }

  protected decisionOf(payment: number): Decision | undefined {
    const customer = this.payments.get(payment)?.customer;
    return customer === undefined ? undefined : this.decide(customer).by_payment.get(payment);
  }

  /** The decisions on a customer's payments, and on those of strangers who may be the same person but are not known to be. */
  protected decide(number: number): Decisions {
    const all = this.#customer(number);
    const strange = all.payments.filter((payment) => !this.isKnown(payment));
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
      sign_ups: [],
      trials: [],
      manual: [],
      overrides: new Overrides([]),
    };
    const strangers = decide({ ...all, payments, ...nothing });
    for (const [name, decision] of strangers.by_payment) decisions.by_payment.set(name, decision);
    return decisions;
  }

  /** Whether a payment is known to be the customer's. */
  protected isKnown({ customer, by, at }: Payment): boolean {
    if (by === "new_email") {
      // Else a page's sign-up is all that is known of the customer's usual names.
      const is_met = this.#met.has(customer) || this.known_ids.has(customer);
      return is_met && at > (this.#new_emails.get(customer) ?? Number.POSITIVE_INFINITY);
    }
    return by === "usual" || this.new_ids.has(customer);
  }

  #overridesOf(customer: number): Overrides {
    return new Overrides(this.overrides.filter((override) => override.customer === customer));
  }

  #customer(number: number): Customer {
    const of = <Fact extends { customer: number }>(facts: Iterable<Fact>) =>
      [...facts].filter(({ customer }) => customer === number);
    const taken = this.manual.flatMap(({ payment }) => (payment === null ? [] : [payment]));
    return {
      number,
      has_email: this.with_email.has(number),
      checkouts: of(this.checkouts),
      payments: of(this.payments.values()),
      too_early: new Set(),
      trials: this.#trialsOf(number),
      referral: this.referrals.get(number) ?? null,
      sign_ups: this.sign_ups.get(number) ?? [],
      manual: of(this.manual),
      overrides: this.#overridesOf(number),
      taken: new Set(taken),
      isVoided: (payment, at) => this.#isVoided(payment, at),
      clicks: this.history.clicks,
      currency: this.history.currency,
      start: this.#start,
    };
  }

  #isVoided(name: number, at: number): boolean {
    const payment = this.payments.get(name);
    if (payment === undefined) return false;
    const { voided, voided_at } = this.corrections.get(name) ?? NO_CORRECTION;
    if (voided && at > voided_at) return true;
    return this.reversed(payment, at) >= payment.revenue + payment.tax;
  }
}

/** Whether a message names a customer by the usual id or email. */
function namesUsual(fact: Fact): boolean {
  return fact.kind !== "trial" && !isChange(fact) && (fact.kind !== "payment" || fact.by === "usual");
}
