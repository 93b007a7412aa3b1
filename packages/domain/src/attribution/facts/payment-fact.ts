import type { BillingInterval } from "@findersfee/contract/campaigns/rules";

/*
 * The facts that payment processors report, in one form for all processors. Each processor has a mapping from its
 * messages to these facts. Attribution, commissions and refunds know nothing else of processors.
 *
 * A message may contain several facts (a checkout that was paid at once is a checkout and a payment). Each fact is the
 * state of one subject at one time. Of two states of a subject the later one counts, regardless of which arrives first,
 * so neither the order nor the number of messages matters.
 */

/** The state of one subject. */
interface State {
  /** The processor's id of the subject: `cs_…`, `in_…`, `re_…`. Unique within the processor and kind. */
  subject: string;
  /** The time of the state by the processor's clock: the time of the message. */
  at: Date;
  /**
   * Orders states with the same `at`; the larger rank is later. Processors' clocks tick in seconds, so consecutive
   * states (a dispute that needs a response, then is lost) get ascending ranks.
   */
  rank: number;
  /**
   * Processor ids of the same payment. An invoice names its payment intent and charge, a refund its charge and payment
   * intent, a checkout its resulting invoice or payment intent. A refund belongs to the payment with which it shares an
   * id, directly or through others. The subject itself need not be included. Empty for facts that belong to no single
   * payment.
   */
  references: string[];
  /**
   * Ids of parent objects, such as a subscription or a checkout. Several payments may share them, so they identify the
   * customer and not the payment.
   */
  belongs_to: string[];
}

/** An amount in a currency. */
export interface Money {
  /** ISO 4217, capital letters. */
  currency: string;
  /** Minor units. */
  amount_minor: bigint;
}

/**
 * The card that paid: in a mapping the processor's fingerprint of its number, and in stored facts a keyed hash of that. Omitted: it
 * was no card, or no campaign asks for cards.
 */
type Card = string;

/** A promotion code, by id, text or both. */
export interface UsedPromoCode {
  /** The processor's id, `promo_…`. */
  external_id: string | null;
  /** The text that the customer typed. */
  code: string | null;
}

/** The customer, with the evidence for attribution. */
interface Customer {
  /** The processor's customer id; null for guests. */
  customer_id: string | null;
  /** The email as reported; comparisons ignore case. */
  email: string | null;
  /** Promotion codes that were used. If several belong to affiliates, the first one counts. */
  promo_codes: UsedPromoCode[];
  /** Click ids from the tracker. If there are several, the last click counts. */
  click_ids: string[];
  /** ISO 3166, two capital letters. Omitted if it is not reported. */
  country?: string | undefined;
  /** Discounts without promotion codes in the message. */
  hidden_discounts?: HiddenDiscounts | undefined;
  /** Keys that rules of the organization name, with their values. Omitted if there are none. */
  metadata?: Record<string, string> | undefined;
}

/** Discounts that a message mentions without their promotion codes. */
export interface HiddenDiscounts {
  /** The processor's object that has the promotion codes. */
  object_id: string;
  /** The subjects of the checkout facts that report the promotion codes, to detect whether they have arrived. */
  reported_by: string[];
}

/** A completed checkout, paid or not (a trial). It carries the evidence for attribution. */
export interface CheckoutFact extends State, Customer {
  kind: "checkout";
  /**
   * When it was opened. Attribution counts from then, because payments can be reported before the checkout completes.
   */
  opened_at: Date;
  /** True for a discount, which names the promo code of another checkout and counts from that one. Otherwise omitted. */
  is_discount?: true;
}

/** The current state of a customer at the processor. */
export interface CustomerFact extends State, Customer {
  kind: "customer";
  customer_id: string;
  created_at: Date;
  /** Set by merging: former and current emails with the time of their first report. Mappings omit it. */
  emails?: { email: string; since: Date }[];
  /** Set by merging: promo codes and clicks with the time of their first report. Mappings omit it. */
  referral_sources?: (UsedPromoCode & { click_id: string | null; since: Date })[];
}

/**
 * A sign-up that a page reported with a publishable key: the person's email, and the click in `click_ids`. `at` is the
 * time of the report. Anyone can report one, so it is the weakest evidence.
 */
export interface SignUpFact extends State, Customer {
  kind: "signup";
  email: string;
}

/** The status of a subscription. */
export interface SubscriptionFact extends State {
  kind: "subscription";
  /** When it was created, or else first reported; omitted until states are merged if only `at` is known. */
  since?: Date;
  customer_id: string | null;
  /** When it was first reported as a trial. Set by merging, from reports of that status; omitted: it never was. */
  trial_since?: Date;
  /** Null: it has not started, which says nothing about the customer. */
  status: "active" | "trialing" | "past_due" | "canceled" | null;
}

