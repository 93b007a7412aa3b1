import { z } from "zod";
import { accountEmailInput, linkTokenInput } from "./account-fields.ts";
import { affiliateStates } from "./affiliate-rows.ts";
import { affiliateFields } from "./affiliates.ts";
import { campaignSchema } from "./campaigns.ts";
import { currency, email, id, must, text } from "./fields.ts";

/** The paths below which affiliates prove their address. Each takes a POST with a JSON body. */
export const PORTAL_AUTH_PATHS = {
  request_code: "/portal/auth/code",
  sign_in: "/portal/auth/sign-in",
  sign_in_by_link: "/portal/auth/sign-in/link",
  sign_out: "/portal/auth/sign-out",
} as const;

export const requestCodeInput = z.strictObject({ email: accountEmailInput });

const MAX_CODE_LENGTH = 40;

/** The six digits of the mail, as people type or paste them: spaces and hyphens between them do not matter. */
const mailedCodeInput = text(MAX_CODE_LENGTH)
  .overwrite((value) => value.replaceAll(/[\s-]/g, ""))
  .regex(/^\d{6}$/, must("Enter the six digits of the email."))
  .meta({ description: "The code in the email.", example: "123456" });

export const codeSignInInput = z.strictObject({ code: mailedCodeInput });

export const linkSignInInput = z.strictObject({ token: linkTokenInput });

const state = z
  .enum(affiliateStates)
  .meta({ description: "Only an active affiliate sees more of the program than this state." });

const programSchema = z.object({
  affiliate_id: id.meta({ description: "Send it in the header findersfee-affiliate." }),
  organization_name: z.string().meta({ description: "The organization of the program.", example: "Acme" }),
  campaign_name: z.string().meta({ description: "The campaign.", example: "Partner program" }),
  state,
});

/** The address that was proven, and the programs that it belongs to. */
export const portalMeSchema = z.object({ email, programs: z.array(programSchema) });

export type PortalMe = z.infer<typeof portalMeSchema>;

const { name, commission_type, commission_amount, limit_type, limit_amount, first_payment_commission } =
  campaignSchema.shape;
const { links, promo_codes, first_name, last_name, payout_email } = affiliateFields;

/** An affiliate's program. Only an active affiliate has links and codes. */
export const portalProgramSchema = z.object({
  affiliate: z.object({ id, first_name, last_name, email, payout_email }),
  state,
  decline_reason: z.string().nullable(),
  organization: z.object({ name: z.string(), support_email: email.nullable(), currency }),
  campaign: z.object({
    name,
    commission_type,
    commission_amount,
    limit_type,
    limit_amount,
    first_payment_commission,
    dashboard_text: z.string().nullable().meta({ description: "For active affiliates." }),
  }),
  links,
  promo_codes: z.array(promo_codes.element.pick({ code: true })),
});

export type PortalProgram = z.infer<typeof portalProgramSchema>;
