import type { DashboardOrganization } from "@findersfee/contract/identity/members";
import { findOrganizationProfile } from "@findersfee/database/organizations/organizations";
import { hasFixedAmounts } from "@findersfee/database/organizations/settings";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";

/** The organization, as its settings show it. */
export async function getOrganization({ database, organization }: Context): Promise<DashboardOrganization> {
  const { id } = organization;
  const [profile, currency_is_locked] = await Promise.all([
    findOrganizationProfile(database, id),
    hasFixedAmounts(database, id),
  ]);
  if (profile === null) throw notFound("organization");
  return { id, ...profile, currency_is_locked };
}
