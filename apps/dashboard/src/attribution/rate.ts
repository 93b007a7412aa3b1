import type { EarningStep } from "@findersfee/contract/attribution/payment-decisions";
import { formatMoney } from "@findersfee/ui/formats/money";

/** `30%`, or an amount in the organization's currency. */
export function rateOf(
  { type, amount, currency }: Pick<EarningStep, "type" | "amount" | "currency">,
  fixed_currency: string,
): string {
  return type === "percentage" ? `${amount}%` : formatMoney(amount, currency ?? fixed_currency);
}
