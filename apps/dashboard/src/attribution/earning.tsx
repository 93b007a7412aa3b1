import type { PaymentDecision } from "@findersfee/contract/attribution/payment-decisions";
import type { RemainingEarning } from "@findersfee/contract/attribution/reversals";
import { decimalsOfKnown } from "@findersfee/contract/currency-decimals";
import { formatMoney } from "@findersfee/ui/formats/money";
import type { ReactNode } from "react";
import { rateOf } from "./rate.ts";
import { reversal_texts } from "./reversal-texts.ts";
import { changeName } from "./reversals.ts";
import { texts } from "./texts.ts";

type Step = PaymentDecision["explanation"]["steps"][number];

export type EarnedPayment = Pick<
  PaymentDecision,
  "revenue_amount" | "currency" | "commission_amount" | "explanation" | "outcome"
> &
  Partial<Pick<PaymentDecision, "paid_amount">>;

interface EarningProps {
  payment: EarnedPayment;
  fixed_currency: string;
  /** The later changes by refunds, disputes and people. */
  remaining?: RemainingEarning | null;
  /** The amount that a person set, instead of one by the rates. */
  set_by_hand?: number | null;
}

/** From the payment to the commission and its remainder, line by line. */
export function Earning({ payment, fixed_currency, remaining = null, set_by_hand = null }: EarningProps) {
  const { currency, revenue_amount, paid_amount, commission_amount, explanation } = payment;
  const money = (amount: number) => formatMoney(amount, currency);
  const has_tax = paid_amount !== undefined && paid_amount !== revenue_amount;
  const { steps, exact_amount } = explanation;
  const is_rounded = exact_amount?.includes(".") ?? false;
  return (
    <table className="-my-1 w-full text-table">
      <tbody>
        {has_tax && (
          <>
            <Line label={texts.paid_with_tax} amount={money(paid_amount)} />
            <Line label={texts.tax} amount={money(revenue_amount - paid_amount)} />
          </>
        )}
        <Line label={texts.net} amount={money(revenue_amount)} strong />
        {steps.map((step) => (
          <Line
            key={`${step.rule} ${step.rule_id} ${step.product_id}`}
            label={
              <>
                {isExcluded(step) ? texts.excluded : texts.rules[step.rule]} {step.rule_name}
                {step.tags !== undefined && (
                  <span className="block text-meta">{texts.by_tags(step.tags)}</span>
                )}
                {step.product_id !== null && <code className="font-mono text-meta">{step.product_id}</code>}
                {step.conversion !== null && (
                  <span className="block text-meta">{texts.converted(step.conversion)}</span>
                )}
              </>
            }
            amount={
              step.type === "percentage"
                ? `${rateOf(step, fixed_currency)} ${texts.of(money(step.of_amount))}`
                : fixedAmount(step, { currency, fixed_currency })
            }
          />
        ))}
        {exact_amount !== null && is_rounded && (
          <Line label={texts.exact} amount={exactMoney(exact_amount, currency)} />
        )}
        {commission_amount > 0 && (
          <Line
            label={is_rounded ? texts.rounded : texts.commission}
            amount={money(commission_amount)}
            strong
          />
        )}
        {set_by_hand !== null && <Line label={texts.set_by_hand} amount={money(set_by_hand)} strong />}
        {remaining !== null && remaining.changes.length > 0 && (
          <Remaining remaining={remaining} currency={currency} />
        )}
      </tbody>
    </table>
  );
}

function Remaining({ remaining, currency }: { remaining: RemainingEarning; currency: string }) {
  const signed = (amount: number) => `${amount < 0 ? "−" : "+"}${formatMoney(Math.abs(amount), currency)}`;
  return (
    <>
      {remaining.changes.map((change) => (
        <Line
          key={`${change.at} ${change.kind} ${change.amount}`}
          label={<bdi>{changeName(change)}</bdi>}
          amount={signed(change.amount)}
        />
      ))}
      <Line label={reversal_texts.remains} amount={formatMoney(remaining.amount, currency)} strong />
    </>
  );
}

/**
 * A fixed amount, and its conversion to the payment's currency: `$50.00 = €46.24`. The cap is in that
 * currency.
 */
function fixedAmount(
  step: Step,
  { currency, fixed_currency }: { currency: string; fixed_currency: string },
): string {
  const { rule, amount, conversion } = step;
  if (rule === "commission_cap") return formatMoney(amount, currency);
  const own = formatMoney(amount, step.currency ?? fixed_currency);
  return conversion === null ? own : `${own} = ${formatMoney(conversion.amount, conversion.currency)}`;
}

/** A rate of 0 excludes a product. */
const isExcluded = ({ rule, amount }: Step) => rule === "product" && amount === 0;

function Line({ label, amount, strong = false }: { label: ReactNode; amount: string; strong?: boolean }) {
  return (
    <tr className={strong ? "border-line font-medium not-first:border-t" : "text-muted"}>
      <th scope="row" className={`py-1 pr-4 text-left ${strong ? "font-medium" : "font-normal"}`}>
        {label}
      </th>
      <td className="py-1 text-right whitespace-nowrap tabular-nums">{amount}</td>
    </tr>
  );
}

/** An exact amount in minor units, such as `1469.5`, in major ones with all of its decimals: `$14.695`. */
function exactMoney(minor: string, currency: string): string {
  const decimals = decimalsOfKnown(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
  })
    .format(Number(`${minor}e-${decimals}`))
    .replace("-", "−");
}
