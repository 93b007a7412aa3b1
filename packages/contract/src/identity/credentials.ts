import { z } from "zod";
import { id, idInput, name, timestamp } from "../fields.ts";
import {
  linkTokenInput,
  newPasswordInput,
  passwordInput,
  personNameInput,
  registrationInput,
  secondFactorCodeInput,
} from "./account-fields.ts";

/* The sessions, profile, password, second factor and passkeys of the signed-in user. */

export const userSessionSchema = z.object({
  id,
  is_current: z.boolean().meta({ description: "Whether it is the session of this request." }),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp.meta({ description: "Precise to the minute." }),
});

export type UserSession = z.infer<typeof userSessionSchema>;

export const endSessionInput = z.strictObject({ id: idInput });

export const endedSessionsSchema = z.object({ ended: z.int() });

export const updateProfileInput = z.strictObject({ name: personNameInput });

export const changePasswordInput = z.strictObject({
  current_password: passwordInput.optional().meta({ description: "Required if the user has a password." }),
  password: newPasswordInput,
});

export type ChangePassword = z.infer<typeof changePasswordInput>;

export const confirmPersonInput = z.strictObject({
  password: passwordInput,
  code: secondFactorCodeInput
    .optional()
    .meta({ description: "Required if the user has an authenticator app." }),
});

export const confirmEmailInput = z.strictObject({ token: linkTokenInput });

export const credentialsSchema = z.object({
  email_verified: z.boolean(),
  has_password: z.boolean(),
  has_second_factor: z.boolean().meta({ description: "An authenticator app." }),
  has_passkey: z.boolean(),
  recovery_codes_left: z.int(),
});

export type Credentials = z.infer<typeof credentialsSchema>;

export const passkeySchema = z.object({
  id,
  name: z.string(),
  is_backed_up: z.boolean().meta({ description: "Whether the person's other devices have it, too." }),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

export type Passkey = z.infer<typeof passkeySchema>;

const passkeyNameInput = name(100).meta({ example: "Laptop" });

export const addPasskeyInput = z.strictObject({ name: passkeyNameInput, credential: registrationInput });

export const renamePasskeyInput = z.strictObject({ id: idInput, name: passkeyNameInput });

export const passkeyIdInput = z.strictObject({ id: idInput });

/** Options for `navigator.credentials`, as JSON. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });

/** Shown once, while the second factor is being set up. */
export const secondFactorSecretSchema = z.object({
  secret: z.string().meta({ description: "Base32, to type into an authenticator app." }),
  uri: z.string().meta({ description: "`otpauth://…`, to show as a QR code." }),
});

export type SecondFactorSecret = z.infer<typeof secondFactorSecretSchema>;

export const confirmSecondFactorInput = z.strictObject({
  code: secondFactorCodeInput,
  end_other_sessions: z
    .boolean()
    .default(false)
    .meta({ description: "The other sessions have not passed the second factor." }),
});

export type ConfirmSecondFactor = z.infer<typeof confirmSecondFactorInput>;

/** Shown once. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;
