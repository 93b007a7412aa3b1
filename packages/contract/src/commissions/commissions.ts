import { z } from "zod";
import { affiliateSchema } from "../affiliates/affiliates.ts";
import { referralWithoutAffiliateSchema } from "../customers/referrals.ts";
import {
  amount,
  amountInput,
  currency,
  currencyInput,
  id,
  idInput,
  name,
  timestamp,
  timestampInput,
} from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { reducedPayoutSchema } from "../payouts/payouts.ts";
import { readOnly, volatile } from "../read-only.ts";
import { commissionReviewSchema, reviewState, reviewStates } from "./reviews.ts";

export const commissionPayoutStatuses = ["not_paid", "pending", "paid", "voided"] as const;

export type CommissionPayoutStatus = (typeof commissionPayoutStatuses)[number];

const describe = {
  affiliate: "The affiliate who earns it.",
  referral: "The customer.",
  payout: "The payout that pays it; null while the commission is in no payout.",
  revenue_amount:
    "Amount of the transaction, in major units of `currency`; 0 for a lead and for a recruit's commission.",
  commission_amount: "The affiliate's earnings, in major units of `currency`.",
  referral_date: "When the customer paid, or the lead happened.",
  processor_payment_id:
    "Payment ID at the payment processor: of the invoice, payment intent, charge or checkout. All names of a payment have one commission.",
  lead: "The event other than a payment that it is for: `signup`, `trial`, or the name of a conversion that was reported. Null: it is for a payment.",
  recruit_commission_id:
    "The recruit's commission that this one is a percentage of, and follows. Null: this commission is for a payment or a lead.",
  payout_status:
    "`not_paid`, `pending` (in an open payout), `paid`, or `voided`. An update can switch between `not_paid` and `voided`.",
};

/** All fields of a commission except its affiliate, which events carry in reduced form. */
export const commissionFields = {
  id: id.meta({ description: "Identifies the commission." }),
  revenue_amount: amount.meta({ description: describe.revenue_amount, example: 100 }),
  currency,
  commission_amount: amount.meta({ description: describe.commission_amount, example: 30 }),
  payout_status: z
    .enum(commissionPayoutStatuses)
    .meta({ description: describe.payout_status, example: "not_paid" }),
  referral_date: timestamp.meta({ description: describe.referral_date }),
  created_at: timestamp.meta({ description: "When the commission was created." }),
  processor_payment_id: z
    .string()
    .nullable()
    .meta({ description: describe.processor_payment_id, example: "pi_3Pj" }),
  lead: z.string().nullable().meta({ description: describe.lead, example: null }),
  recruit_commission_id: id.nullable().meta({ description: describe.recruit_commission_id, example: null }),
  review_state: reviewState,
  review: commissionReviewSchema
    .nullable()
    .meta({ description: "Why it needed a review, and who decided; null: it needed none.", example: null }),
  referral: referralWithoutAffiliateSchema.meta({ description: describe.referral }),
  payout: volatile(reducedPayoutSchema.nullable().meta({ description: describe.payout, example: null })),
};

export const commissionSchema = z
  .object({ ...commissionFields, affiliate: affiliateSchema.meta({ description: describe.affiliate }) })
  .meta({ id: "Commission" });

export type Commission = z.infer<typeof commissionSchema>;

const fields = {
  revenue_amount: amountInput.meta({ description: describe.revenue_amount, example: 100 }),
  commission_amount: amountInput.meta({ description: describe.commission_amount, example: 30 }),
  referral_date: timestampInput.meta({ description: describe.referral_date }),
  processor_payment_id: name(255).meta({ description: describe.processor_payment_id, example: "pi_3Pj" }),
};

const commissionId = idInput.meta({ description: "The commission's id." });

