import { z } from "zod";
import { affiliateSchema } from "../affiliates/affiliates.ts";
import { amount, currency, email, id, idInput, must, text, timestamp } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";

export const payoutStatuses = ["pending", "processing", "paid", "failed", "canceled"] as const;
export const payoutMethods = ["manual", "paypal", "wise"] as const;

const PERIOD = /^[0-9]{4}-(0[1-9]|1[0-2])$/;

export const periodInput = z
  .string()
  .regex(PERIOD, must("Must be a month as YYYY-MM."))
  .meta({ example: "2026-10" });

/** A payout as shown inside a commission. */
const reducedFields = {
  id: id.meta({ description: "Identifies the payout." }),
  affiliate_name: z
    .string()
    .meta({ description: "The affiliate's name when the payout was created.", example: "Jane Doe" }),
  payout_email: email.nullable().meta({ description: "The address that the payout is sent to." }),
  amount: amount.meta({ description: "The amount paid, in major units of `currency`.", example: 120.5 }),
  currency,
  period: z.string().meta({
    description: "The month of the payout's run, as `YYYY-MM`, in the organization's time zone then.",
    example: "2026-10",
  }),
  payment_count: z
    .int()
    .meta({ description: "The number of commissions and adjustments in the payout.", example: 4 }),
  created_at: timestamp.meta({ description: "When the payout was created." }),
};

export const reducedPayoutSchema = z.object(reducedFields).meta({ id: "ReducedPayout" });

export type ReducedPayout = z.infer<typeof reducedPayoutSchema>;

export const payoutSchema = z
  .object({
    ...reducedFields,
    status: z.enum(payoutStatuses).meta({ description: "The state of the payment.", example: "pending" }),
    method: z.enum(payoutMethods).meta({
      description: "How the payout is paid; `paypal` and `wise` use that provider's file export.",
      example: "manual",
    }),
    affiliate: affiliateSchema.meta({ description: "The payee." }),
  })
  .meta({ id: "Payout" });

export type Payout = z.infer<typeof payoutSchema>;

export const getPayoutInput = z.strictObject({ id: idInput.meta({ description: "The payout's id." }) });

export const listPayoutsInput = z.strictObject({
  ...pageQuery,
  affiliate_id: idInput.optional().meta({ description: "Only payouts to this affiliate." }),
  status: z.enum(payoutStatuses).optional().meta({ description: "Only payouts with this status." }),
  period: periodInput.optional().meta({ description: "Only payouts of this month, as `YYYY-MM`." }),
});

export type ListPayouts = z.infer<typeof listPayoutsInput>;

/** The statuses that an operator or a provider's result file can move a payout to. */
const payoutMoves = ["processing", "paid", "failed", "canceled"] as const;

export type PayoutMove = (typeof payoutMoves)[number];

/** The maximum number of payouts that one call moves. */
export const MAX_PAYOUTS_MOVED = 1_000;
const MAX_REASON_LENGTH = 500;

export const movePayoutsInput = z.strictObject({
  ids: z.array(idInput).min(1).max(MAX_PAYOUTS_MOVED).meta({ description: "All payouts move, or none." }),
  status: z.enum(payoutMoves).meta({
    description:
      "`pending` can become `processing`, and `processing` can become `paid`. Both can become `failed` or `canceled`, which releases their commissions and adjustments. `paid` can become `failed` if the money came back.",
  }),
  reason: text(MAX_REASON_LENGTH).optional().meta({ description: "Why the payout failed or was canceled." }),
  through_processing: z.boolean().default(false).meta({
    description: "With `paid`: pending payouts become `processing` first, in the same transaction.",
  }),
});

export type MovePayouts = z.input<typeof movePayoutsInput>;

export const payoutPageSchema = pageOf(payoutSchema);
