import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type {
  CheckoutFact,
  CustomerFact,
  LinkFact,
  PaymentFact,
  RefundedTotal,
  SubscriptionFact,
} from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

/**
 * Merges two states of one subject: the later one, plus the data of the earlier one that still counts. The order of
 * merging does not change the result.
 */
export function mergeStates(known: StoredFact, reported: StoredFact): StoredFact {
  const [later, earlier] = isLater(reported, known) ? [reported, known] : [known, reported];
  return {
    ...later,
    snapshot: known.snapshot,
    lookup: known.lookup ?? null,
    fact: withCard(merged(later.fact, earlier.fact), earlier.fact),
  };
}

/** Not every report of a charge names its card. */
function withCard(fact: PaymentFact, earlier: PaymentFact): PaymentFact {
  if (!("card" in earlier) || earlier.card === undefined || "card" in fact) return fact;
  const { card } = earlier;
  return fact.kind === "charge" || fact.kind === "link" || fact.kind === "amounts" ? { ...fact, card } : fact;
}

/** Whether one state is later than another, by the processor's clock. */
function isLater(a: StoredFact, b: StoredFact): boolean {
  const time = a.fact.at.getTime() - b.fact.at.getTime();
  if (time !== 0) return time > 0;
  return a.fact.rank === b.fact.rank ? a.message_id >= b.message_id : a.fact.rank > b.fact.rank;
}

function merged(later: PaymentFact, earlier: PaymentFact): PaymentFact {
  if (later.kind === "customer" && earlier.kind === "customer") return mergedCustomer(later, earlier);
  if (later.kind === "checkout" && earlier.kind === "checkout") return mergedCheckout(later, earlier);
  if (later.kind === "subscription" && earlier.kind === "subscription")
    return mergedSubscription(later, earlier);
  if (later.kind === "link" && earlier.kind === "link") return mergedLink(later, earlier);
  if (later.kind === "refunded_total" && earlier.kind === "refunded_total")
    return mergedTotal(later, earlier);
  return later;
}

/** A checkout counts from its first reported opening time. */
function mergedCheckout(later: CheckoutFact, earlier: CheckoutFact): CheckoutFact {
  return later.opened_at <= earlier.opened_at ? later : { ...later, opened_at: earlier.opened_at };
}

/** A subscription is as old as its first report. */
function mergedSubscription(later: SubscriptionFact, earlier: SubscriptionFact): SubscriptionFact {
  const states = [later, earlier];
  const times = states.map(({ since, at }) => (since ?? at).getTime());
  const trials = states.flatMap((state) => trialSince(state)?.getTime() ?? []);
  return {
    ...later,
    since: new Date(Math.min(...times)),
    ...(trials.length > 0 && { trial_since: new Date(Math.min(...trials)) }),
  };
}

/** When a subscription was first reported as a trial. Null: it was not. */
export function trialSince({ trial_since, status, at }: SubscriptionFact): Date | null {
  return trial_since ?? (status === "trialing" ? at : null);
}

/** Once another object reports a payment, that stays true. */
function mergedLink(later: LinkFact, earlier: LinkFact): LinkFact {
  return earlier.has_report ? { ...later, has_report: true } : later;
}

/** If two sums have the same time, the larger one is later. */
function mergedTotal(later: RefundedTotal, earlier: RefundedTotal): RefundedTotal {
  const is_same_moment = later.at.getTime() === earlier.at.getTime();
  return is_same_moment && earlier.amount_minor > later.amount_minor
    ? { ...later, amount_minor: earlier.amount_minor }
    : later;
}

/**
 * A customer's email may change, and promo codes and clicks may be removed from its record. Former values still count,
 * so each is stored with the time of its first report.
 */
function mergedCustomer(later: CustomerFact, earlier: CustomerFact): CustomerFact {
  const states = [later, earlier].map(withMoments);
  return {
    ...later,
    created_at: new Date(Math.min(later.created_at.getTime(), earlier.created_at.getTime())),
    emails: firstOf(
      states.flatMap(({ emails = [] }) => emails),
      ({ email }) => lowerCase(email),
    ),
    referral_sources: firstOf(
      states.flatMap(({ referral_sources = [] }) => referral_sources),
      ({ external_id, code, click_id }) => JSON.stringify([external_id, code, click_id]),
    ),
  };
}

/** A customer record in which each value has the time of the report. */
export function withMoments(fact: CustomerFact): CustomerFact {
  const since = fact.at;
  const now = fact.email === null ? [] : [{ email: fact.email, since }];
  const brought = [
    ...fact.promo_codes.map((code) => ({ ...code, click_id: null, since })),
    ...fact.click_ids.map((click_id) => ({ external_id: null, code: null, click_id, since })),
  ];
  return { ...fact, emails: fact.emails ?? now, referral_sources: fact.referral_sources ?? brought };
}

/** Removes duplicates, keeps the earliest of each, and sorts, so that the input order does not matter. */
function firstOf<One extends { since: Date }>(all: readonly One[], nameOf: (item: One) => string): One[] {
  const first = new Map<string, One>();
  for (const item of all) {
    const known = first.get(nameOf(item));
    if (known === undefined || item.since < known.since) first.set(nameOf(item), item);
  }
  return [...first]
    .sort(([a_name, a], [b_name, b]) => a.since.getTime() - b.since.getTime() || (a_name < b_name ? -1 : 1))
    .map(([, item]) => item);
}
