import type { Stripe } from "stripe";

/** Why a message's signature is not good. */
export type SignatureProblem = "missing" | "mismatch" | "stale";

/** Either way, for whoever catches a message and sends it again. As Stripe's own libraries have it. */
export const TOLERANCE_SECONDS = 300;

/** Stripe's library is 20 MB in memory, which a process that takes no messages of Stripe can do without. */
let loading: Promise<typeof Stripe> | null = null;

/**
 * Checks the header `Stripe-Signature` of a message; null when it is signed with one of the secrets, and
 * fresh. (https://docs.stripe.com/webhooks#verify-events)
 */
export async function stripeSignatureProblem(
  body: string,
  { header, secrets }: { header: string; secrets: readonly string[] },
): Promise<SignatureProblem | null> {
  if (header === "") return "missing";
  loading ??= import("stripe").then((library) => library.Stripe);
  const { webhooks } = await loading;
  const verifies = (secret: string, tolerance_seconds: number) => {
    try {
      return webhooks.signature?.verifyHeader(body, header, secret, tolerance_seconds) === true;
    } catch {
      return false;
    }
  };
  if (secrets.some((secret) => verifies(secret, TOLERANCE_SECONDS))) return null;
  // Zero: of any age.
  return secrets.some((secret) => verifies(secret, 0)) ? "stale" : "mismatch";
}
