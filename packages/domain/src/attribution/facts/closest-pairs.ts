import { groupBy } from "../../group-by.ts";
import type { PaymentMade } from "./payment-fact.ts";
import { PriorityQueue } from "./priority-queue.ts";
import type { StoredFact } from "./stored-fact.ts";

type Payment = StoredFact<PaymentMade>;

/** An invoice and the charge that paid it, before any report links the two. */
export interface Pair {
  charge: Payment;
  invoice: Payment;
}

/** The unpaired charges, or the unpaired invoices, of one time. */
interface Moment {
  at: number;
  kind: keyof Pair;
  /** The last one is paired next. */
  waiting: Payment[];
  /** The neighbors in time. */
  before: Moment | undefined;
  after: Moment | undefined;
}

/** Charges at one time and invoices at another, adjacent in time. */
interface Neighbors {
  first: Moment;
  second: Moment;
}

/**
 * Pairs charges with invoices that are at most `within` milliseconds apart, the closest pair first. Ties go to the
 * earlier charge, then to the earlier invoice, and at the same time to the smaller id.
 *
 * The closest two are always neighbors in time, so only neighbors are compared. The cost is that of sorting, even if
 * many payments are equally close.
 */
export function closestPairs(
  charges: readonly Payment[],
  invoices: readonly Payment[],
  within: number,
): Pair[] {
  const queue = new PriorityQueue(isCloser);
  const meet = (first: Moment | undefined, second: Moment | undefined) => {
    if (first === undefined || second === undefined || first.kind === second.kind) return;
    if (second.at - first.at <= within) queue.add({ first, second });
  };
  for (const moment of moments(charges, invoices)) meet(moment.before, moment);
  const pairs: Pair[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    const { first, second } = next;
    // One of them was paired elsewhere, and has other neighbors now.
    if (first.waiting.length === 0 || second.waiting.length === 0) continue;
    pairs.push(...pairUp(first, second));
    for (const moment of [first, second]) {
      if (moment.waiting.length > 0) continue;
      const { before, after } = moment;
      if (before !== undefined) before.after = after;
      if (after !== undefined) after.before = before;
      meet(before, after);
    }
  }
  return pairs;
}

/** Sorts by time; at the same time, charges come first. */
function moments(charges: readonly Payment[], invoices: readonly Payment[]): Moment[] {
  const all = [...momentsOf("charge", charges), ...momentsOf("invoice", invoices)].sort(
    (a, b) => a.at - b.at,
  );
  for (const [index, moment] of all.entries()) {
    moment.before = all[index - 1];
    moment.after = all[index + 1];
  }
  return all;
}

function momentsOf(kind: keyof Pair, payments: readonly Payment[]): Moment[] {
  const last_first = payments.toSorted((a, b) => (a.fact.subject < b.fact.subject ? 1 : -1));
  const by_time = groupBy(last_first, ({ fact }) => String(fact.paid_at.getTime()));
  return [...by_time].map(([at, waiting]) => {
    return { at: Number(at), kind, waiting, before: undefined, after: undefined };
  });
}

function isCloser(a: Neighbors, b: Neighbors): boolean {
  const apart = distance(a) - distance(b) || chargedAt(a) - chargedAt(b) || a.first.at - b.first.at;
  return apart < 0;
}

function distance({ first, second }: Neighbors): number {
  return second.at - first.at;
}

function chargedAt({ first, second }: Neighbors): number {
  return first.kind === "charge" ? first.at : second.at;
}

/** Pairs as many payments as both groups have. */
function pairUp(first: Moment, second: Moment): Pair[] {
  const [charges, invoices] = first.kind === "charge" ? [first, second] : [second, first];
  const pairs: Pair[] = [];
  while (charges.waiting.length > 0 && invoices.waiting.length > 0) {
    const [charge, invoice] = [charges.waiting.pop(), invoices.waiting.pop()];
    if (charge !== undefined && invoice !== undefined) pairs.push({ charge, invoice });
  }
  return pairs;
}
