import { z } from "zod";
import type { signalReason } from "../attribution/signals.ts";
import { timestamp } from "../fields.ts";

/** Which new commissions of a campaign wait for a review. */
export const campaignReviews = ["none", "all", "first", "flagged"] as const;

export const reviewStates = ["none", "pending", "approved", "rejected"] as const;

export type ReviewState = (typeof reviewStates)[number];

const reviewReasons = [
  "campaign_reviews_all",
  "first_of_affiliate",
  "above_amount",
  "other_currency",
] as const;

export type ReviewReason = (typeof reviewReasons)[number] | ReturnType<typeof signalReason>;

export const reviewState = z.enum(reviewStates).meta({
  description:
    "The review before a payout: `none` (it needs none), `pending`, `approved` or `rejected`. A pending commission is in no payout, and a rejected one is voided. Decided when the commission is created, by the settings of its affiliate's campaign.",
  example: "none",
});

export const commissionReviewSchema = z
  .object({
    reasons: z.array(z.string()).meta({
      description:
        "Why it needed a review: `campaign_reviews_all`, `first_of_affiliate` (no commission of the affiliate had passed), `above_amount`, `other_currency` (its amount cannot be compared with the campaign's), or `signal:` and the name of a signal of fraud. More may be added.",
      example: ["first_of_affiliate"],
    }),
    since: timestamp.meta({ description: "Since when it waits, or waited." }),
    approves_at: timestamp.nullable().meta({
      description: "When it is approved automatically; null: only a person approves it, or it was decided.",
      example: null,
    }),
    decided_by: z.string().nullable().meta({
      description: "`user <id>`, `key <id>`, or `automatic approval`; null while nobody has decided.",
      example: null,
    }),
    decided_at: timestamp.nullable().meta({ description: "When it was decided.", example: null }),
    reason: z.string().nullable().meta({
      description: "The reason that a person gave. Affiliates do not see it.",
      example: null,
    }),
  })
  .meta({ id: "CommissionReview" });

export type CommissionReview = z.infer<typeof commissionReviewSchema>;
