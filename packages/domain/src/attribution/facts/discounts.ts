import { groupBy } from "../../group-by.ts";
import { partNames, referenceOf } from "./fact-names.ts";
import type { CheckoutFact } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

type StoredCheckout = StoredFact<CheckoutFact>;

/** Which discount was used in which checkout. */
export interface Discounts {
  /** The checkout in which a discount was used; undefined: in none that is known. */
  checkoutOf: (stored: StoredFact) => StoredCheckout | undefined;
  /** The discounts of a checkout. */
  discountsOf: (stored: StoredFact) => readonly StoredCheckout[];
}

/** A processor may complete a checkout shortly before it starts the discount. */
const TOLERANCE_MILLISECONDS = 5 * 60 * 1000;

/**
 * Relates discounts to the checkouts that they were used in: a discount starts when its checkout is completed, and the
 * code was used in the checkout. One that names only a subscription may be given long after the checkout, so it has to
 * start while the subscription's checkout is open. One that is older than the checkout counts by itself.
 */
export function relateDiscounts(facts: readonly StoredFact[]): Discounts {
  const checkouts = facts.filter(isCheckout);
  const discounts = checkouts.filter(({ fact }) => fact.is_discount);
  if (discounts.length === 0) return { checkoutOf: () => undefined, discountsOf: () => [] };
  const others = checkouts.filter(({ fact }) => !fact.is_discount).sort(byOpening);
  const by_part = groupBy(
    others.flatMap((checkout) => partNames(checkout).map((name) => ({ name, checkout }))),
    ({ name }) => name,
  );
  const checkout_of = new Map<string, StoredCheckout>();
  for (const discount of discounts) {
    const related = partNames(discount).flatMap((name) => by_part.get(name) ?? []);
    const found = related.find(({ checkout }) => isUsedIn(discount, checkout));
    if (found !== undefined) checkout_of.set(referenceOf(discount), found.checkout);
  }
  const checkoutOf = (stored: StoredFact) => checkout_of.get(referenceOf(stored));
  const by_checkout = groupBy(discounts, (discount) => {
    const checkout = checkoutOf(discount);
    return checkout === undefined ? "" : referenceOf(checkout);
  });
  return { checkoutOf, discountsOf: (stored) => by_checkout.get(referenceOf(stored)) ?? [] };
}

function isCheckout(stored: StoredFact): stored is StoredCheckout {
  return stored.fact.kind === "checkout";
}

function byOpening({ fact: a }: StoredCheckout, { fact: b }: StoredCheckout): number {
  return a.opened_at.getTime() - b.opened_at.getTime() || (a.subject < b.subject ? -1 : 1);
}

function isUsedIn({ fact: discount }: StoredCheckout, { fact: checkout }: StoredCheckout): boolean {
  if (discount.opened_at < checkout.opened_at) return false;
  const completed = checkout.at.getTime() + TOLERANCE_MILLISECONDS;
  return discount.belongs_to.includes(checkout.subject) || discount.opened_at.getTime() <= completed;
}
