import { z } from "zod";
import { affiliateSchema } from "./affiliates.ts";
import { amount, currency, email, id, idInput, must, text, timestamp } from "./fields.ts";
import { pageOf, pageQuery } from "./pages.ts";

export const payoutStatuses = ["pending", "processing", "paid", "failed", "canceled"] as const;
export const payoutMethods = ["manual", "paypal", "wise"] as const;

const PERIOD = /^[0-9]{4}-(0[1-9]|1[0-2])$/;

export const periodInput = z
  .string()
  .regex(PERIOD, must("Must be a month as YYYY-MM."))
  .meta({ example: "2026-10" });

/** What a commission shows of its payout. */
const reducedFields = {
  id: id.meta({ description: "Identifies the payout." }),
  affiliate_name: z
    .string()
    .meta({ description: "The affiliate's name when it was made.", example: "Jane Doe" }),
  payout_email: email.nullable().meta({ description: "The address that it is sent to." }),
  amount: amount.meta({ description: "The amount paid, in major units of `currency`.", example: 120.5 }),
  currency,
  period: z.string().meta({ description: "The month of its run, as `YYYY-MM`.", example: "2026-10" }),
  payment_count: z.int().meta({ description: "How many commissions it pays.", example: 4 }),
  created_at: timestamp.meta({ description: "When the payout was made." }),
};

export const reducedPayoutSchema = z.object(reducedFields).meta({ id: "ReducedPayout" });

export type ReducedPayout = z.infer<typeof reducedPayoutSchema>;

export const payoutSchema = z
  .object({
    ...reducedFields,
    status: z.enum(payoutStatuses).meta({ description: "The state of the payment.", example: "pending" }),
    method: z.enum(payoutMethods).meta({
      description: "How it is paid; `paypal` and `wise` mean exported in that provider's file.",
      example: "manual",
    }),
    affiliate: affiliateSchema.meta({ description: "The affiliate who is paid." }),
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

/** What a payout can be moved to by hand, and in a provider's result file. */
export const payoutMoves = ["processing", "paid", "failed", "canceled"] as const;

export type PayoutMove = (typeof payoutMoves)[number];

const MOST_PAYOUTS = 1_000;
const LONGEST_REASON = 500;

export const movePayoutsInput = z.strictObject({
  ids: z.array(idInput).min(1).max(MOST_PAYOUTS).meta({ description: "All of them move, or none." }),
  status: z.enum(payoutMoves).meta({
    description:
      "`pending` may become `processing`; `processing` `paid`; both `failed` or `canceled`, and their commissions are unpaid again.",
  }),
  reason: text(LONGEST_REASON).optional().meta({ description: "Why it failed or was canceled." }),
});

export type MovePayouts = z.infer<typeof movePayoutsInput>;

export const payoutPageSchema = pageOf(payoutSchema);
