import fc from "fast-check";
import type {
  CheckoutFact,
  CustomerFact,
  PaymentFact,
  PaymentMade,
} from "../../src/attribution/facts/payment-fact.ts";
import {
  amounts,
  charge,
  checkout,
  customer,
  dispute,
  link,
  payment,
  products,
  refund,
  refundedTotal,
  second,
  signUp,
  subscription,
} from "./reported.ts";

/** Who may bring customers in a story; the test gives each of them a click and a promo code. */
export const PARTNERS = 4;

/** The days on which each partner's link was clicked. */
export const CLICK_DAYS = [0, 20, 60] as const;

/** A placeholder for a partner's click or code until it exists. */
export interface Brought {
  partner: number;
  by: "click" | "code";
  clicked_on: (typeof CLICK_DAYS)[number];
}

/** The evidence that a checkout or sign-up carries for a partner. */
export type Bring = (brought: Brought) => { click_ids?: string[]; external_id?: string };

/** A customer's life in no fixed order; `bring` adds the referral source to a checkout. */
export type Story = (bring: Bring) => PaymentFact[];

const DAY = 24 * 60 * 60;
/** Few moments, so that many things happen at the same one. */
const moment = fc.integer({ min: 0, max: 40 }).map((day) => day * 3 * DAY);
const brought = fc.option(
  fc.record({
    partner: fc.integer({ min: 0, max: PARTNERS - 1 }),
    by: fc.constantFrom("click" as const, "code" as const),
    clicked_on: fc.constantFrom(...CLICK_DAYS),
  }),
);

/** A page reports a sign-up after a partner's click, this many days later. */
const signed_up = fc.record({
  partner: fc.integer({ min: 0, max: PARTNERS - 1 }),
  clicked_on: fc.constantFrom(...CLICK_DAYS),
  days_later: fc.integer({ min: 0, max: 25 }),
  email: fc.integer({ min: 0, max: 2 }),
});

const taken_back = fc.record({
  kind: fc.constantFrom("refund" as const, "dispute" as const, "total" as const),
  share: fc.constantFrom(1n, 2n, 3n, 10n),
  after: fc.integer({ min: 0, max: 3 }),
  /** When it comes back, if it does. */
  back_after: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
  by_charge: fc.boolean(),
  /** In another currency than the payment; the charge reports it, or no message does. */
  in_pounds: fc.constantFrom("never" as const, "never" as const, "told" as const, "untold" as const),
});

const paid = fc.record({
  day: moment,
  amount: fc.constantFrom(10_000n, 4_999n, 3n, 0n),
  currency: fc.constantFrom("USD", "USD", "USD", "EUR"),
  product: fc.constantFrom(null, "prod_a", "prod_b"),
  /** Some processors do not say who paid, only for which subscription. */
  is_named: fc.boolean(),
  is_proration: fc.boolean(),
  /** Whether the products are reported apart from the payment. */
  products_apart: fc.boolean(),
  /** Whether charges are reported, too: beside an invoice that is linked to them or not, or without one. */
  charged: fc.constantFrom("not", "not", "linked", "unlinked", "alone"),
  /** The field that rules ask for, and whether only charges report it. */
  interval: fc.constantFrom(undefined, "month" as const, "year" as const),
  country: fc.constantFrom(undefined, "DE", "US"),
  plan: fc.constantFrom(undefined, "pro", "basic"),
  told_by_charges: fc.boolean(),
  taken_back: fc.array(taken_back, { maxLength: 2 }),
});

const checked_out = fc.record({ day: moment, brought, is_named: fc.boolean() });

const life = fc.record({
  email: fc.integer({ min: 0, max: 2 }),
  checkouts: fc.array(checked_out, { minLength: 0, maxLength: 2 }),
  payments: fc.array(paid, { maxLength: 5 }),
  sign_ups: fc.array(signed_up, { maxLength: 2 }),
  statuses: fc.array(
    fc.tuple(
      moment,
      fc.constantFrom("active" as const, "past_due" as const, "trialing" as const, "canceled" as const),
    ),
    { maxLength: 3 },
  ),
});

/** A customer that a partner referred, and who paid once: each story has a commission to compare. */
const BUYER: Life = {
  email: 9,
  checkouts: [{ day: 30 * DAY, brought: { partner: 0, by: "click", clicked_on: 20 }, is_named: true }],
  payments: [
    {
      day: 30 * DAY,
      amount: 10_000n,
      currency: "USD",
      product: null,
      is_named: true,
      is_proration: false,
      products_apart: false,
      charged: "not",
      interval: undefined,
      country: undefined,
      plan: undefined,
      told_by_charges: false,
      taken_back: [],
    },
  ],
  sign_ups: [],
  statuses: [],
};

/** A few customers; some turn out to be the same person. */
export const stories: fc.Arbitrary<Story> = fc
  .array(life, { minLength: 1, maxLength: 3 })
  .map((lives) => (bring) => [...lives, BUYER].flatMap((life, number) => factsOf(life, number, bring)));

/**
 * The same story, but each customer's email is on one report only: that of a checkout or payment, where there is one.
 * `choices` says which.
 */
export function withSingleEmail(events: readonly PaymentFact[], choices: readonly number[]): PaymentFact[] {
  const named = new Map<string | null, PaymentFact[]>();
  for (const event of events) {
    if (!reportsEmail(event) || event.email === null) continue;
    named.set(event.customer_id, [...(named.get(event.customer_id) ?? []), event]);
  }
  const kept = [...named.values()].map((all, customer) => {
    const sales = all.filter(({ kind }) => kind === "checkout" || kind === "payment");
    const from = sales.length > 0 ? sales : all;
    return from[(choices[customer % choices.length] ?? 0) % from.length];
  });
  return events.map((event) =>
    reportsEmail(event) && !kept.includes(event) ? { ...event, email: null } : event,
  );
}

