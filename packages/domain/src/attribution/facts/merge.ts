import { lowerCase } from "@findersfee/database/lower-case";
import type {
  CheckoutEvent,
  CustomerEvent,
  LinkEvent,
  PaymentEvent,
  RefundedTotal,
  SubscriptionEvent,
} from "./payment-fact.ts";
import type { StoredEvent } from "./stored-fact.ts";

/**
 * One state of two of the same subject: the later one, with what only the earlier one says and still counts.
 * In whatever order states are merged, the result is the same.
 */
export function mergeStates(known: StoredEvent, told: StoredEvent): StoredEvent {
  const [later, earlier] = isLater(told, known) ? [told, known] : [known, told];
  return {
    ...later,
    judged: known.judged,
    lookup: known.lookup ?? null,
    event: merged(later.event, earlier.event),
  };
}

/** Whether one state is later than another, by the processor's clock. */
function isLater(a: StoredEvent, b: StoredEvent): boolean {
  const time = a.event.at.getTime() - b.event.at.getTime();
  if (time !== 0) return time > 0;
  return a.event.rank === b.event.rank ? a.message_id >= b.message_id : a.event.rank > b.event.rank;
}

function merged(later: PaymentEvent, earlier: PaymentEvent): PaymentEvent {
  if (later.kind === "customer" && earlier.kind === "customer") return mergedCustomer(later, earlier);
  if (later.kind === "checkout" && earlier.kind === "checkout") return mergedCheckout(later, earlier);
  if (later.kind === "subscription" && earlier.kind === "subscription")
    return mergedSubscription(later, earlier);
  if (later.kind === "link" && earlier.kind === "link") return mergedLink(later, earlier);
  if (later.kind === "refunded_total" && earlier.kind === "refunded_total")
    return mergedTotal(later, earlier);
  return later;
}

/** A checkout counts from when it was first told to have been opened. */
function mergedCheckout(later: CheckoutEvent, earlier: CheckoutEvent): CheckoutEvent {
  return later.opened_at <= earlier.opened_at ? later : { ...later, opened_at: earlier.opened_at };
}

/** A subscription is as old as the first report of it. */
function mergedSubscription(later: SubscriptionEvent, earlier: SubscriptionEvent): SubscriptionEvent {
  const times = [later, earlier].map(({ since, at }) => (since ?? at).getTime());
  return { ...later, since: new Date(Math.min(...times)) };
}

/** That something else reports a payment is never taken back. */
function mergedLink(later: LinkEvent, earlier: LinkEvent): LinkEvent {
  return earlier.has_report ? { ...later, has_report: true } : later;
}

/** Of two sums of the same moment the larger one is the later. */
function mergedTotal(later: RefundedTotal, earlier: RefundedTotal): RefundedTotal {
  const is_same_moment = later.at.getTime() === earlier.at.getTime();
  return is_same_moment && earlier.amount_minor > later.amount_minor
    ? { ...later, amount_minor: earlier.amount_minor }
    : later;
}

/**
 * A customer's email may change, and what brought the customer be taken off its record: what was, was. Each
 * is kept with the first moment at which it was told.
 */
function mergedCustomer(later: CustomerEvent, earlier: CustomerEvent): CustomerEvent {
  const states = [later, earlier].map(withMoments);
  return {
    ...later,
    created_at: new Date(Math.min(later.created_at.getTime(), earlier.created_at.getTime())),
    emails: firstOf(
      states.flatMap(({ emails = [] }) => emails),
      ({ email }) => lowerCase(email),
    ),
    brought_by: firstOf(
      states.flatMap(({ brought_by = [] }) => brought_by),
      ({ external_id, code, click_id }) => JSON.stringify([external_id, code, click_id]),
    ),
  };
}

/** A customer's record with the moment of what it says now. */
export function withMoments(event: CustomerEvent): CustomerEvent {
  const since = event.at;
  const now = event.email === null ? [] : [{ email: event.email, since }];
  const brought = [
    ...event.promo_codes.map((code) => ({ ...code, click_id: null, since })),
    ...event.click_ids.map((click_id) => ({ external_id: null, code: null, click_id, since })),
  ];
  return { ...event, emails: event.emails ?? now, brought_by: event.brought_by ?? brought };
}

/** One of each, the earliest, in an order that does not depend on theirs. */
function firstOf<One extends { since: Date }>(all: readonly One[], nameOf: (one: One) => string): One[] {
  const first = new Map<string, One>();
  for (const one of all) {
    const known = first.get(nameOf(one));
    if (known === undefined || one.since < known.since) first.set(nameOf(one), one);
  }
  return [...first]
    .sort(([a_name, a], [b_name, b]) => a.since.getTime() - b.since.getTime() || (a_name < b_name ? -1 : 1))
    .map(([, one]) => one);
}
