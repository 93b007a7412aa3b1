import { z } from "zod";
import type {
  LinkFact,
  PaymentFact,
  RefundedTotal,
  RefundFact,
} from "../../attribution/facts/payment-fact.ts";
import { refund_ranks } from "../ranks.ts";
import { read } from "../unsupported.ts";
import {
  amount,
  currency,
  id,
  idsOf,
  minorUnits,
  OBJECT,
  optionalReference,
  type Reader,
  type StripeEvent,
  time,
} from "./fields.ts";

/** https://docs.stripe.com/api/refunds/object */
const refundSchema = z.object({
  id,
  amount,
  charge: optionalReference,
  created: time,
  currency,
  payment_intent: optionalReference,
  // Old API versions have none: the refund succeeded.
  status: z.enum(["canceled", "failed", "pending", "requires_action", "succeeded"]).nullish(),
});

/** A refund counts from its request on, until it fails. */
export const readRefund: Reader = (event) => {
  const refund = refundOf(event.object, { at: event.at, path: OBJECT });
  // For example, a refund of a customer's balance.
  if (refund.references.length === 0) return { skipped: "The refund belongs to no payment." };
  return [refund];
};

function refundOf(object: unknown, { at, path }: { at: Date; path: string }): RefundFact {
  const refund = read(refundSchema, object, path);
  const has_returned = refund.status === "failed" || refund.status === "canceled";
  return {
    kind: "refund",
    subject: refund.id,
    at,
    rank: has_returned ? refund_ranks.returned : refund_ranks.gone,
    references: idsOf(refund.charge, refund.payment_intent),
    belongs_to: [],
    amount_minor: minorUnits({ ...refund, path: `${path}.amount` }),
    currency: refund.currency,
    since: refund.created,
    until: has_returned ? at : null,
  };
}

/** https://docs.stripe.com/api/charges/object */
const chargeSchema = z.object({
  id,
  amount_refunded: amount,
  currency,
  // Until 2025-02-24.acacia.
  invoice: optionalReference,
  payment_intent: optionalReference,
  // In events of versions before 2022-11-15.
  refunds: z.object({ data: z.array(z.unknown()), has_more: z.boolean().nullish() }).nullish(),
});

/** The largest possible rank of a state. */
const MAX_RANK = 2 ** 31 - 1;

/**
 * A charge that was refunded in part or in full. It lists its refunds, or else only their sum, which is also reported
 * if it does not list all of them.
 */
export function readRefundedCharge({ at, object }: StripeEvent): PaymentFact[] {
  const charge = read(chargeSchema, object, OBJECT);
  const state = {
    subject: charge.id,
    at,
    // For refunds within a second, the larger sum is later. A charge does not report failed refunds.
    rank: Math.min(Math.max(charge.amount_refunded, 0), MAX_RANK),
    references: idsOf(charge.payment_intent, charge.invoice),
    belongs_to: [],
  };
  const named = charge.refunds?.data ?? [];
  const refunds = named.map((refund, index) => ofCharge(refund, { at, index, charge_id: charge.id }));
  const link: LinkFact = {
    kind: "link",
    ...state,
    ...(charge.invoice === null ? {} : { has_report: true }),
  };
  if (refunds.length > 0 && charge.refunds?.has_more !== true) return [link, ...refunds];
  const amount_minor = minorUnits({
    amount: charge.amount_refunded,
    currency: charge.currency,
    path: `${OBJECT}.amount_refunded`,
  });
  const total: RefundedTotal = {
    kind: "refunded_total",
    ...state,
    amount_minor,
    currency: charge.currency,
  };
  return [link, ...refunds, total];
}

function ofCharge(
  refund: unknown,
  { at, index, charge_id }: { at: Date; index: number; charge_id: string },
): RefundFact {
  const read = refundOf(refund, { at, path: `${OBJECT}.refunds.data[${index}]` });
  return { ...read, references: idsOf(charge_id, ...read.references) };
}
