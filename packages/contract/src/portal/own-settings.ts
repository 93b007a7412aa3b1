import { z } from "zod";
import { affiliateFields, updateAffiliateInput } from "../affiliates/affiliates.ts";
import { amount, currency, payeeEmailInput, timestamp } from "../fields.ts";
import { accountEmailInput } from "../identity/account-fields.ts";
import { answerFields } from "./join.ts";
import { portalLanguages } from "./join-paths.ts";
import { codeSignInInput, mailedCodeInput } from "./sign-in.ts";

const { first_name, last_name, payout_email, payout_currency, new_paid_referral_notifications } =
  affiliateFields;

/** The settings that an affiliate can change. */
export const ownSettingsSchema = z.object({
  first_name,
  last_name,
  payout_email,
  payout_currency,
  may_choose_payout_currency: z.boolean().meta({
    description: "Whether the organization lets affiliates choose the currency that they are paid in.",
  }),
  new_paid_referral_notifications,
  details: z.string().nullable(),
  custom_fields: z.array(z.object({ id: z.string(), ...answerFields })),
  pending_payout_email: z
    .string()
    .nullable()
    .meta({ description: "The address that a code of this session confirms; null: none was asked for." }),
});

export type OwnSettings = z.infer<typeof ownSettingsSchema>;

/** Omitted fields keep their values. */
export const updateOwnSettingsInput = updateAffiliateInput.pick({
  first_name: true,
  last_name: true,
  payout_currency: true,
  new_paid_referral_notifications: true,
});

export type UpdateOwnSettings = z.output<typeof updateOwnSettingsInput>;

export const requestPayoutEmailInput = z.strictObject({ email: payeeEmailInput });

export const requestedPayoutEmailSchema = z.object({ expires_at: timestamp });

export type RequestedPayoutEmail = z.infer<typeof requestedPayoutEmailSchema>;

export const confirmPayoutEmailInput = codeSignInInput.extend({
  sign_in_code: mailedCodeInput.optional().meta({
    description:
      "The code that was mailed to the sign-in address; not needed if that is the new payout email.",
  }),
});

export type ConfirmPayoutEmail = z.output<typeof confirmPayoutEmailInput>;

export const setLanguageInput = z.strictObject({ language: z.enum(portalLanguages) });

/** The balance of an affiliate, before it leaves or has its data erased. */
export const leavingSchema = z.object({
  owed: z
    .array(z.object({ currency, due: amount, held: amount, in_payout: amount }))
    .meta({ description: "By currency; without currencies in which nothing is to be paid." }),
});

export type Leaving = z.infer<typeof leavingSchema>;

/** The person types its own address, so that nobody leaves by a slip. */
export const confirmedByEmailInput = z.strictObject({ email: accountEmailInput });

export type ConfirmedByEmail = z.output<typeof confirmedByEmailInput>;
