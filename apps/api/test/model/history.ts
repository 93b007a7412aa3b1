/*
 * A history: what an organization sets, and what happens to it. Names are small numbers, so that a history without some of
 * its steps is a history, too.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Rate {
  type: "percentage" | "fixed";
  /** Percent, or major units of the organization's currency. */
  amount: number;
}

/** What a rule asks for; all of it must be so. */
export interface Conditions {
  products?: readonly string[];
  intervals?: readonly Interval[];
  payments?: Range;
  months?: Range;
  countries?: readonly string[];
  currencies?: readonly string[];
  /** Major units. */
  amount?: { currency: string; from?: number; below?: number };
  /** A plan, in the payment's metadata. */
  plans?: readonly string[];
  /** Tiers of the campaign, by number. */
  tiers?: readonly number[];
}

export type Interval = "month" | "year" | "one_time";

interface Range {
  from?: number;
  to?: number;
}

export interface Rule {
  conditions: Conditions;
  /** A percentage, major units by currency, or nothing. */
  reward: number | Readonly<Record<string, number>> | null;
}

/** What a lead is: a sign-up, a trial, or the name of a conversion. */
export type LeadKind = "signup" | "trial" | "demo" | "call";

/** What a campaign pays for a kind of lead. */
export interface LeadTerms {
  kind: LeadKind;
  /** Major units of the organization's currency. */
  amount: number;
  daily_limit: number | null;
}

/** What payments earn in a tier; `as_before`: as in the tier before. */
export type TierReward = Rule["reward"] | "as_before";

/** What a recruiter gets of a recruit's commissions, for so many months. */
export interface Recruiting {
  percent: number;
  months: number;
}

/** What a campaign pays for. */
export interface Terms {
  rate: Rate;
  first_payment: Rate | null;
  /** By product. */
  products: Readonly<Record<string, Rate>>;
  limit: { type: "months" | "payments"; amount: number } | null;
  customers: "new" | "any";
  attribution: "first_click" | "last_click";
  /** In days. */
  cookie_duration: number;
  commission_cap: boolean;
  skip_prorations: boolean;
  /** They precede the rates. */
  rules: readonly Rule[];
  leads: readonly LeadTerms[];
  /** Which commissions wait for a review: all or the first of an affiliate, and those above an amount in major units. */
  review: "none" | "all" | "first";
  review_above: number | null;
  recruiting: Recruiting | null;
  /** Of its tiers, the lowest first. */
  tiers: readonly TierReward[];
}

/** An affiliate at the start of a history. */
export interface Partner {
  campaign: number;
  approved: boolean;
  /** The customer that the affiliate is, or null. */
  is_customer: number | null;
  /** Rules of its own, from a time on. */
  own_rules: { from: number; rules: readonly Rule[] } | null;
  /** An affiliate of the same campaign with a smaller number. Omitted: nobody. */
  recruited_by?: number;
}

/**
 * How processors know a customer: by id and email in each message, by id with the email in some messages only, or by
 * email alone.
 */
export type Acquaintance = "both" | "some" | "guest";

/** How long after a refund it fails. */
export const FAILS_AFTER = HOUR;

/** What a message says of its customer, and when it occurred. */
interface Occurrence {
  customer: number;
  /** Milliseconds after the start of the history; before it if negative. */
  at: number;
  /** Whether a message of a customer who is known by id has the email, too. */
  names_email: boolean;
}

export interface Checkout extends Occurrence {
  kind: "checkout";
  /** Affiliates, in the order of their codes. */
  codes: readonly number[];
  /** The history's clicks. */
  clicks: readonly number[];
}

export interface Line {
  product: string | null;
  /** In minor units. */
  amount: number;
  /** Null: nobody says how it is billed. */
  interval: Interval | null;
}

/** What reports a payment at Stripe: an invoice, or a payment intent or a charge without one. */
export type Form = "invoice" | "intent" | "charge";

export interface Payment extends Occurrence {
  kind: "payment";
  name: number;
  form: Form;
  /** How it names its customer: as all messages do, or by what the customer's record or referral was changed to. */
  by: "usual" | "new_email" | "new_id";
  currency: string;
  /** In minor units, without tax. */
  revenue: number;
  tax: number;
  /** The revenue by product; empty if the products are unknown. */
  lines: readonly Line[];
  proration: boolean;
  country: string | null;
  /** In the metadata. */
  plan: string | null;
  /** It is paid and reported between the deeds before and after it, instead of at its time. */
  is_now?: boolean;
}

export interface CustomerRecord extends Occurrence {
  kind: "customer";
  /** It has the customer's new email. */
  changes_email: boolean;
}

/** The customer's subscription is a trial. */
export interface Trial extends Occurrence {
  kind: "trial";
}

/** Percent of the paid amount. */
export interface Refund {
  kind: "refund";
  payment: number;
  at: number;
  percent: number;
  /** It is reported again as failed. */
  fails: boolean;
}

/** A refund of the payment is reported to have failed: the first of the history. */
export interface RefundFailure {
  kind: "refund_failure";
  payment: number;
  at: number;
}

export interface Dispute {
  kind: "dispute";
  payment: number;
  at: number;
  percent: number;
  status: "inquiry" | "open" | "lost" | "won";
}

/** A message of a processor. */
export type Fact = Checkout | Payment | CustomerRecord | Trial | Refund | RefundFailure | Dispute;

export interface ManualCommission {
  customer: number;
  payment: number | null;
  /** The payment's other name: its intent at Stripe, or a reference. */
  by_other_name: boolean;
  amount: number;
  days_ago: number;
}

