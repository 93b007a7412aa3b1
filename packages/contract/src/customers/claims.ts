import { z } from "zod";
import { paymentOutcome } from "../attribution/payment-decisions.ts";
import { explainedCandidateSchema, paymentRowSchema } from "../attribution/payment-rows.ts";
import {
  amount,
  currency,
  email,
  emailInput,
  id,
  idInput,
  name,
  someOf,
  text,
  timestamp,
  timestampInput,
} from "../fields.ts";
import { portalLanguages } from "../portal/join-paths.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { CLAIM_DAYS, MAX_CLAIM_ANSWER, MAX_CLAIM_NOTE, MAX_CLAIMED_PAYMENTS } from "./claim-limits.ts";

/* Missing sales that affiliates report in the portal, and the organization decides on. */

const claimStates = ["open", "accepted", "declined"] as const;

export type ClaimState = (typeof claimStates)[number];

export const claimFields = {
  id,
  email: email.meta({ description: "The customer's; empty once the affiliate was erased." }),
  paid_on: z.iso
    .date()
    .meta({ description: "The day of the payment, by the affiliate.", example: "2026-11-20" }),
  note: z.string().meta({ description: "The evidence." }),
  payment_known: z.boolean().meta({
    description: `Whether a payment of the address within ${CLAIM_DAYS} days was known when the claim was made.`,
  }),
  state: z.enum(claimStates),
  answer: z.string().nullable().meta({ description: "The organization's words to the affiliate." }),
  commission_id: id.nullable().meta({ description: "The commission of an accepted claim." }),
  created_at: timestamp,
  decided_at: timestamp.nullable(),
};

export const createClaimInput = z.strictObject({
  email: emailInput,
  paid_on: z.iso.date(),
  note: name(MAX_CLAIM_NOTE).meta({
    description: "The evidence: an order number, an address, or a sentence.",
  }),
});

export type CreateClaim = z.output<typeof createClaimInput>;

const claimRowSchema = z
  .object({ ...claimFields, affiliate: reducedAffiliateSchema })
  .meta({ id: "ClaimRow" });

export type ClaimRow = z.infer<typeof claimRowSchema>;

export const claimRowPageSchema = rowPageOf(claimRowSchema);

const filters = {
  states: someOf(claimStates).optional(),
  affiliate_id: idInput.optional(),
  text: searchText.optional().meta({
    description: "A part of the customer's email, or of the affiliate's name, email or code, in any case.",
  }),
  created_from: timestampInput.optional(),
  created_until: timestampInput.optional(),
};

export const listClaimsInput = z.strictObject({ ...rowPageQuery, ...filters });

export type ListClaims = z.output<typeof listClaimsInput>;

/** The rows on all pages of the list. */
export const matchClaimsInput = z.strictObject(filters);

export type MatchClaims = z.output<typeof matchClaimsInput>;

export const claimIdInput = z.strictObject({ id: idInput });

/** Why a claim cannot be accepted for a payment. */
const claimObstacles = [
  "earned_by_affiliate",
  "earned_by_other",
  "customer_of_other",
  "manual_commission",
] as const;

export type ClaimObstacle = (typeof claimObstacles)[number];

/** A payment of the claimed address. */
const claimedPaymentSchema = paymentRowSchema
  .omit({
    passed: true,
    customer_email: true,
    remaining: true,
    override: true,
    taken_back_by: true,
  })
  .extend({
    is_near: z.boolean().meta({ description: `Within ${CLAIM_DAYS} days of the claimed day.` }),
    own_candidate: explainedCandidateSchema
      .nullable()
      .meta({ description: "The affiliate's own evidence for the payment; null: none." }),
    obstacle: z
      .enum(claimObstacles)
      .nullable()
      .meta({ description: "Null: the claim can be accepted for it." }),
  });

export type ClaimedPayment = z.infer<typeof claimedPaymentSchema>;

/** A claim beside the payments of its address. */
export const claimDetailSchema = z
  .object({
    claim: claimRowSchema.extend({
      payment_decision_id: id.nullable(),
      decided_by: z.string().nullable(),
      decided_by_name: z.string().nullable(),
    }),
    campaign: z.object({ id, name: z.string() }),
    language: z.enum(portalLanguages).meta({ description: "The affiliate's, for the answer." }),
    commission: z
      .object({ id, commission_amount: amount, currency, payout_status: z.string() })
      .nullable()
      .meta({ description: "The commission of an accepted claim, as it is now." }),
    customer: z
      .object({ referral_id: id, affiliate: reducedAffiliateSchema })
      .nullable()
      .meta({ description: "The customer's referral, and the affiliate that it belongs to; null: none." }),
    payments: z.array(claimedPaymentSchema).meta({
      description: `The payments of the address until a month after the claimed day, the latest first; at most ${MAX_CLAIMED_PAYMENTS}.`,
    }),
  })
  .meta({ id: "ClaimDetail" });

export type ClaimDetail = z.infer<typeof claimDetailSchema>;

export const previewClaimInput = z.strictObject({
  id: idInput,
  payment_decision_id: idInput.meta({ description: "The payment that the claim is about." }),
});

export type PreviewClaim = z.output<typeof previewClaimInput>;

const decided = z.object({ outcome: paymentOutcome, commission_amount: amount, affiliate_id: id.nullable() });

/** The changes that accepting a claim makes: the chosen payment, and others of the customer. */
export const claimPreviewSchema = z.object({
  version: z.string().meta({ description: "Stands for these changes; `accept` makes no others." }),
  commission_amount: amount.meta({ description: "The commission of the chosen payment, after refunds." }),
  currency,
  payments: z.array(
    z.object({
      id,
      processor_payment_id: z.string(),
      paid_at: timestamp,
      currency,
      before: decided,
      after: decided,
    }),
  ),
});

export type ClaimPreview = z.infer<typeof claimPreviewSchema>;

const answer = text(MAX_CLAIM_ANSWER).meta({ description: "For the affiliate, in the portal and the mail." });

export const acceptClaimInput = previewClaimInput.extend({
  version: text(100).meta({ description: "The version of the preview that was confirmed." }),
  answer: answer.nullable().default(null),
});

export type AcceptClaim = z.output<typeof acceptClaimInput>;

/** The commission of an accepted claim. */
export const acceptedClaimSchema = z.object({ commission_id: id });

export const declineClaimInput = z.strictObject({
  id: idInput,
  answer: name(MAX_CLAIM_ANSWER).meta({ description: "For the affiliate, in the portal and the mail." }),
});

export type DeclineClaim = z.output<typeof declineClaimInput>;
