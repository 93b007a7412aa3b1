import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A sign-up that the organization's backend signs. */
export interface SignupToSign {
  /** The organization's secret for signing sign-ups, `ff_ss_…`. Keep it out of pages. */
  secret: string;
  /** The click that referred the person, from the cookie `findersfee_click`. */
  click_id: string;
  /** The person's email, exactly as the page reports it. */
  email: string;
  /** How long the signature is valid. Default: one hour. */
  expires_in_seconds?: number | undefined;
}

const HOUR_SECONDS = 60 * 60;

/**
 * Signs a sign-up: a page's report with this signature counts like a referral created through the API. Pass
 * it to `findersfee.refer(email, { signature })`. Runs in any JavaScript runtime.
 *
 * @throws TypeError for a secret that is not `ff_ss_…`, or an empty click id or email
 */
export function signSignup({
  secret,
  click_id,
  email,
  expires_in_seconds = HOUR_SECONDS,
}: SignupToSign): string {
  if (typeof secret !== "string" || !/^ff_ss_[0-9A-Za-z]{43}$/.test(secret)) {
    throw new TypeError(
      "The secret for signing sign-ups is `ff_ss_` and 43 letters and digits. Check that its environment variable is set.",
    );
  }
  if (!click_id || !email) throw new TypeError("A sign-up requires a click_id and an email.");
  const expires = Math.floor(Date.now() / 1000) + Math.floor(expires_in_seconds);
  const encoder = new TextEncoder();
  const digest = hmac(sha256, encoder.encode(secret), encoder.encode(`${expires}.${click_id}.${email}`));
  return `${expires}.${bytesToHex(digest)}`;
}