export const createCommissionInput = z
  .strictObject({
    referral_id: idInput.meta({ description: "The referral that the commission is for." }),
    revenue_amount: fields.revenue_amount,
    commission_amount: fields.commission_amount,
    currency: currencyInput
      .optional()
      .meta({ description: "ISO 4217. Default: the organization's currency." }),
    referral_date: fields.referral_date
      .optional()
      .meta({ description: `${describe.referral_date} Default: the current time.` }),
    processor_payment_id: fields.processor_payment_id.optional(),
  })
  .meta({
    example: {
      referral_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      revenue_amount: 100,
      commission_amount: 30,
      currency: "USD",
      referral_date: "2026-11-20T09:30:00.000Z",
      processor_payment_id: "pi_3Pj",
    },
  });

export type CreateCommission = z.infer<typeof createCommissionInput>;

/** Omitted fields keep their values; `null` clears a field. */
export const updateCommissionInput = z
  .strictObject({
    id: commissionId,
    revenue_amount: fields.revenue_amount.optional(),
    commission_amount: fields.commission_amount.optional(),
    referral_date: fields.referral_date.optional(),
    processor_payment_id: fields.processor_payment_id
      .nullable()
      .optional()
      .meta({ description: describe.processor_payment_id, example: "pi_3Pj" }),
    payout_status: z.enum(commissionPayoutStatuses).optional().meta({
      description:
        "`voided` reverses the commission. `not_paid` undoes that: the commission gets the amount that its payment earns now, or the amounts that it shows if its payment earns nothing. Any other value is accepted only if it is the current one.",
      example: "voided",
    }),
    stays_voided: z.boolean().optional().meta({
      description:
        "Of a voided commission. `true`: it stays voided when its payment earns again, as after a dispute that was won. `false` takes that back: the commission gets the amount that its payment earns now. Omitted: unchanged. A commission that you voided stays voided.",
      example: true,
    }),
    lead: readOnly(commissionFields.lead),
    recruit_commission_id: readOnly(commissionFields.recruit_commission_id),
    currency: readOnly(commissionFields.currency),
    review_state: readOnly(commissionFields.review_state),
    review: readOnly(commissionFields.review),
    created_at: readOnly(commissionFields.created_at),
    affiliate: readOnly(commissionSchema.shape.affiliate),
    referral: readOnly(commissionFields.referral),
    payout: readOnly(commissionFields.payout),
  })
  .meta({
    example: {
      id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      revenue_amount: 80,
      commission_amount: 24,
    },
  });

export type UpdateCommission = z.infer<typeof updateCommissionInput>;

/** Why a person approves or rejects a commission. */
export const reviewReason = name(500).meta({
  description: "For the members of the organization. Affiliates do not see it.",
  example: "The customer is the affiliate's own company.",
});

export const approveCommissionInput = z
  .strictObject({ id: commissionId, reason: reviewReason.optional() })
  .meta({ example: { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" } });

export type ApproveCommission = z.output<typeof approveCommissionInput>;

export const rejectCommissionInput = z.strictObject({ id: commissionId, reason: reviewReason }).meta({
  example: {
    id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    reason: "The customer is the affiliate's own company.",
  },
});

export type RejectCommission = z.output<typeof rejectCommissionInput>;

export const getCommissionInput = z.strictObject({ id: commissionId });

export const listCommissionsInput = z.strictObject({
  ...pageQuery,
  affiliate_id: idInput.optional().meta({ description: "Only commissions of this affiliate." }),
  referral_id: idInput.optional().meta({ description: "Only commissions for this referral." }),
  payout_status: z
    .enum(commissionPayoutStatuses)
    .optional()
    .meta({ description: "Only commissions with this payout status." }),
  review_state: z
    .enum(reviewStates)
    .optional()
    .meta({ description: "Only commissions in this state of the review." }),
  for_recruits: z.boolean().optional().meta({
    description: "Only commissions that are a percentage of recruits' commissions, or only the others.",
  }),
  created_after: timestampInput
    .optional()
    .meta({ description: "Only commissions created at or after this time." }),
  created_before: timestampInput
    .optional()
    .meta({ description: "Only commissions created before this time." }),
});

export type ListCommissions = z.infer<typeof listCommissionsInput>;

export const commissionPageSchema = pageOf(commissionSchema);
