import type { EarningStep } from "@findersfee/contract/attribution/payment-decisions";
import { nameOf } from "../affiliates/name.ts";
import { leadName } from "../attribution/lead-texts.ts";
import { rateOf } from "../attribution/rate.ts";
import type { CommissionRow } from "./queries.ts";
import { texts } from "./texts.ts";

/** The rate in short: `30%`, `50%, first payment`, `By product`, `Sign-up`. */
export function ruleOf(
  {
    steps,
    decision_id,
    reversal_of,
    lead,
    recruit,
  }: Pick<CommissionRow, "steps" | "decision_id" | "reversal_of" | "lead" | "recruit">,
  fixed_currency: string,
): string {
  if (reversal_of !== null) return texts.reversal;
  if (recruit !== null) return texts.of_recruit(recruit.percent, nameOf(recruit.affiliate));
  if (lead !== null) return leadName(lead);
  if (decision_id === null) return texts.manual;
  const rates = steps.filter(({ rule }) => rule !== "commission_cap");
  const [first] = rates;
  if (first === undefined) return "—";
  if (rates.length > 1 || first.rule === "product") return texts.by_product;
  const rate = rateOf(first, fixed_currency);
  if (isCapped(steps)) return texts.capped(rate);
  return first.rule === "first_payment" ? texts.first_payment(rate) : rate;
}

function isCapped(steps: readonly EarningStep[]): boolean {
  return steps.some(({ rule }) => rule === "commission_cap");
}
