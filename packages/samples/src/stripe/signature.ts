/**
 * The header `Stripe-Signature` that Stripe would send with a body now
 * (https://docs.stripe.com/webhooks#verify-manually), by Stripe's own library.
 */
export async function sampleSignature(body: string, secret: string): Promise<string> {
  const { Stripe } = await import("stripe");
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
}
