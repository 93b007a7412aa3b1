import { z } from "zod";
import { earningStepSchema } from "../attribution/payment-decisions.ts";
import { reversedBy } from "../attribution/reversals.ts";
import { foundSignalSchema } from "../attribution/signals.ts";
import { amount, currency, id, idInput, text, timestamp, timestampInput } from "../fields.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { commissionPayoutStatuses, reviewReason, updateCommissionInput } from "./commissions.ts";
import { recruitOfCommission } from "./recruits.ts";
import { commissionReviewSchema, reviewState } from "./reviews.ts";

/** The states in the dashboard's list. They divide the payout status `not_paid` into `in_review`, `held` and `due`. */
export const commissionStates = ["in_review", "held", "due", "pending", "paid", "voided"] as const;

export type CommissionState = (typeof commissionStates)[number];

/** A commission in the dashboard's list, with its affiliate and customer. */
const commissionRowSchema = z
  .object({
    id,
    affiliate: reducedAffiliateSchema,
    customer: z.object({ referral_id: id, email: z.string() }),
    revenue_amount: amount,
    currency,
    commission_amount: amount.meta({ description: "Negative for the reversal of a paid commission." }),
    payout_status: z.enum(commissionPayoutStatuses),
    state: z
      .enum(commissionStates)
      .meta({ description: "The payout status, with `in_review`, `held` or `due` in place of `not_paid`." }),
    payable_at: timestamp.meta({
      description: "The end of the holding period: later payout runs pay the commission.",
    }),
    referral_date: timestamp.meta({ description: "When the customer paid." }),
    created_at: timestamp,
    processor_payment_id: z.string().nullable(),
    lead: z.string().nullable().meta({ description: "The kind of lead that it is for; null: a payment." }),
    recruit: recruitOfCommission,
    payout: z
      .object({ id, period: z.string() })
      .nullable()
      .meta({ description: "The payout that includes the commission, or null." }),
    reversal_of: id
      .nullable()
      .meta({ description: "The commission that this one reverses; null unless it is a reversal." }),
    review_state: reviewState,
    review: commissionReviewSchema
      .nullable()
      .meta({ description: "Why it needed a review, and who decided; null: it needed none." }),
    decision_id: id
      .nullable()
      .meta({ description: "The decision about the payment; null for a manual commission." }),
    voided_by: reversedBy.meta({
      description:
        "The event that took back the payment of a void commission; null: a person voided it, or it is not void.",
    }),
    steps: z.array(earningStepSchema).meta({ description: "The rates that were applied." }),
    signals: z.array(foundSignalSchema).meta({ description: "The signals of fraud that its payment has." }),
  })
  .meta({ id: "CommissionListRow" });

export type CommissionListRow = z.infer<typeof commissionRowSchema>;

export const commissionRowPageSchema = rowPageOf(commissionRowSchema);

const filters = {
  text: searchText.optional().meta({
    description:
      "A part of the customer's email, or of the affiliate's name, email or code, in any case; or the beginning of a payment id.",
  }),
  state: z.enum(commissionStates).optional(),
  affiliate_id: idInput.optional(),
  campaign_id: idInput.optional(),
  payout_id: idInput.optional(),
  reversal: z
    .boolean()
    .optional()
    .meta({ description: "True: only reversals. False: only other commissions." }),
  paid_from: timestampInput.optional().meta({ description: "The customer paid at or after this time." }),
  paid_until: timestampInput.optional().meta({ description: "The customer paid before this time." }),
};

export const listCommissionRowsInput = z.strictObject({ ...rowPageQuery, ...filters });

export type ListCommissionRows = z.output<typeof listCommissionRowsInput>;

/** All commissions of the list's filters. */
export const exportCommissionsInput = z.strictObject(filters);

export type ExportCommissions = z.output<typeof exportCommissionsInput>;

/** The maximum number of commissions or payments that one call changes. */
export const MAX_CHANGED = 100;

export const commissionIdsInput = z.strictObject({
  ids: z.array(idInput).min(1).max(MAX_CHANGED),
});

export type CommissionIds = z.output<typeof commissionIdsInput>;

/** Why a person voids or corrects a commission. */
const reason = text(500).nullable().default(null).meta({
  description: "For the history of the commission, which members see; may be empty.",
  example: "Agreed with the affiliate by email.",
});

export const voidCommissionsInput = commissionIdsInput.extend({ reason });

export type VoidCommissions = z.output<typeof voidCommissionsInput>;

export const approveCommissionsInput = commissionIdsInput.extend({
  reason: reviewReason.nullable().default(null),
});

export const rejectCommissionsInput = commissionIdsInput.extend({ reason: reviewReason });

export const correctCommissionInput = updateCommissionInput
  .pick({ id: true, revenue_amount: true, commission_amount: true })
  .extend({ reason });

export type CorrectCommission = z.output<typeof correctCommissionInput>;

export const stayVoidedInput = z.strictObject({
  ids: z.array(idInput).min(1).max(MAX_CHANGED),
  stays_voided: z.boolean(),
});

export const changedCommissionsSchema = z.object({
  changed: z.int().meta({ description: "The number of commissions that changed their state.", example: 2 }),
});

export type ChangedCommissions = z.infer<typeof changedCommissionsSchema>;
