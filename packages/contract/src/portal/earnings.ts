import { z } from "zod";
import { candidateSources, earningStepSchema } from "../attribution/payment-decisions.ts";
import { leadOfLine } from "../campaigns/lead-commissions.ts";
import { recruitOfLine } from "../campaigns/recruiting.ts";
import { commissionStates } from "../commissions/rows.ts";
import { amount, currency, id, idInput, timestamp } from "../fields.ts";
import { adjustmentOfLine } from "../ledger/adjustments.ts";
import { payoutStatuses } from "../payouts/payouts.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";

/** A customer as the affiliate may see it. */
export const shownCustomer = z.string().meta({
  description: "The customer's email, partly hidden if the campaign hides emails.",
  example: "k…m@example.com",
});

/** A customer's payment, as the affiliate may see it. */
export const shownRevenue = amount
  .nullable()
  .meta({ description: "The amount that the customer paid; null if the campaign hides emails." });

/** A commission or an adjustment in the affiliate's own list. */
export const earningSchema = z.object({
  id,
  customer: shownCustomer.nullable().meta({ description: "Null for an adjustment, and for a recruit." }),
  revenue_amount: shownRevenue,
  commission_amount: amount.meta({
    description: "Negative for the reversal of a paid commission. Of an adjustment, its amount.",
  }),
  currency,
  state: z.enum(commissionStates),
  payable_at: timestamp.meta({
    description: "The end of the holding period: later payout runs pay the commission.",
  }),
  referral_date: timestamp.meta({ description: "When the customer paid, or the lead happened." }),
  lead: leadOfLine,
  recruit: recruitOfLine,
  created_at: timestamp,
  payout: z
    .object({ id, period: z.string() })
    .nullable()
    .meta({ description: "The payout that includes the commission, or null." }),
  reversal_of: id
    .nullable()
    .meta({ description: "The commission that this one reverses; null unless it is a reversal." }),
  adjustment: adjustmentOfLine,
});

export type Earning = z.infer<typeof earningSchema>;

export const earningPageSchema = rowPageOf(earningSchema);

export const listEarningsInput = z.strictObject({
  ...rowPageQuery,
  state: z.enum(commissionStates).optional(),
});

export type ListEarnings = z.output<typeof listEarningsInput>;

export const getEarningInput = z.strictObject({ id: idInput });

/** The kinds of ledger entries that a commission or an adjustment has. */
export const earningEntryKinds = [
  "earned",
  "reduced",
  "restored",
  "voided",
  "reversed",
  "adjusted",
  "withdrawn",
] as const;

/** Why a customer is the affiliate's, where no click, sign-up or promo code of this payment says so. */
const earningReasons = ["claim", "credit", "move", "organization", "earlier"] as const;

/** Everything that happened to a commission, without other affiliates, names of people, and ids at processors. */
export const earningStorySchema = z.object({
  earning: earningSchema,
  source: z
    .object({
      kind: z.enum(candidateSources),
      code: z
        .string()
        .nullable()
        .meta({ description: "The link's or promo code; null once it is no longer stored." }),
      clicked_at: timestamp.nullable(),
      landing_url: z.string().nullable(),
      sub_id: z.string().nullable().meta({ description: "The sub-id of the click." }),
    })
    .nullable()
    .meta({
      description:
        "The source that attributed the customer to the affiliate; null: the referral existed before.",
    }),
  reason: z
    .object({ kind: z.enum(earningReasons), at: timestamp.nullable() })
    .nullable()
    .meta({
      description:
        "Without a source: the accepted report of a missing sale, a credit or a move by the organization, its own word, or earlier evidence.",
    }),
  payment: z
    .object({
      paid_at: timestamp,
      steps: z
        .array(
          earningStepSchema
            .omit({ rule_id: true, rule_name: true, product_id: true, of_amount: true })
            .extend({ of_amount: shownRevenue }),
        )
        .meta({ description: "The rates that were applied." }),
      exact_amount: z
        .string()
        .nullable()
        .meta({ description: "The commission before rounding, in the currency's smallest unit." }),
    })
    .nullable()
    .meta({ description: "Null for a manual commission." }),
  entries: z
    .array(
      z.object({
        kind: z.enum(earningEntryKinds),
        amount,
        at: timestamp,
        because: z
          .enum(["refund", "dispute", "organization"])
          .nullable()
          .meta({ description: "Why the amount became less, or was restored; null: otherwise, or unknown." }),
      }),
    )
    .meta({ description: "Its ledger entries, oldest first." }),
  related: z
    .array(
      z.object({
        id,
        commission_amount: amount,
        state: z.enum(commissionStates),
        created_at: timestamp,
        adjustment: adjustmentOfLine,
      }),
    )
    .meta({
      description:
        "For a commission: its reversals and adjustments. For one of these: the commission and its others.",
    }),
  payout: z
    .object({ id, period: z.string(), status: z.enum(payoutStatuses), status_at: timestamp })
    .nullable(),
  net_amount: amount.meta({ description: "The sum of its ledger entries." }),
  adds_up: z.boolean().meta({ description: "Whether the ledger's sum is the commission." }),
});

export type EarningStory = z.infer<typeof earningStorySchema>;
