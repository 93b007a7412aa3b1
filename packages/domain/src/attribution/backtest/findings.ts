import { MAX_EXAMPLES } from "@findersfee/contract/attribution/backtests";
import { z } from "zod";
import type { PaymentOutcome } from "../decide/outcome.ts";
import { outcomeName } from "../view.ts";
import { netOf, type TriedPayment } from "./decide.ts";
import type { Draft } from "./draft.ts";

const decided = z.object({ outcome: outcomeName, commission_minor: z.string().transform(BigInt) });

const example = z.object({
  decision_id: z.string().nullable(),
  payment_id: z.string(),
  paid_at: z.string(),
  affiliate_id: z.string(),
  currency: z.string(),
  revenue_minor: z.string().transform(BigInt),
  before: decided,
  after: decided,
});

const waiting = z.object({ payments: z.int(), minor: z.string().transform(BigInt) });

/** A backtest's findings so far, apart from its totals. */
export const findingsSchema = z.object({
  payments: z.int().default(0),
  changed: z.int().default(0),
  without_interval: z.int().default(0),
  /** Commissions that wait for a review, by currency. */
  reviews: z.record(z.string(), z.object({ before: waiting, after: waiting })).default({}),
  /** The largest difference first. */
  examples: z.array(example).default([]),
});

export type Findings = z.output<typeof findingsSchema>;
type Example = Findings["examples"][number];

/** JSON with amounts as text. */
export function writeFindings(findings: Findings): string {
  return JSON.stringify(findings, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** Adds the findings of more payments. The order of payments does not matter. */
export function withPayments(known: Findings, payments: readonly TriedPayment[], draft: Draft): Findings {
  const changed = payments.filter(({ is_changed }) => is_changed);
  return {
    payments: known.payments + payments.length,
    changed: known.changed + changed.length,
    without_interval:
      known.without_interval + (draft.names_intervals ? payments.filter(lacksInterval).length : 0),
    reviews: payments.reduce(addReview, known.reviews),
    examples: [...known.examples, ...changed.map(exampleOf)].sort(byDifference).slice(0, MAX_EXAMPLES),
  };
}

function addReview(known: Findings["reviews"], { before, after, waits }: TriedPayment): Findings["reviews"] {
  if (!waits.before && !waits.after) return known;
  const { currency } = before.payment;
  const none = { payments: 0, minor: 0n };
  const sums = known[currency] ?? { before: none, after: none };
  const add = (sum: typeof none, outcome: PaymentOutcome) => ({
    payments: sum.payments + 1,
    minor: sum.minor + outcome.commission_minor,
  });
  return {
    ...known,
    [currency]: {
      before: waits.before ? add(sums.before, before) : sums.before,
      after: waits.after ? add(sums.after, after) : sums.after,
    },
  };
}

function lacksInterval({ before: { payment } }: TriedPayment): boolean {
  return payment.lines.length === 0 || payment.lines.some(({ interval }) => interval === undefined);
}

function exampleOf({ decision_id, affiliate_id, before, after }: TriedPayment): Example {
  const { subject, paid_at, currency, revenue_minor } = before.payment;
  return {
    decision_id,
    payment_id: subject,
    paid_at: paid_at.toISOString(),
    affiliate_id,
    currency,
    revenue_minor,
    before: { outcome: outcomeName.parse(before.outcome), commission_minor: netOf(before) },
    after: { outcome: outcomeName.parse(after.outcome), commission_minor: netOf(after) },
  };
}

function byDifference(a: Example, b: Example): number {
  const [one, other] = [differenceOf(a), differenceOf(b)];
  if (one !== other) return one > other ? -1 : 1;
  return a.payment_id < b.payment_id ? -1 : a.payment_id > b.payment_id ? 1 : 0;
}

function differenceOf({ before, after }: Example): bigint {
  const difference = after.commission_minor - before.commission_minor;
  return difference < 0n ? -difference : difference;
}
