import { z } from "zod";
import { namedOverrideSchema } from "../attribution/override-rows.ts";
import { paymentDecisionSchema } from "../attribution/payment-decisions.ts";
import { explainedCandidateSchema, referredBySchema } from "../attribution/payment-rows.ts";
import { remainingSchema, reversalSchema, reversedBy } from "../attribution/reversals.ts";
import { auditEntrySchema } from "../audit-log.ts";
import { amount, currency, id, idInput, timestamp } from "../fields.ts";
import { ledgerEntrySchema } from "../ledger/entries.ts";
import { conversionSchema } from "../tracking/conversions.ts";
import { deliveryStates } from "../webhooks/deliveries.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { commissionPayoutStatuses } from "./commissions.ts";
import { recruitOfCommission } from "./recruits.ts";
import { commissionReviewSchema, reviewState } from "./reviews.ts";
import { commissionStates } from "./rows.ts";

export const commissionStoryInput = z.strictObject({ id: idInput });

/** Everything that happened to a commission, in one answer. */
export const commissionStorySchema = z
  .object({
    commission: z.object({
      id,
      revenue_amount: amount,
      commission_amount: amount,
      currency,
      payout_status: z.enum(commissionPayoutStatuses),
      stays_voided: z.boolean().meta({
        description: "A person voided it, or decided that it stays voided when its payment earns again.",
      }),
      state: z.enum(commissionStates),
      referral_date: timestamp,
      payable_at: timestamp,
      created_at: timestamp,
      processor_payment_id: z.string().nullable(),
      lead: z.string().nullable(),
      recruit: recruitOfCommission,
      reversal_of: id.nullable(),
      review_state: reviewState,
      review: commissionReviewSchema
        .extend({ decided_by_name: z.string().nullable() })
        .nullable()
        .meta({ id: "NamedCommissionReview", description: "Null: it needed none." }),
    }),
    affiliate: reducedAffiliateSchema.extend({ campaign: z.object({ id, name: z.string() }) }),
    customer: z.object({ referral_id: id, email: z.string() }),
    payout: z
      .object({ id, period: z.string(), status: z.string(), created_at: timestamp, status_at: timestamp })
      .nullable(),
    decision: paymentDecisionSchema
      .nullable()
      .meta({ description: "The decision on its payment; null for a manual commission." }),
    lead: conversionSchema
      .nullable()
      .meta({ description: "The decision on the lead that it is for; null: it is for a payment." }),
    candidates: z.array(explainedCandidateSchema),
    referred_by: referredBySchema,
    override: namedOverrideSchema
      .nullable()
      .meta({ description: "A person's decision about its payment; null: none." }),
    taken_back: z
      .array(reversalSchema)
      .meta({ description: "Refunds and disputes of its payment, oldest first." }),
    taken_back_by: reversedBy,
    remaining: remainingSchema.meta({
      description:
        "The steps from the earned amount to the remaining one. A reversal has the steps of the original commission.",
    }),
    ledger: z.array(ledgerEntrySchema).meta({ description: "Its ledger entries, oldest first." }),
    related: z
      .array(z.object({ id, commission_amount: amount, payout_status: z.string(), created_at: timestamp }))
      .meta({
        description: "For a paid commission: its reversals. For a reversal: the commission that it nets.",
      }),
    changes: z.array(auditEntrySchema).meta({ description: "Manual changes, oldest first." }),
    event: z
      .object({
        id,
        deliveries: z.array(z.object({ state: z.enum(deliveryStates), endpoint_id: id })),
      })
      .nullable()
      .meta({ description: "`commission.created`; null once it is no longer stored." }),
    net_amount: amount.meta({ description: "The sum of its ledger entries." }),
    remaining_amount: amount.meta({
      description: "`net_amount` and its reversals, if it was reversed after its payout.",
    }),
    adds_up: z.boolean().meta({ description: "Whether the ledger's sum is the commission." }),
  })
  .meta({ id: "CommissionStory" });

export type CommissionStory = z.infer<typeof commissionStorySchema>;
