import { z } from "zod";
import { emailInput, must, name, text } from "../fields.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password-length.ts";

/** The email address of a user, in lower case. */
export const accountEmailInput = emailInput.overwrite((value) => value.toLowerCase());

export const personNameInput = name(200).meta({ description: "The person's name.", example: "Jane Doe" });

/** A password that a person chooses. */
export const newPasswordInput = text(MAX_PASSWORD_LENGTH)
  .min(MIN_PASSWORD_LENGTH, must(`Must have at least ${MIN_PASSWORD_LENGTH} characters.`))
  .meta({ description: "The new password.", example: "correct horse battery" });

/** A password that a person types to prove who they are. */
export const passwordInput = text(MAX_PASSWORD_LENGTH).meta({ description: "The password." });

/** The token of a link: setup, invitation, password reset, confirmation of an address. */
export const linkTokenInput = text(200).meta({
  description: "The part of the link after `#`.",
});

const MAX_CODE_LENGTH = 40;

/** Six digits of an authenticator app, or a recovery code. */
export const secondFactorCodeInput = text(MAX_CODE_LENGTH)
  .regex(/\S/, must("Must not be blank."))
  .meta({ description: "Six digits of the authenticator app, or a recovery code.", example: "123456" });

const TIME_ZONE = "Must be an IANA time zone, as in Europe/Berlin.";

export const timeZoneInput = text(64).refine(isTimeZone, must(TIME_ZONE)).meta({ example: "Europe/Berlin" });

/** Whether this runtime, and so the service, knows the time zone. An offset such as `+02:00` is none. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  // biome-ignore lint/plugin/swallowed-failure: throws only for an unknown time zone
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export const organizationNameInput = name(200).meta({ example: "Acme" });

const MAX_ENCODED_LENGTH = 20_000;
const base64url = text(MAX_ENCODED_LENGTH).regex(/^[A-Za-z0-9_-]*$/, must("Must be base64url."));

/** The fields that both answers of `navigator.credentials` have, as their `toJSON` writes them. */
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}).default({}),
};

const MAX_TRANSPORTS = 10;

/** A new passkey. */
export const registrationInput = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(text(40)).max(MAX_TRANSPORTS).default([]),
    }),
  })
  .meta({ description: "The answer of `navigator.credentials.create`, as JSON." });

/** A sign-in with a passkey. */
export const assertionInput = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.nullish().transform((handle) => handle ?? ""),
    }),
  })
  .meta({ description: "The answer of `navigator.credentials.get`, as JSON." });
