import { z } from "zod";
import { commissionPayoutStatuses } from "../commissions/commissions.ts";
import { currency, currencyInput, id, idInput, MAX_AMOUNT, must, name, timestamp } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { readOnly, volatile } from "../read-only.ts";

const MAX_REASON = 500;

const describe = {
  affiliate_id: "The affiliate that gets the adjustment.",
  amount:
    "In major units of `currency`. Positive: the affiliate gets it, such as a bonus. Negative: later payouts deduct it, such as the clawback of a paid commission.",
  reason: "Why. The affiliate reads it in the portal and in statements.",
  commission_id: "The commission that it corrects, for reading; null for none.",
  payout_status:
    "`not_paid`, `pending` (in an open payout), `paid` (or deducted), or `voided` (withdrawn). An update can switch between `not_paid` and `voided`.",
};

export const adjustmentSchema = z
  .object({
    id: id.meta({ description: "Identifies the adjustment." }),
    affiliate_id: id.meta({ description: describe.affiliate_id }),
    amount: z.number().meta({ description: describe.amount, example: -30 }),
    currency,
    reason: z.string().meta({ description: describe.reason, example: "Refund after the payout of October" }),
    commission_id: id.nullable().meta({ description: describe.commission_id }),
    payout_status: z
      .enum(commissionPayoutStatuses)
      .meta({ description: describe.payout_status, example: "not_paid" }),
    payout_id: volatile(
      id
        .nullable()
        .meta({ description: "The payout that has it; null while it is in no payout.", example: null }),
    ),
    created_at: timestamp.meta({ description: "When it was created. It is due from then on." }),
  })
  .meta({ id: "Adjustment" });

export type Adjustment = z.infer<typeof adjustmentSchema>;

/** The adjustment of a line that is either a commission or an adjustment. */
export const adjustmentOfLine = adjustmentSchema
  .pick({ reason: true, commission_id: true })
  .nullable()
  .meta({ description: "The adjustment; null: it is a commission." });

/** An amount in major units with a sign; how many decimals it may have depends on its currency. */
const signedAmount = z
  .number()
  .min(-MAX_AMOUNT)
  .max(MAX_AMOUNT)
  .refine((value) => value !== 0, must("Must not be 0."));

export const createAdjustmentInput = z
  .strictObject({
    affiliate_id: idInput.meta({ description: describe.affiliate_id }),
    amount: signedAmount.meta({ description: describe.amount, example: -30 }),
    currency: currencyInput
      .optional()
      .meta({ description: "ISO 4217. Default: the organization's currency." }),
    reason: name(MAX_REASON).meta({
      description: describe.reason,
      example: "Refund after the payout of October",
    }),
    commission_id: idInput.optional().meta({
      description:
        "The commission that it corrects, for reading. Must be of the same affiliate and currency.",
    }),
  })
  .meta({
    example: {
      affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      amount: -30,
      currency: "USD",
      reason: "Refund after the payout of October",
      commission_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    },
  });

export type CreateAdjustment = z.infer<typeof createAdjustmentInput>;

const adjustmentId = idInput.meta({ description: "The adjustment's id." });

const { shape } = adjustmentSchema;

export const updateAdjustmentInput = z
  .strictObject({
    id: adjustmentId,
    payout_status: z.enum(commissionPayoutStatuses).optional().meta({
      description:
        "`voided` withdraws the adjustment, and `not_paid` restores it. Any other value is accepted only if it is the current one.",
      example: "voided",
    }),
    affiliate_id: readOnly(shape.affiliate_id),
    amount: readOnly(shape.amount),
    currency: readOnly(shape.currency),
    reason: readOnly(shape.reason),
    commission_id: readOnly(shape.commission_id),
    payout_id: readOnly(shape.payout_id),
    created_at: readOnly(shape.created_at),
  })
  .meta({ example: { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", payout_status: "voided" } });

export type UpdateAdjustment = z.infer<typeof updateAdjustmentInput>;

export const getAdjustmentInput = z.strictObject({ id: adjustmentId });

export const listAdjustmentsInput = z.strictObject({
  ...pageQuery,
  affiliate_id: idInput.optional().meta({ description: "Only adjustments of this affiliate." }),
  commission_id: idInput.optional().meta({ description: "Only adjustments that correct this commission." }),
  payout_id: idInput.optional().meta({ description: "Only adjustments in this payout." }),
  payout_status: z
    .enum(commissionPayoutStatuses)
    .optional()
    .meta({ description: "Only adjustments with this payout status." }),
});

export type ListAdjustments = z.infer<typeof listAdjustmentsInput>;

export const exportAdjustmentsInput = z.strictObject({
  affiliate_id: idInput.optional().meta({ description: "Only adjustments of this affiliate." }),
  payout_id: idInput.optional().meta({ description: "Only adjustments in this payout." }),
});

export type ExportAdjustments = z.infer<typeof exportAdjustmentsInput>;

export const adjustmentPageSchema = pageOf(adjustmentSchema);
