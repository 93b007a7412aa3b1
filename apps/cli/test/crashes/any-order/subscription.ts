import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import type { SampleLine } from "@findersfee/samples/stripe/invoice-line";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";
import {
  type AttributionSources,
  attributionSources,
  DISCOUNT,
  reportDiscount,
} from "./attribution-sources.ts";
import { payInvoice, someCase } from "./invoices.ts";
import { line, type Payer, products, shareOf, someAmount } from "./payer.ts";
import { DAY, MINUTE, type Timeline } from "./timeline.ts";

type Subscriber = Payer & { customer: string };

/** The length of a billing period in seconds. */
const MONTH = 30 * DAY;
const TRIAL = 14 * DAY;

/** A customer's subscription plan. */
interface Plan {
  product: (typeof products)[number];
  amount: number;
}

/** A subscription's lifecycle: from its checkout over renewals and plan changes to its end. */
export class Subscription {
  readonly #timeline: Timeline;
  readonly #payer: Subscriber;
  readonly #id: string;
  readonly #started: number;
  readonly #brought: AttributionSources;
  #plan: Plan;
  #balance = 0;
  #trial_end: number | null = null;

  constructor(timeline: Timeline, payer: Subscriber, opened: number) {
    const { random } = timeline;
    this.#timeline = timeline;
    this.#payer = payer;
    this.#id = timeline.id("sub");
    this.#started = opened + random.between(10, 5 * MINUTE);
    this.#brought = attributionSources(timeline, { at: this.#started });
    this.#plan = this.#somePlan();
    const first_invoice = timeline.id("in");
    if (random.chance(0.25)) this.#trial_end = this.#started + TRIAL;
    this.#checkout(opened, first_invoice);
    this.#begin(first_invoice);
    const months = random.between(0, 4);
    const renewed = this.#trial_end ?? this.#started + MONTH;
    for (let month = 0; month < months; month++) this.#renew(renewed + month * MONTH);
    if (random.chance(0.4)) this.#end(renewed + months * MONTH - random.pick([0, 5 * DAY]));
  }

  #somePlan(): Plan {
    const { random } = this.#timeline;
    return { product: random.pick([...products]), amount: someAmount(this.#payer, random) };
  }

  /** Not every merchant uses Stripe's checkout; a click can also be in the metadata. */
  #checkout(opened: number, invoice: string): void {
    const { random } = this.#timeline;
    const { api_version, currency, customer, email } = this.#payer;
    const { click, discount } = this.#brought;
    if (discount !== null) {
      const start = this.#started - random.pick([0, 0, 1]);
      reportDiscount(this.#timeline, this.#payer, { ...discount, start, subscription: this.#id });
    }
    if (random.chance(0.15)) return;
    const session = sampleCheckoutSession(api_version, {
      id: this.#timeline.id("cs"),
      created: opened,
      mode: "subscription",
      payment_status: this.#trial_end === null ? "paid" : "no_payment_required",
      currency,
      amount_subtotal: this.#trial_end === null ? this.#plan.amount : 0,
      customer,
      email: someCase(email, this.#timeline),
      invoice,
      subscription: this.#id,
      promotion_code: discount?.promotion_code ?? null,
      client_reference_id: click,
    });
    // Its events may arrive just before or after the payment of its last period.
    const at = this.#started + random.pick([0, 0, 3]);
    this.#timeline.report("checkout.session.completed", session, { at, api_version });
  }

  #begin(invoice: string): void {
    if (this.#trial_end !== null) {
      this.#report("created", "trialing", this.#started);
      const free = line(this.#payer, { product: this.#plan.product, amount: 0 });
      this.#pay([free], { at: this.#started, reason: "subscription_create", id: invoice });
      return;
    }
    this.#report("created", "incomplete", this.#started);
    this.#report("updated", "active", this.#started);
    const { product, amount } = this.#plan;
    const off =
      this.#brought.discount === null
        ? 0
        : shareOf(amount, this.#timeline.random.pick([DISCOUNT, 1]), this.#payer);
    const first = line(this.#payer, { product, amount, discount: off });
    this.#pay([first], { at: this.#started, reason: "subscription_create", id: invoice });
  }

  #renew(at: number): void {
    const { random } = this.#timeline;
    const is_late = random.chance(0.15);
    if (is_late) this.#report("updated", "past_due", at);
    const paid_at = is_late ? at + 4 * DAY : at;
    if (is_late || at === this.#trial_end) this.#report("updated", "active", paid_at);
    const fee = random.chance(0.15)
      ? [line(this.#payer, { product: null, amount: someAmount(this.#payer, random) })]
      : [];
    this.#pay([line(this.#payer, this.#plan), ...fee], { at: paid_at, reason: "subscription_cycle" });
    if (random.chance(0.3)) this.#change(paid_at + random.pick([10, 10 * DAY, 15 * DAY]));
  }

  /** Credits the unused part of the old plan, and charges the rest of the period for the new one. */
  #change(at: number): void {
    const left = this.#timeline.random.pick([1, 0.6666, 0.5]);
    const before = this.#plan;
    this.#plan = this.#somePlan();
    const part = (plan: Plan, sign: 1 | -1) =>
      line(this.#payer, {
        product: plan.product,
        amount: sign * shareOf(plan.amount, left, this.#payer),
        proration: true,
      });
    this.#report("updated", "active", at);
    this.#pay([part(before, -1), part(this.#plan, 1)], { at, reason: "subscription_update" });
  }

  #end(at: number): void {
    const { api_version } = this.#payer;
    const { random } = this.#timeline;
    if (random.chance(0.3)) this.#report("updated", "unpaid", at);
    const object = this.#object("canceled", at);
    this.#timeline.report("customer.subscription.deleted", object, { at, api_version });
  }

  #pay(lines: SampleLine[], { at, reason, id }: { at: number; reason: string; id?: string }): void {
    const { discount, other_click } = this.#brought;
    const is_first = reason === "subscription_create";
    this.#balance = payInvoice(this.#timeline, this.#payer, {
      ...(id === undefined ? {} : { id }),
      lines,
      at,
      subscription: this.#id,
      balance: this.#balance,
      discount: is_first ? discount : null,
      reason,
      metadata: is_first && other_click !== null ? { findersfee_click_id: other_click } : {},
    });
  }

  #report(what: "created" | "updated", status: string, at: number): void {
    const { api_version } = this.#payer;
    const object = this.#object(status, null);
    this.#timeline.report(`customer.subscription.${what}`, object, { at, api_version });
  }

  #object(status: string, canceled_at: number | null) {
    const { api_version, currency, customer } = this.#payer;
    const { product, amount } = this.#plan;
    return sampleSubscription(api_version, {
      id: this.#id,
      created: this.#started,
      customer,
      currency,
      status,
      price: { id: `price_${product}`, product, unit_amount: amount },
      canceled_at,
      trial_end: this.#trial_end,
    });
  }
}