/** Whether an event may report the email of its customer. A sign-up is nothing without one. */
function reportsEmail(event: PaymentFact): event is CheckoutFact | CustomerFact | PaymentMade {
  return event.kind === "customer" || event.kind === "checkout" || event.kind === "payment";
}

type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

function factsOf(
  { email, checkouts, payments, sign_ups, statuses }: Life,
  number: number,
  bring: Bring,
): PaymentFact[] {
  const customer_id = `cus_${number}`;
  const name = { customer_id, email: `buyer${email}@customers.test` };
  const sub = `sub_${number}`;
  return [
    customer({ subject: customer_id, ...name, at: second(0) }),
    ...checkouts.map(({ day, brought, is_named }, index) => {
      const by = brought === null ? {} : bring(brought);
      return checkout({
        subject: `cs_${number}_${index}`,
        customer_id,
        email: is_named ? name.email : null,
        at: second(day + 60),
        opened_at: second(day),
        click_ids: by.click_ids ?? [],
        promo_codes: by.external_id === undefined ? [] : [{ external_id: by.external_id, code: null }],
        references: [`in_${number}_${index}`],
        belongs_to: [sub],
      });
    }),
    ...sign_ups.map(({ partner, clicked_on, days_later, email }, index) => {
      const [click_id = ""] = bring({ partner, by: "click", clicked_on }).click_ids ?? [];
      return signUp({
        subject: `${click_id}:${number}_${index}`,
        click_id,
        email: `BUYER${email}@customers.test`,
        at: second((clicked_on + days_later) * DAY + 5),
      });
    }),
    ...statuses.map(([day, status], index) =>
      subscription({ subject: sub, customer_id, status, at: second(day), rank: index }),
    ),
    ...payments.flatMap((payment, index) => toldPayment(payment, { id: `${number}_${index}`, name, sub })),
  ];
}

function toldPayment(
  {
    day,
    amount,
    currency,
    product,
    is_named,
    is_proration,
    products_apart,
    charged,
    interval,
    country,
    plan,
    told_by_charges,
    taken_back,
  }: Life["payments"][number],
  { id, name, sub }: { id: string; name: { customer_id: string; email: string }; sub: string },
): PaymentFact[] {
  const paid_minor = (amount * 119n) / 100n;
  const at = second(day + 1);
  const told = {
    ...(country !== undefined && { country }),
    ...(plan !== undefined && { metadata: { plan } }),
  };
  // Customers share two cards.
  const card = `card_${Number(id.split("_")[0]) % 2}`;
  const money = { currency, paid_minor, at, customer_id: name.customer_id, ...(told_by_charges && told) };
  const billed = interval === undefined ? {} : { interval };
  const charges = [
    charge({ subject: `pi_${id}`, ...money, references: [`ch_${id}`] }),
    charge({ subject: `ch_${id}`, ...money, payment_id: `pi_${id}`, references: [`pi_${id}`], card }),
  ];
  const gone = taken_back.flatMap((part, index) => toldReversal(part, { id, index, day, paid_minor }));
  if (charged === "alone") return [...charges, ...gone];
  return [
    payment({
      subject: `in_${id}`,
      ...(is_named ? name : { customer_id: name.customer_id }),
      at,
      currency,
      revenue_minor: amount,
      paid_minor,
      ...(products_apart
        ? { lines: [], lines_at: `in_${id}` }
        : { lines: product === null ? [] : [{ product_id: product, amount_minor: amount, ...billed }] }),
      ...(!told_by_charges && told),
      belongs_to: [sub],
      ...(charged === "not" ? {} : { names_no_charge: true as const }),
      ...(is_proration ? { is_proration: true } : {}),
    }),
    ...(products_apart
      ? [
          products({
            subject: `in_${id}`,
            references: [`in_${id}`],
            weights: [
              { product_id: product, weight: 2n, ...billed },
              { product_id: "prod_c", weight: 1n },
            ],
          }),
        ]
      : []),
    ...(taken_back.some(({ in_pounds }) => in_pounds === "told")
      ? [amounts({ subject: `ch_${id}`, amounts: [{ currency: "GBP", amount_minor: paid_minor * 2n }] })]
      : []),
    ...(charged === "not" ? [] : charges),
    // The report that links the two may never come.
    ...(charged === "unlinked"
      ? []
      : [
          link({ subject: `inpay_${id}`, references: [`in_${id}`, `pi_${id}`], at, has_report: true }),
          link({ subject: `ch_${id}`, references: [`pi_${id}`], at }),
        ]),
    ...gone,
  ];
}

function toldReversal(
  { kind, share, after, back_after, by_charge, in_pounds }: Life["payments"][number]["taken_back"][number],
  { id, index, day, paid_minor }: { id: string; index: number; day: number; paid_minor: bigint },
): PaymentFact[] {
  const since = second(day + after * DAY);
  const references = by_charge ? [`ch_${id}`] : [`pi_${id}`];
  const amount_minor = paid_minor / share;
  const part = { amount_minor, ...(in_pounds === "never" ? {} : { currency: "GBP" }) };
  if (kind === "total") return [refundedTotal({ subject: `ch_${id}`, ...part, at: since })];
  const make = kind === "refund" ? refund : dispute;
  const gone = make({ subject: `${kind}_${id}_${index}`, ...part, at: since, references });
  if (back_after === null) return [gone];
  const until = second(day + (after + back_after) * DAY);
  return [gone, { ...gone, at: until, rank: 1, until }];
}
