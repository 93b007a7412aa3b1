import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import { areSomeOf, isId, isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";
import { OUTCOME_NAMES } from "./outcome-groups.ts";

/** The filter for all payments without a commission. */
export const WITHOUT = "without";

/** The list's parameters in the address. */
export const readPaymentSearch = searchReader({
  ...LIST_FIELDS,
  outcome: areSomeOf([WITHOUT, ...OUTCOME_NAMES]),
  affiliate: isId,
  processor: isOneOf(["stripe", "generic"]),
});

export function chosenOutcomes(outcome: string | undefined): PaymentOutcomeName[] | undefined {
  if (outcome === undefined) return undefined;
  const chosen = outcome.split(",");
  return OUTCOME_NAMES.filter(
    (name) => chosen.includes(name) || (chosen.includes(WITHOUT) && name !== "commission"),
  );
}
