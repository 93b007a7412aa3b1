import { z } from "zod";
import { paymentRowSchema } from "../attribution/payment-rows.ts";
import { currencyInput, emailInput, idInput } from "../fields.ts";
import { createCommissionInput } from "./commissions.ts";

/* The dashboard's form for a manual commission. */

const whose = {
  affiliate_id: idInput,
  customer_email: emailInput.meta({
    description: "The email of a referral of the affiliate, or of a new customer, who becomes one.",
  }),
};

export const createManualCommissionInput = createCommissionInput
  .omit({ referral_id: true })
  .extend({ ...whose, currency: currencyInput });

export type CreateManualCommission = z.output<typeof createManualCommissionInput>;

/** Maximum payments that the form offers. */
export const MAX_OFFERED = 20;

export const customerPaymentsInput = z.strictObject(whose);

export type CustomerPaymentsInput = z.output<typeof customerPaymentsInput>;

const offeredPaymentSchema = paymentRowSchema
  .omit({ passed: true, customer_email: true, taken_back_by: true, remaining: true })
  .extend({ is_free: z.boolean().meta({ description: "Whether the payment has no commission." }) });

/** A customer's payments that processors reported, for a manual commission. */
export const customerPaymentsSchema = z
  .object({
    holder: z
      .object({ referral_id: z.string(), affiliate_id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The other affiliate that referred the customer; null: none." }),
    payments: z.array(offeredPaymentSchema).meta({
      description: `The latest payments first; at most ${MAX_OFFERED}.`,
    }),
  })
  .meta({ id: "CustomerPayments" });

export type CustomerPayments = z.infer<typeof customerPaymentsSchema>;
