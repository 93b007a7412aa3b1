import { z } from "zod";
import { text } from "../fields.ts";
import {
  accountEmailInput,
  assertionInput,
  linkTokenInput,
  newPasswordInput,
  passwordInput,
  secondFactorCodeInput,
} from "./account-fields.ts";

/** The paths below which people sign in. Each takes a POST with a JSON body; `{}` if the input has no fields. */
export const AUTH_PATHS = {
  sign_in: "/auth/sign-in",
  second_factor: "/auth/sign-in/second-factor",
  passkey_options: "/auth/sign-in/passkey/options",
  passkey: "/auth/sign-in/passkey",
  single_sign_on: "/auth/single-sign-on",
  sign_out: "/auth/sign-out",
  forgot_password: "/auth/password/forgot",
  reset_password: "/auth/password/reset",
  mail_device_link: "/auth/device/mail",
  confirm_device: "/auth/device/confirm",
  setup_status: "/auth/setup/status",
  setup_complete: "/auth/setup/complete",
  invitation_get: "/auth/invitations/get",
  invitation_accept: "/auth/invitations/accept",
} as const;

export const signInInput = z.strictObject({ email: accountEmailInput, password: passwordInput });

/** `second_factor`: the answer set a cookie for `/auth/sign-in/second-factor`, which is valid for ten minutes. */
export interface SignedIn {
  next: "done" | "second_factor";
}

export const secondFactorInput = z.strictObject({ code: secondFactorCodeInput });

export const passkeySignInInput = z.strictObject({ credential: assertionInput });

const MAX_ADDRESS_LENGTH = 1000;

/** `to`: the address within the dashboard that follows. */
export const singleSignOnInput = z.strictObject({
  email: accountEmailInput,
  to: text(MAX_ADDRESS_LENGTH).default("/"),
});

/** The address of the provider, where the browser continues. */
export interface SingleSignOnStarted {
  url: string;
}

export const forgotPasswordInput = z.strictObject({ email: accountEmailInput });

export const mailDeviceLinkInput = z.strictObject({ email: accountEmailInput });

export const confirmDeviceInput = z.strictObject({ token: linkTokenInput });

export const resetPasswordInput = z.strictObject({ token: linkTokenInput, password: newPasswordInput });

export const noInput = z.strictObject({});
