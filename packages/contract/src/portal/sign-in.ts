import { z } from "zod";
import { must, text } from "../fields.ts";
import { accountEmailInput, linkTokenInput } from "../identity/account-fields.ts";

/** The paths below which affiliates prove their address. Each takes a POST with a JSON body. */
export const PORTAL_AUTH_PATHS = {
  request_code: "/portal/auth/code",
  sign_in: "/portal/auth/sign-in",
  sign_in_by_link: "/portal/auth/sign-in/link",
  /** The account of a sign-in link, for the page with the button. The link stays open. */
  link_account: "/portal/auth/sign-in/link/account",
  sign_out: "/portal/auth/sign-out",
  embed: "/portal/auth/embed",
  view: "/portal/auth/view",
} as const;

export const requestCodeInput = z.strictObject({ email: accountEmailInput });

const MAX_CODE_LENGTH = 40;

/** The six digits of the mail, as people type or paste them: spaces and hyphens between them do not matter. */
export const mailedCodeInput = text(MAX_CODE_LENGTH)
  .overwrite((value) => value.replaceAll(/[\s-]/g, ""))
  .regex(/^\d{6}$/, must("Enter the six digits of the email."))
  .meta({ description: "The code in the email.", example: "123456" });

export const codeSignInInput = z.strictObject({ code: mailedCodeInput });

export const linkSignInInput = z.strictObject({ token: linkTokenInput });

/** The account that a mailed link signs in to, so that nobody signs in as somebody else unnoticed. */
const linkAccountSchema = z.object({
  email: z
    .string()
    .meta({ description: "Masked: who has another's link learns no address.", example: "j…e@example.com" }),
});

export type LinkAccount = z.infer<typeof linkAccountSchema>;
