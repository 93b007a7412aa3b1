import type { TrackSignup } from "@findersfee/contract/tracking/tracking";
import { findSignupPolicy } from "@findersfee/database/tracking/signup-policy";
import type { Actor } from "../actor.ts";
import type { OrganizationContext } from "../context.ts";
import { DomainError } from "../errors.ts";
import { openSecret } from "../secrets/secrets.ts";
import { refer } from "./refer.ts";
import { signUp } from "./sign-up.ts";
import { requireSignature } from "./signup-signature.ts";
import type { Tracking } from "./tracking.ts";

const SIGN_UP: Actor = { kind: "automatic", name: "sign-up" };
const SIGNED_SIGN_UP: Actor = { kind: "automatic", name: "signed sign-up" };

/** The source of a sign-up: anyone with the publishable key, or the organization's backend with a secret key. */
export type Reporter = "publishable_key" | "secret_key";

/**
 * Limits sign-ups without a signature, because each one attributes its customer again under the organization's lock.
 * Anyone can exhaust this budget, so sign-ups confirmed by the backend do not use it.
 */
function requireBudget({ budgets }: Tracking, organizationId: string): void {
  const retry_after_seconds = budgets.signups.take(organizationId);
  if (retry_after_seconds === null) return;
  throw new DomainError("rate_limited", {
    limit: "sign_ups",
    message: "Too many sign-ups for this organization. Try again in a minute.",
    retry_after_seconds,
  });
}

/**
 * Records a reported sign-up according to its trust: with a secret key or a signature it counts like a referral by API,
 * otherwise it is weak evidence.
 *
 * @throws DomainError `rate_limited` when the organization has exceeded its unsigned sign-ups per minute,
 * `insufficient_scope` when the organization does not accept such sign-ups, `invalid_request` for an invalid signature
 */
export async function reportSignUp(
  tracking: Tracking,
  organization: OrganizationContext,
  { signature, ...signup }: Omit<TrackSignup, "key">,
  reporter: Reporter,
): Promise<void> {
  if (reporter === "secret_key") return await refer(tracking, organization, { ...signup, actor: SIGN_UP });
  const { database, secrets_key } = tracking;
  const { public_signups, secrets_encrypted } = await findSignupPolicy(database, organization.id);
  if (public_signups === "off") {
    throw new DomainError("insufficient_scope", {
      message:
        "This organization does not accept sign-ups with its publishable key. Report them from the backend.",
    });
  }
  if (signature === undefined) {
    if (public_signups === "on") {
      requireBudget(tracking, organization.id);
      return await signUp(tracking, organization, signup);
    }
    throw new DomainError("insufficient_scope", {
      message: "This organization accepts only signed sign-ups: have the backend create a `signature`.",
    });
  }
  const owner = { organization_id: organization.id, purpose: "signup" } as const;
  const secrets = secrets_encrypted.map((sealed) => openSecret(secrets_key, owner, sealed));
  requireSignature(signature, { signup, secrets, now: new Date() });
  // The customer's id is not covered by the signature.
  const { click_id, email } = signup;
  await refer(tracking, organization, { click_id, email, actor: SIGNED_SIGN_UP });
}
