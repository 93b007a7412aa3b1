import type { TrackSignup } from "@findersfee/contract/tracking";
import { findSignupPolicy } from "@findersfee/database/signup-policy";
import type { OrganizationContext } from "../context.ts";
import { DomainError } from "../errors.ts";
import { openSecret } from "../webhooks/secrets.ts";
import { refer } from "./refer.ts";
import { signUp } from "./sign-up.ts";
import { requireSignature } from "./signup-signature.ts";
import type { Tracking } from "./tracking.ts";

/** Who reports a sign-up: anyone with the publishable key, or the organization's backend with a secret key. */
export type Reporter = "publishable_key" | "secret_key";

/**
 * Each sign-up decides about its customer's payments again, under the organization's lock. Anyone can use up the budget,
 * so sign-ups that the backend vouches for take nothing from it.
 */
function requireBudget({ budgets }: Tracking, organizationId: string): void {
  const retry_after_seconds = budgets.signups.take(organizationId);
  if (retry_after_seconds === null) return;
  throw new DomainError("rate_limited", {
    message: "Too many sign-ups for this organization; retry after Retry-After seconds.",
    retry_after_seconds,
  });
}

/**
 * Takes in a reported sign-up by how far it can be trusted: with a secret key or a signature it counts like a referral
 * by API, otherwise it is weak evidence.
 *
 * @throws DomainError `rate_limited` when the organization has used up its unsigned sign-ups of the minute,
 * `insufficient_scope` when the organization does not take such sign-ups, `invalid_request` for a
 * signature that does not fit
 */
export async function reportSignUp(
  tracking: Tracking,
  organization: OrganizationContext,
  { signature, ...signup }: Omit<TrackSignup, "key">,
  reporter: Reporter,
): Promise<void> {
  if (reporter === "secret_key") return await refer(tracking, organization, { ...signup, actor: "sign-up" });
  const { database, secrets_key } = tracking;
  const { public_signups, secrets_encrypted } = await findSignupPolicy(database, organization.id);
  if (public_signups === "off") {
    throw new DomainError("insufficient_scope", {
      message: "This organization takes no sign-ups with its publishable key. Report them from the backend.",
    });
  }
  if (signature === undefined) {
    if (public_signups === "on") {
      requireBudget(tracking, organization.id);
      return await signUp(tracking, organization, signup);
    }
    throw new DomainError("insufficient_scope", {
      message: "This organization takes signed sign-ups only: have the backend make a `signature`.",
    });
  }
  const owner = { organization_id: organization.id, purpose: "signup" } as const;
  const secrets = secrets_encrypted.map((sealed) => openSecret(secrets_key, owner, sealed));
  requireSignature(signature, { signup, secrets, now: new Date() });
  // The customer's id is not in what was signed.
  const { click_id, email } = signup;
  await refer(tracking, organization, { click_id, email, actor: "signed sign-up" });
}
