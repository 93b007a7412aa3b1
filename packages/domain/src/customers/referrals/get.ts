import type { Referral } from "@findersfee/contract/customers/referrals";
import { findReferral } from "@findersfee/database/customers/referrals";
import type { Context } from "../../context.ts";
import { requireReferral } from "../../errors.ts";
import { viewReferral } from "./view.ts";

/** One referral with its affiliate. Errors: `not_found`. */
export async function getReferral({ database, organization }: Context, id: string): Promise<Referral> {
  const row = await findReferral(database, organization.id, id);
  return viewReferral(requireReferral(row), organization.currency);
}
