import { z } from "zod";
import type { RefundFact } from "../../attribution/facts/payment-fact.ts";
import { refund_ranks } from "../ranks.ts";
import { read } from "../unsupported.ts";
import {
  amount,
  anything,
  currency,
  id,
  minorUnits,
  OBJECT,
  type Reader,
  reference,
  time,
} from "./fields.ts";

/** https://docs.stripe.com/api/credit_notes/object */
const creditNoteSchema = z.object({
  id,
  created: time,
  currency,
  invoice: reference,
  out_of_band_amount: amount.nullish(),
  // From 2025-03-31.basil on, with refunds of payments that were only recorded at Stripe.
  refunds: z.array(z.object({ amount_refunded: amount.nullish(), type: anything })).nullish(),
  status: anything,
  voided_at: time.nullish(),
});

/**
 * The part of a credit note that was returned outside of Stripe: no other message reports it. Stripe reports
 * the refunds that a credit note made as refunds, and the next invoice counts less if credit went to the
 * customer's balance. An amount that a credit note took off before the payment was never paid.
 */
export const readCreditNote: Reader = ({ at, object }) => {
  const note = read(creditNoteSchema, object, OBJECT);
  const recorded = (note.refunds ?? []).filter(({ type }) => type === "payment_record_refund");
  const returned = recorded.reduce(
    (sum, { amount_refunded }) => sum + (amount_refunded ?? 0),
    note.out_of_band_amount ?? 0,
  );
  if (returned <= 0) return { skipped: "The credit note returned nothing outside of Stripe." };
  const is_void = note.status === "void";
  const refund: RefundFact = {
    kind: "refund",
    subject: note.id,
    at,
    rank: is_void ? refund_ranks.returned : refund_ranks.gone,
    references: [note.invoice],
    belongs_to: [],
    amount_minor: minorUnits({
      amount: returned,
      currency: note.currency,
      path: `${OBJECT}.out_of_band_amount`,
    }),
    currency: note.currency,
    since: note.created,
    until: is_void ? (note.voided_at ?? at) : null,
  };
  return [refund];
};
