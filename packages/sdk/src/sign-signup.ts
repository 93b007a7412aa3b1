import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A sign-up that the organization's backend vouches for. */
export interface SignupToSign {
  /** The organization's secret for signing sign-ups, `ff_ss_…`. Keep it out of pages. */
  secret: string;
  /** The click that brought the person, from the cookie `findersfee_click`. */
  click_id: string;
  /** The person's email, exactly as the page reports it. */
  email: string;
  /** For how long the signature counts; one hour unless you say otherwise. */
  expires_in_seconds?: number | undefined;
}

const HOUR_SECONDS = 60 * 60;

/**
 * Signs a sign-up: with the signature, a page's report of it counts like a referral by API. Hand it to
 * `findersfee.refer(email, { signature })`. Runs wherever JavaScript does.
 *
 * @throws TypeError for a secret that is no `ff_ss_…`, or an empty click id or email
 */
export function signSignup({
  secret,
  click_id,
  email,
  expires_in_seconds = HOUR_SECONDS,
}: SignupToSign): string {
  if (typeof secret !== "string" || !/^ff_ss_[0-9A-Za-z]{43}$/.test(secret)) {
    throw new TypeError(
      "The secret for signing sign-ups is `ff_ss_` and 43 letters and digits. Is the environment variable set that it is read from?",
    );
  }
  if (!click_id || !email) throw new TypeError("A sign-up needs a click_id and an email.");
  const expires = Math.floor(Date.now() / 1000) + Math.floor(expires_in_seconds);
  const encoder = new TextEncoder();
  const digest = hmac(sha256, encoder.encode(secret), encoder.encode(`${expires}.${click_id}.${email}`));
  return `${expires}.${bytesToHex(digest)}`;
}
