import type { Stripe } from "stripe";

/** The reason why a message's signature is invalid. */
export type SignatureProblem = "missing" | "mismatch" | "stale";

/** The maximum difference of the timestamp from now, against replays; the default of Stripe's own libraries. */
export const TOLERANCE_SECONDS = 300;

/** Loaded on demand: Stripe's library takes 20 MB of memory, which a process without Stripe messages saves. */
let loading: Promise<typeof Stripe> | null = null;

/**
 * Checks the header `Stripe-Signature` of a message (https://docs.stripe.com/webhooks#verify-events). Null: it matches one
 * of the secrets and is recent.
 */
export async function stripeSignatureProblem(
  body: string,
  { header, secrets }: { header: string; secrets: readonly string[] },
): Promise<SignatureProblem | null> {
  if (header === "") return "missing";
  loading ??= import("stripe").then((library) => library.Stripe);
  const { webhooks } = await loading;
  const verifies = (secret: string, tolerance_seconds: number) => {
    // biome-ignore lint/plugin/swallowed-failure: it throws for a signature that does not match
    try {
      return webhooks.signature?.verifyHeader(body, header, secret, tolerance_seconds) === true;
    } catch {
      return false;
    }
  };
  if (secrets.some((secret) => verifies(secret, TOLERANCE_SECONDS))) return null;
  // A tolerance of zero accepts any age.
  return secrets.some((secret) => verifies(secret, 0)) ? "stale" : "mismatch";
}
