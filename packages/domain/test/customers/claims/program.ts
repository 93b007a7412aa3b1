import type { ClaimDetail } from "@findersfee/contract/customers/claims";
import type { Context } from "../../../src/context.ts";
import { getClaim } from "../../../src/customers/claims/get.ts";
import { createClaim } from "../../../src/portal/claims.ts";
import type { AffiliateSession } from "../../../src/principal.ts";
import { onDay } from "../../dates.ts";

/** An active affiliate's session in the portal. */
export function sessionOf({ organization }: Context, affiliate_id: string): AffiliateSession {
  return { kind: "affiliate_session", session_id: affiliate_id, affiliate_id, state: "active", organization };
}

export const CLAIM = { email: "kim@example.com", paid_on: onDay(0), note: "Order 4711" };

export async function claim(context: Context, affiliate_id: string, fields: Partial<typeof CLAIM> = {}) {
  return await createClaim(context.database, sessionOf(context, affiliate_id), { ...CLAIM, ...fields });
}

/** A claim with its page, and the decision on its latest payment. */
export async function claimed(
  context: Context,
  affiliate_id: string,
  fields: Partial<typeof CLAIM> = {},
): Promise<{ id: string; payment_decision_id: string; detail: ClaimDetail }> {
  const { id } = await claim(context, affiliate_id, fields);
  const detail = await getClaim(context, id);
  return { id, payment_decision_id: detail.payments[0]?.id ?? "", detail };
}
