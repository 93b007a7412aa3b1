import { currencyDecimals } from "@findersfee/contract/currencies";
import type { ProcessorMessage } from "@findersfee/contract/processors/messages";
import type { PaymentLine, PaymentMade } from "../../attribution/facts/payment-fact.ts";
import { toMinor } from "../../money.ts";
import { refuse } from "../unsupported.ts";

type PaymentMessage = Extract<ProcessorMessage, { type: "payment" }>;

export function readPayment({ data, occurred_at }: PaymentMessage): PaymentMade {
  const { payment_id, paid_at, currency, revenue_amount, paid_amount, line_items, ...rest } = data;
  const revenue_minor = readMoney({ amount: revenue_amount, currency, path: "data.revenue_amount" });
  const paid_minor = readMoney({
    amount: paid_amount ?? revenue_amount,
    currency,
    path: "data.paid_amount",
  });
  const lines = line_items.map(
    ({ product_id, amount, interval }, index): PaymentLine => ({
      product_id,
      ...(interval !== undefined && { interval }),
      amount_minor: readMoney({ amount, currency, path: `data.line_items[${index}].amount` }),
    }),
  );
  const sum = lines.reduce((total, { amount_minor }) => total + amount_minor, 0n);
  if (lines.length > 0 && sum !== revenue_minor) {
    refuse("data.line_items", "Must add up to the payment's revenue.");
  }
  return {
    kind: "payment",
    subject: payment_id,
    at: new Date(occurred_at),
    rank: 0,
    ...rest,
    paid_at: new Date(paid_at ?? occurred_at),
    currency,
    revenue_minor,
    paid_minor,
    lines,
  };
}

/** An amount in major units, with its path in the message. */
interface MajorAmount {
  amount: number;
  currency: string;
  path: string;
}

/** In minor units, exactly. */
export function readMoney({ amount, currency, path }: MajorAmount): bigint {
  return (
    toMinor(amount, currency) ??
    refuse(path, `Must have at most ${currencyDecimals(currency)} decimals, as ${currency} has.`)
  );
}
