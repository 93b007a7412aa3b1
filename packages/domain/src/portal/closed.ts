import type { Closed } from "@findersfee/contract/portal/closed";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findOrganizationProfile } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { readOwedOnLeaving } from "./owed-on-leaving.ts";

/**
 * The view of an affiliate who was banned or declined, or has left: a contact, the reason, and the amounts still owed.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getClosed(
  database: Database,
  { organization: { id: organization_id }, affiliate_id, state }: AffiliateSession,
): Promise<Closed> {
  const [organization, review, owed] = await Promise.all([
    findOrganizationProfile(database, organization_id),
    findAffiliateReview(database, organization_id, affiliate_id),
    readOwedOnLeaving(database, { organization_id, affiliate_id }),
  ]);
  if (organization === null || review === null) throw new DomainError("not_an_affiliate");
  const { name, support_email } = organization;
  return {
    state,
    organization: { name, support_email },
    reason: state === "declined" ? review.decline_reason : state === "banned" ? review.ban_reason : null,
    owed,
  };
}
