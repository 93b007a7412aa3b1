import type { ProcessorMessageInput } from "@findersfee/contract/processors/messages";
import { partOf } from "./amounts.ts";
import {
  FAILS_AFTER,
  type Fact,
  failedRefund,
  type History,
  type Payment,
  paidPayment,
  unitOf,
} from "./history.ts";
import { type Message, type Names, otherPaymentId, paymentId, promoCode, whoOf } from "./names.ts";

/** The generic processor's messages of the fact at a step. None, if it is of a payment that the history does not have. */
export function genericMessagesOf(history: History, step: number, fact: Fact, names: Names): Message[] {
  const time = (at: number) => new Date(names.start + at).toISOString();
  const message = (part: string, body: ProcessorMessageInput): Message => ({
    id: `msg_${step}${part}`,
    body: JSON.stringify(body),
  });
  if (fact.kind === "refund_failure") {
    const failed = failedRefund(history, fact);
    if (failed === null) return [];
    const [number, refund] = failed;
    const [, message] = genericMessagesOf(history, number, { ...refund, fails: true }, names);
    return message === undefined ? [] : [{ ...message, id: `msg_${step}` }];
  }
  if (fact.kind === "refund" || fact.kind === "dispute") {
    const payment = paidPayment(history, fact.payment);
    if (payment === null) return [];
    const { currency } = payment;
    const reversal = {
      payment_id: paymentId(history, fact.payment),
      currency,
      amount: amountOf(payment, fact.percent),
    };
    if (fact.kind === "dispute") {
      const data = { ...reversal, dispute_id: `dp_${step}`, status: fact.status };
      return [message("", { type: "dispute", occurred_at: time(fact.at), data })];
    }
    const data = { ...reversal, refund_id: `re_${step}`, refunded_at: time(fact.at) };
    const failed = { ...data, status: "failed" as const };
    return [
      message("", { type: "refund", occurred_at: time(fact.at), data }),
      ...(fact.fails
        ? [message("f", { type: "refund", occurred_at: time(fact.at + FAILS_AFTER), data: failed })]
        : []),
    ];
  }
  const occurred_at = time(fact.at);
  const who = whoOf(history, fact);
  switch (fact.kind) {
    case "customer": {
      const { customer_id, ...others } = who;
      if (customer_id === null || who.email === null) return [];
      return [message("", { type: "customer", occurred_at, data: { ...others, customer_id } })];
    }
    case "trial": {
      const { customer_id } = who;
      if (customer_id === null) return [];
      const data = { subscription_id: `trial_${step}`, customer_id, status: "trialing" as const };
      return [message("", { type: "subscription", occurred_at, data: { ...data, started_at: occurred_at } })];
    }
    case "checkout": {
      const promo_codes = fact.codes.map((affiliate) => ({ code: promoCode(affiliate) }));
      const click_ids = fact.clicks.flatMap((click) => names.clicks[click] ?? []);
      const data = { ...who, checkout_id: `order_${step}`, promo_codes, click_ids };
      return [message("", { type: "checkout", occurred_at, data })];
    }
    case "payment":
      return [message("", { type: "payment", occurred_at, data: { ...who, ...paidBy(history, fact) } })];
  }
}

function paidBy(history: History, { name, currency, revenue, tax, lines, country, plan }: Payment) {
  const unit = unitOf(currency);
  const line_items = lines.map(({ product, amount, interval }) => ({
    product_id: product,
    amount: amount / unit,
    ...(interval !== null && { interval }),
  }));
  return {
    payment_id: paymentId(history, name),
    currency,
    revenue_amount: revenue / unit,
    paid_amount: (revenue + tax) / unit,
    line_items,
    ...(country !== null && { country }),
    ...(plan !== null && { metadata: { plan, other: "value" } }),
    references: [otherPaymentId(history, name) ?? ""],
  };
}

function amountOf({ currency, revenue, tax }: Payment, percent: number): number {
  return partOf(revenue + tax, percent) / unitOf(currency);
}
