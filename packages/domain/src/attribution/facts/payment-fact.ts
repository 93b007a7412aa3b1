/*
 * What a payment processor reported us, in our words. Each processor has a mapping from its messages to these;
 * attribution, commissions and refunds know nothing else of processors.
 *
 * A message may say several things (a checkout that was paid at once is a checkout and a payment). Each is
 * the state of one subject at one moment: of two states of a subject the later one counts, whichever comes
 * first, so neither the order of the messages nor their number matters.
 */

/** A state of one subject. */
interface State {
  /** What it is about, by the processor's id: `cs_…`, `in_…`, `re_…`. Unique within the processor and kind. */
  subject: string;
  /** When the processor says that it came to be so: the time of the message. */
  at: Date;
  /**
   * Which of two states of the same `at` is the later one: the larger. Processors' clocks tick in seconds, so
   * states that follow one another (a dispute that needs a response, and is lost) get ascending ranks.
   */
  rank: number;
  /**
   * Ids of the processor that stand for the same payment: an invoice names its payment intent and charge, a
   * refund its charge and payment intent, a checkout the invoice or payment intent that it ended in. A refund is
   * of the payment with which it shares one, if need be by way of others. The subject itself need not be among
   * them. Empty for what is of no single payment.
   */
  references: string[];
  /**
   * Ids of larger things that it is part of, such as a subscription or a checkout: several payments may share
   * them, so they tell whose it is, and not which payment.
   */
  belongs_to: string[];
}

/** An amount in a currency. */
export interface Money {
  /** ISO 4217, capital letters. */
  currency: string;
  /** Minor units of it. */
  amount_minor: bigint;
}

/** A promotion code, by what is known of it. */
export interface UsedPromoCode {
  /** The processor's id of it, `promo_…`. */
  external_id: string | null;
  /** What the customer typed. */
  code: string | null;
}

/** Who paid, and who may have brought them. */
interface Customer {
  /** The processor's id of the customer; null for guests. */
  customer_id: string | null;
  /** As it was given; comparing ignores case. */
  email: string | null;
  /** Promotion codes that were used; of several that belong to affiliates the first one counts. */
  promo_codes: UsedPromoCode[];
  /** Click ids that the tracker handed over; of several the last click counts. */
  click_ids: string[];
  /** Discounts that the message does not tell the promotion codes of. */
  hidden_discounts?: HiddenDiscounts | undefined;
}

/** Discounts of which a message says only that there are some. */
export interface HiddenDiscounts {
  /** The processor's object that has them. */
  object_id: string;
  /** The subjects of the checkout facts that tell of them: by these it is known whether they were reported. */
  reported_by: string[];
}

/** A checkout that was completed, paid or not (a trial). It carries who brought the customer. */
export interface CheckoutFact extends State, Customer {
  kind: "checkout";
  /** When it was opened: attribution counts from then, since payments can be reported of before its completion. */
  opened_at: Date;
}

/** A customer as the processor has it now. */
export interface CustomerFact extends State, Customer {
  kind: "customer";
  customer_id: string;
  created_at: Date;
  /** Of states that were merged: the emails that it had, and since when. Mappings leave it out. */
  emails?: { email: string; since: Date }[];
  /** Likewise the promo codes and clicks. */
  referral_sources?: (UsedPromoCode & { click_id: string | null; since: Date })[];
}

/**
 * A sign-up that a page reported with a publishable key: the email of the person, and the click in `click_ids`. `at` is
 * the time of the report. Anyone can report one, so it is the weakest evidence of all.
 */
export interface SignUpFact extends State, Customer {
  kind: "signup";
  email: string;
}

/** Where a subscription stands. */
export interface SubscriptionFact extends State {
  kind: "subscription";
  /** When it was made, or else first reported; left out until states were merged if only `at` is known. */
  since?: Date;
  customer_id: string | null;
  /** Null: it has not begun, which says nothing about the customer. */
  status: "active" | "trialing" | "past_due" | "canceled" | null;
}

/** Money that has come in. */
export interface PaymentMade extends State, Customer {
  kind: "payment";
  /** When it was paid. */
  paid_at: Date;
  /** True for an invoice whose message does not say which charge paid it; left out otherwise. */
  names_no_charge?: true;
  /** True for an invoice about a change of a running subscription; left out otherwise. */
  is_proration?: true;
  /** Of a renewal: its subscription is at least as old. Left out otherwise. */
  subscribed_since?: Date;
  /** ISO 4217, capital letters. */
  currency: string;
  /** Minor units: what was paid, without tax and after discounts. Zero or less earns nothing. */
  revenue_minor: bigint;
  /** Minor units: all that was paid, tax too. Refunds are parts of this. */
  paid_minor: bigint;
  /** `paid_minor` in the currency that the customer paid in, if that is another one. */
  presented?: Money | undefined;
  /**
   * `revenue_minor` by product, whose sum it is. Parts may be negative (what is left of a former plan).
   * Empty: nothing is known of products.
   */
  lines: PaymentLine[];
  /** The processor's object that has the products, where the message does not carry them. */
  lines_at?: string | undefined;
}

export interface PaymentLine {
  /** The processor's id of the product; null: of none. */
  product_id: string | null;
  amount_minor: bigint;
}

/**
 * Money that a payment intent or a charge brought in. It is a payment of its own only as long as no checkout and no
 * invoice reports the same one.
 */
export interface ChargeMade extends State, Customer {
  kind: "charge";
  /** The id of the payment that it would be: the payment intent's, or else the charge's. */
  payment_id: string;
  /** Whether it is the payment intent, whose amount is the whole payment's. */
  is_intent: boolean;
  paid_at: Date;
  /** ISO 4217, capital letters. */
  currency: string;
  /** Minor units, tax too. */
  paid_minor: bigint;
}

/** A part of a payment that goes back, or went back for a while. */
interface TakenBack extends State {
  amount_minor: bigint;
  /** Of `amount_minor`; without it, the payment's. */
  currency?: string | undefined;
  since: Date;
  /** Null: it is still gone. Else when it came back: the refund failed, the dispute was won. */
  until: Date | null;
}

export interface RefundFact extends TakenBack {
  kind: "refund";
}

export interface DisputeFact extends TakenBack {
  kind: "dispute";
  /** What left the organization's balance, where that has another currency. */
  withdrawn?: Money | undefined;
}

/**
 * How much of a payment was refunded by then, for processors that tell the sum but not each refund. Refunds
 * that are known one by one are not counted twice.
 */
export interface RefundedTotal extends State {
  kind: "refunded_total";
  amount_minor: bigint;
  /** Of `amount_minor`; without it, the payment's. */
  currency?: string | undefined;
}

/** A whole payment in further currencies, so that parts of it that are in these can be converted. */
export interface AmountsFact extends State {
  kind: "amounts";
  amounts: Money[];
  /** What reached the organization's balance, before fees, in the balance's currency. */
  settled: Money | null;
}

/** The products of a payment whose own message does not carry them. */
export interface ProductsFact extends State {
  kind: "products";
  /** In any unit: the payment's revenue is divided in proportion. */
  weights: { product_id: string | null; weight: bigint }[];
}

/** Says only that its references belong together: which payment intent paid an invoice. */
export interface LinkFact extends State {
  kind: "link";
  /** True where a checkout or an invoice reports the payment: its charges are no payments of their own. */
  has_report?: true;
}

/** One thing that a processor's message says. */
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
  | LinkFact;