/** Money received. */
export interface PaymentMade extends State, Customer {
  kind: "payment";
  /** When it was paid. */
  paid_at: Date;
  /** True for an invoice without a reported charge; otherwise omitted. */
  names_no_charge?: true;
  /**
   * The part of `paid_minor` that charges collected, if the rest was paid outside the processor. Otherwise
   * omitted.
   */
  charged_minor?: bigint;
  /** True for an invoice about a change of a running subscription; otherwise omitted. */
  is_proration?: true;
  /** For a renewal: the minimum age of its subscription. Otherwise omitted. */
  subscribed_since?: Date;
  /** ISO 4217, capital letters. */
  currency: string;
  /** Amount paid without tax and after discounts, in minor units. Zero or less earns nothing. */
  revenue_minor: bigint;
  /** Total amount paid with tax, in minor units. Refunds are parts of it. */
  paid_minor: bigint;
  /** `paid_minor` in the currency that the customer paid in, if it differs. */
  presented?: Money | undefined;
  /**
   * `revenue_minor` divided by product; the parts add up to it. Parts may be negative (unused time of a former plan).
   * Empty: nobody names products, so all of it counts at the campaign's rate, unless `lines_at` names an object.
   */
  lines: PaymentLine[];
  /** The processor's object that has the products, if the message does not include them. */
  lines_at?: string | undefined;
}

export interface PaymentLine {
  /** The processor's product id; null: no product. */
  product_id: string | null;
  amount_minor: bigint;
  /** How often it is billed. Omitted if it is not known. */
  interval?: BillingInterval;
}

/**
 * Money that a payment intent or a charge collected. It is a payment of its own only while no checkout or
 * invoice reports the same payment.
 */
export interface ChargeMade extends State, Customer {
  kind: "charge";
  /** The id of that payment: the payment intent's, or else the charge's. */
  payment_id: string;
  /** Whether it is the payment intent, which has the amount of the whole payment. */
  is_intent: boolean;
  paid_at: Date;
  /** ISO 4217, capital letters. */
  currency: string;
  /** Minor units, with tax. */
  paid_minor: bigint;
  card?: Card;
}

/** A part of a payment that is returned, permanently or temporarily. */
interface Reversal extends State {
  amount_minor: bigint;
  /** Currency of `amount_minor`; omitted: the payment's. */
  currency?: string | undefined;
  since: Date;
  /** When the money came back (the refund failed, the dispute was won). Null: it is still gone. */
  until: Date | null;
}

export interface RefundFact extends Reversal {
  kind: "refund";
}

export interface DisputeFact extends Reversal {
  kind: "dispute";
  /** The amount debited from the organization's balance, if the balance has another currency. */
  withdrawn?: Money | undefined;
}

/**
 * The total refunded amount of a payment at a time, from processors that report the sum without the single refunds.
 * Refunds known by id are not counted twice.
 */
export interface RefundedTotal extends State {
  kind: "refunded_total";
  amount_minor: bigint;
  /** Currency of `amount_minor`; omitted: the payment's. */
  currency?: string | undefined;
}

/** A whole payment in other currencies, to convert refunds and disputes in these. */
export interface AmountsFact extends State {
  kind: "amounts";
  amounts: Money[];
  /** The amount credited to the organization's balance, before fees, in the balance's currency. */
  settled: Money | null;
  card?: Card;
}

/** The products of a payment, if its own message does not include them. */
export interface ProductsFact extends State {
  kind: "products";
  /** In any unit: the payment's revenue is divided in proportion. */
  weights: { product_id: string | null; weight: bigint; interval?: BillingInterval }[];
}

/** Links references: for example, which payment intent paid an invoice. */
export interface LinkFact extends State {
  kind: "link";
  /** True if a checkout or an invoice reports the payment, so that its charges are not payments of their own. */
  has_report?: true;
  card?: Card;
}

/**
 * A person's decision about a customer, in place of the other facts. It is a fact like those of processors,
 * so the result does not depend on their order. `at` is the time of its last change: made, ended or undone.
 *
 * - `move`: payments from `since` on belong to the affiliate, and so do the listed commissions.
 * - `credit`: the listed payments earn for the affiliate, even if other rules would refuse them.
 * - `stop`: payments from `since` to `until` earn nothing.
 */
export interface OverrideFact extends State {
  kind: "override";
  type: "move" | "credit" | "stop";
  customer_id: string | null;
  /** Also of the referral that a credit creates if the customer has none. */
  email: string | null;
  /** Null for a stop. */
  affiliate_id: string | null;
  /** The payments of a credit. */
  payments: { processor: string; id: string }[];
  /** The commissions that a move takes along, each with the affiliate who had it. */
  commissions: { id: string; affiliate_id: string }[];
  since: Date;
  /** When a stop ended; null: it has not, or it is none. */
  until: Date | null;
  /** Null: it counts. */
  undone_at: Date | null;
  /** As in the audit log. */
  created_by: string;
  reason: string;
}

/** One fact of a processor's message. */
export type PaymentFact =
  | CheckoutFact
  | CustomerFact
  | SignUpFact
  | SubscriptionFact
  | PaymentMade
  | ChargeMade
  | RefundFact
  | DisputeFact
  | RefundedTotal
  | AmountsFact
  | ProductsFact
  | LinkFact
  | OverrideFact;
