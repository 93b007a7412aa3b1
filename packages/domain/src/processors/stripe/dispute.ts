import { z } from "zod";
import type { DisputeFact, Money } from "../../attribution/facts/payment-fact.ts";
import { dispute_ranks } from "../ranks.ts";
import { read } from "../unsupported.ts";
import {
  amount,
  currency,
  id,
  idsOf,
  minorUnits,
  OBJECT,
  optionalReference,
  reference,
  type StripeEvent,
  time,
} from "./fields.ts";

/** https://docs.stripe.com/api/disputes/object */
const disputeSchema = z.object({
  id,
  amount,
  balance_transactions: z.array(z.object({ amount, created: time, currency: currency.nullish() })).nullish(),
  charge: reference,
  created: time,
  currency,
  payment_intent: optionalReference,
  payment_method_details: z
    .object({ card: z.object({ case_type: z.string().nullish() }).nullish() })
    .nullish(),
  status: z.enum([
    "appeal_needs_response",
    "appeal_under_review",
    "lost",
    "needs_response",
    "prevented",
    "under_review",
    "warning_closed",
    "warning_needs_response",
    "warning_under_review",
    "won",
  ]),
});

type Dispute = z.output<typeof disputeSchema>;

/**
 * A dispute withdraws the money when it is opened and returns it when it is won. An inquiry (`warning_…`) withdraws
 * nothing. An appeal is about a lost dispute.
 */
export function readDispute({ at, object }: StripeEvent): DisputeFact[] {
  const dispute = read(disputeSchema, object, OBJECT);
  const outcome = outcomeOf(dispute);
  return [
    {
      kind: "dispute",
      subject: dispute.id,
      at,
      rank: dispute_ranks[outcome],
      references: idsOf(dispute.charge, dispute.payment_intent),
      belongs_to: [],
      amount_minor: minorUnits({ ...dispute, path: `${OBJECT}.amount` }),
      currency: dispute.currency,
      withdrawn: withdrawnBy(dispute),
      since: dispute.created,
      until: untilOf(outcome, { dispute, at }),
    },
  ];
}

/** The amount withdrawn from the balance, if the balance has another currency than the dispute. */
function withdrawnBy({ balance_transactions, currency: disputed }: Dispute): Money | undefined {
  const list = balance_transactions ?? [];
  const index = list.findIndex(({ amount }) => amount < 0);
  const { amount = 0, currency } = list[index] ?? {};
  if (!currency || currency === disputed) return undefined;
  const path = `${OBJECT}.balance_transactions[${index}].amount`;
  return { currency, amount_minor: minorUnits({ amount: -amount, currency, path }) };
}

function outcomeOf(dispute: Dispute): keyof typeof dispute_ranks {
  switch (dispute.status) {
    case "warning_needs_response":
    case "warning_under_review":
    case "warning_closed":
      return "inquiry";
    case "needs_response":
    case "under_review":
      return "open";
    case "appeal_needs_response":
    case "appeal_under_review":
    case "lost":
      return "lost";
    case "prevented":
      return isRefunded(dispute) ? "lost" : "inquiry";
    case "won":
      return "won";
  }
}

/** A dispute is prevented by deflecting it, which withdraws nothing, or by an immediate refund. */
function isRefunded({ balance_transactions, payment_method_details }: Dispute): boolean {
  const moved = (balance_transactions ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return moved < 0 || payment_method_details?.card?.case_type === "resolution";
}

function untilOf(
  outcome: keyof typeof dispute_ranks,
  { dispute, at }: { dispute: Dispute; at: Date },
): Date | null {
  if (outcome === "inquiry") return dispute.created;
  if (outcome !== "won") return null;
  const reinstated = (dispute.balance_transactions ?? []).filter(({ amount }) => amount > 0).at(-1);
  return reinstated?.created ?? at;
}