/** What people and programs do, at the time of its step. */
export type Deed =
  /** A referral by API. */
  | { kind: "refer"; customer: number; affiliate: number }
  /** A sign-up that a page reports, perhaps signed by the backend. */
  | { kind: "sign_up"; customer: number; click: number; signed: boolean }
  | { kind: "set_rate"; campaign: number; rate: Rate }
  | { kind: "set_review"; campaign: number; terms: Pick<Terms, "review" | "review_above"> }
  | { kind: "set_leads"; campaign: number; leads: readonly LeadTerms[] }
  | { kind: "set_recruiting"; campaign: number; recruiting: Recruiting | null }
  | { kind: "set_tiers"; campaign: number; tiers: readonly TierReward[] }
  /** A tier, by number, is stored as the affiliate's from a time on; null: none. */
  | { kind: "set_tier"; affiliate: number; tier: number | null; since: number }
  /** A conversion that a backend reports. With a click, a customer without a referral becomes one of its affiliate. */
  | {
      kind: "convert";
      customer: number;
      name: "demo" | "call";
      by: "email" | "id" | "click";
      click: number;
      hours_ago: number;
    }
  /** Whether fixed amounts are converted. */
  | { kind: "set_converts"; converts: boolean }
  | ({ kind: "enter_rate" } & RateOfDay)
  | { kind: "set_affiliate"; affiliate: number; banned?: boolean; approved?: boolean }
  | { kind: "set_payouts"; hold_days?: number; minimum?: number }
  /** Percent of what the commission of a payment is now. */
  | { kind: "correct"; payment: number; percent: number }
  | { kind: "void"; payment: number }
  /** Decides on a commission in review, or approves one that was rejected. */
  | { kind: "approve" | "reject"; payment: number }
  | { kind: "restore"; payment: number }
  /** The same of what a recruiter gets of the commission of a payment. */
  | { kind: "void_recruits" | "restore_recruits"; payment: number }
  /** Decides that a commission stays voided when its payment earns again, or takes that back. */
  | { kind: "keep_voided"; payment: number; stays: boolean }
  /** A manual commission of the customer's referral, perhaps for a payment, by one of its names. */
  | ({ kind: "manual" } & ManualCommission)
  /** The referral gets another id of the customer. */
  | { kind: "change_id"; customer: number }
  /** Moves a customer to an affiliate, perhaps with the commissions that are in no payout. */
  | { kind: "move_customer"; customer: number; affiliate: number; unpaid_commissions: boolean }
  /** Credits a payment to an affiliate, perhaps with the customer's earlier ones. */
  | { kind: "credit"; payment: number; affiliate: number; past_payments: boolean }
  | { kind: "stop_customer"; customer: number }
  /** Ends a stop, or undoes an override; of those so far, by number. */
  | { kind: "resume" | "undo"; override: number }
  /** In minor units of a currency, or of the organization's. */
  | { kind: "adjust"; affiliate: number; amount: number; currency: string | null }
  /** Withdraws or restores an adjustment; of those so far, by number. */
  | { kind: "set_adjustment"; adjustment: number; voided: boolean }
  /** Decides a payment again, with the current settings. */
  | { kind: "rerun"; payment: number }
  | { kind: "run" }
  /** Moves the payouts that are open. */
  | { kind: "move"; status: "processing" | "paid" | "failed" | "canceled" }
  /** The money of all paid payouts came back. */
  | { kind: "return" };

/** A reference rate that a member of the organization enters. */
export interface RateOfDay {
  currency: string;
  /** Units for 1 EUR, as a decimal number. */
  rate: string;
  /** Before the day on which the history starts. */
  days_ago: number;
}

export type Step = (Fact & { twice: boolean }) | Deed;

/** The generic processor, or a version of Stripe's API. */
export type Processor = "generic" | "2026-10-28.endive" | "2024-11-20.acacia";

export interface History {
  processor: Processor;
  currency: string;
  campaigns: readonly Terms[];
  affiliates: readonly Partner[];
  customers: readonly Acquaintance[];
  /** The affiliates of the clicked links, in order, before the first step. */
  clicks: readonly number[];
  /** What is entered at the start. Fixed amounts are converted if there are any. */
  rates: readonly RateOfDay[];
  steps: readonly Step[];
}

const FACTS: ReadonlySet<string> = new Set([
  "checkout",
  "payment",
  "customer",
  "trial",
  "refund",
  "refund_failure",
  "dispute",
]);

export function isFact(step: Step): step is Fact & { twice: boolean } {
  return FACTS.has(step.kind);
}

/** The minor units in a major unit. */
export function unitOf(currency: string): number {
  return { JPY: 1, KWD: 1000 }[currency] ?? 100;
}

/** The step and the refund that a failure is about. */
export function failedRefund({ steps }: History, { payment }: RefundFailure): [number, Refund] | null {
  const number = steps.findIndex((step) => step.kind === "refund" && step.payment === payment);
  const refund = steps[number];
  return refund?.kind === "refund" ? [number, refund] : null;
}

/** The payment with a name, if the history has it. */
export function findPayment({ steps }: History, name: number): Payment | null {
  const payment = steps.find((step) => step.kind === "payment" && step.name === name);
  return payment?.kind === "payment" ? payment : null;
}

/** The payment with a name, if the history has it and something was paid. */
export function paidPayment(history: History, name: number): Payment | null {
  const payment = findPayment(history, name);
  return payment !== null && payment.revenue > 0 ? payment : null;
}
