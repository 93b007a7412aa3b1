import { z } from "zod";
import { affiliateSchema } from "../affiliates/affiliates.ts";
import { email, emailInput, id, idInput, name, someOf, timestamp } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { readOnly, volatile } from "../read-only.ts";

export const subscriptionStatuses = ["active", "signed_up", "trialing", "canceled", "past_due"] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

const describe = {
  affiliate: "The affiliate who referred the customer.",
  email: "Email of the referred customer.",
  subscription_status: "The state of the customer's subscription.",
  processor_customer_id: "Customer ID at the payment processor.",
};

/** All fields of a referral except its affiliate, which commissions omit and events reduce. */
export const referralFields = {
  id: id.meta({ description: "Identifies the referral." }),
  email: volatile(email.meta({ description: describe.email, example: "customer@example.com" })),
  subscription_status: volatile(
    z.enum(subscriptionStatuses).meta({ description: describe.subscription_status, example: "signed_up" }),
  ),
  signup_date: timestamp.meta({ description: "When the customer signed up." }),
  processor_customer_id: volatile(
    z.string().nullable().meta({ description: describe.processor_customer_id, example: "cus_QX1" }),
  ),
  created_at: timestamp.meta({ description: "When the referral was created." }),
};

export const referralSchema = z
  .object({ ...referralFields, affiliate: affiliateSchema.meta({ description: describe.affiliate }) })
  .meta({ id: "Referral" });

export type Referral = z.infer<typeof referralSchema>;

/** A referral as shown inside a commission. */
export const referralWithoutAffiliateSchema = z
  .object(referralFields)
  .meta({ id: "ReferralWithoutAffiliate" });

export type ReferralWithoutAffiliate = z.infer<typeof referralWithoutAffiliateSchema>;

const fields = {
  email: emailInput.meta({ description: describe.email, example: "customer@example.com" }),
  processor_customer_id: name(255).meta({ description: describe.processor_customer_id, example: "cus_QX1" }),
  subscription_status: z
    .enum(subscriptionStatuses)
    .meta({ description: describe.subscription_status, example: "signed_up" }),
};

const referralId = idInput.meta({ description: "The referral's id." });

export const createReferralInput = z
  .strictObject({
    affiliate_id: idInput.meta({ description: describe.affiliate }),
    email: fields.email,
    processor_customer_id: fields.processor_customer_id.optional(),
    subscription_status: fields.subscription_status.default("signed_up"),
  })
  .meta({
    example: {
      affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      email: "customer@example.com",
      processor_customer_id: "cus_QX1",
      subscription_status: "signed_up",
    },
  });

export type CreateReferral = z.infer<typeof createReferralInput>;

/** Omitted fields keep their values; `null` clears a field. */
export const updateReferralInput = z
  .strictObject({
    id: referralId,
    email: fields.email.optional().meta({
      description: `${describe.email} Payments with it are of this referral, past ones included.`,
      example: "customer@example.com",
    }),
    processor_customer_id: fields.processor_customer_id
      .nullable()
      .optional()
      .meta({
        description: `${describe.processor_customer_id} Payments with it are of this referral, past ones included.`,
        example: "cus_QX1",
      }),
    subscription_status: fields.subscription_status.optional(),
    signup_date: readOnly(referralFields.signup_date),
    created_at: readOnly(referralFields.created_at),
    affiliate: readOnly(referralSchema.shape.affiliate),
  })
  .meta({ example: { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", subscription_status: "active" } });

export type UpdateReferral = z.infer<typeof updateReferralInput>;

export const getReferralInput = z.strictObject({ id: referralId });

export const listReferralsInput = z.strictObject({
  ...pageQuery,
  affiliate_id: idInput.optional().meta({ description: "Only referrals of this affiliate." }),
  email: emailInput.optional().meta({ description: "Only the referral with this email, in any case." }),
  processor_customer_id: name(255).optional().meta({ description: "Only the referral of this customer." }),
  subscription_status: someOf(subscriptionStatuses)
    .optional()
    .meta({
      description: "Only referrals with one of these statuses, separated by commas in a query.",
      example: ["active", "trialing"],
    }),
});

export type ListReferrals = z.infer<typeof listReferralsInput>;

export const referralPageSchema = pageOf(referralSchema);
