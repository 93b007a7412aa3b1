import { staffOf } from "./staff.ts";
import type { TestService } from "./test-service.ts";
import { createTrackedProgram, type TrackedProgram } from "./tracking-program.ts";

export const LINK_DISCOUNT = { enabled: true, description: "20% off your first year", show_affiliate: true };

/** A program that gives visitors the discount of the affiliate's promo code `JANE20`. */
export async function createDiscountedProgram(
  service: TestService,
  { website_url = "https://example.com", is_ready = true } = {},
): Promise<TrackedProgram> {
  const program = await createTrackedProgram(service, {
    campaign: { website_url, code_mode: "both", reference_coupon: "TWENTY", link_discount: LINK_DISCOUNT },
    affiliate: { last_name: "Doe", promo_code: "JANE20" },
  });
  if (is_ready) await makeCodeReady(service, program, "promo_jane");
  return program;
}

/** The affiliate's promo code exists at Stripe from now on. */
export async function makeCodeReady(
  service: TestService,
  { organization, affiliate }: TrackedProgram,
  external_id: string,
): Promise<void> {
  const { staff } = await staffOf(service, organization.organization_id);
  await staff.promo_codes.link.mutate({ affiliate_id: affiliate.id, external_id });
}
