import { z } from "zod";
import { commissionPayoutStatuses } from "./commissions.ts";
import { reducedAffiliateSchema } from "./events.ts";
import { amount, currency, id, idInput, timestamp, timestampInput } from "./fields.ts";
import { earningStepSchema } from "./payment-decisions.ts";
import { rowPageOf, rowPageQuery, searchText } from "./row-pages.ts";

/** The states of the dashboard's list: `not_paid` is held or due. */
export const commissionStates = ["held", "due", "pending", "paid", "voided"] as const;

export type CommissionState = (typeof commissionStates)[number];

/** A commission in the dashboard's list, with the names of what it refers to. */
const commissionRowSchema = z
  .object({
    id,
    affiliate: reducedAffiliateSchema,
    customer: z.object({ referral_id: id, email: z.string() }),
    revenue_amount: amount,
    currency,
    commission_amount: amount.meta({ description: "Negative for the reversal of a paid commission." }),
    payout_status: z.enum(commissionPayoutStatuses),
    state: z.enum(commissionStates).meta({ description: "The payout status; `not_paid` by its date." }),
    payable_at: timestamp.meta({ description: "From when a payout run pays it." }),
    referral_date: timestamp.meta({ description: "When the customer paid." }),
    created_at: timestamp,
    processor_payment_id: z.string().nullable(),
    payout: z
      .object({ id, period: z.string() })
      .nullable()
      .meta({ description: "The payout that pays it; null while it is in none." }),
    reversal_of: id.nullable().meta({ description: "The paid commission that it nets; null for others." }),
    decision_id: id
      .nullable()
      .meta({ description: "The decision on its payment; null for a manual commission." }),
    steps: z.array(earningStepSchema).meta({ description: "The rates that were applied." }),
  })
  .meta({ id: "CommissionListRow" });

export type CommissionListRow = z.infer<typeof commissionRowSchema>;

export const commissionRowPageSchema = rowPageOf(commissionRowSchema);

export const listCommissionRowsInput = z.strictObject({
  ...rowPageQuery,
  text: searchText.optional().meta({
    description: "The beginning of a customer's or affiliate's email, or of a payment id.",
  }),
  state: z.enum(commissionStates).optional(),
  affiliate_id: idInput.optional(),
  campaign_id: idInput.optional(),
  reversal: z.boolean().optional().meta({ description: "Only reversals, or only the others." }),
  created_from: timestampInput.optional(),
  created_until: timestampInput.optional(),
});

export type ListCommissionRows = z.output<typeof listCommissionRowsInput>;

/** The most commissions or payments that one call changes. */
export const MAX_CHANGED = 100;

export const commissionIdsInput = z.strictObject({
  ids: z.array(idInput).min(1).max(MAX_CHANGED),
});

export type CommissionIds = z.output<typeof commissionIdsInput>;

export const changedCommissionsSchema = z.object({
  changed: z.int().meta({ description: "The commissions that were in another state before.", example: 2 }),
});

export type ChangedCommissions = z.infer<typeof changedCommissionsSchema>;
