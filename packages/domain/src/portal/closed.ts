import type { Closed } from "@findersfee/contract/portal/closed";
import { findAffiliateReview } from "@findersfee/database/affiliate-review";
import { listBalances } from "@findersfee/database/balances";
import type { Database } from "@findersfee/database/connect";
import { findOrganizationProfile } from "@findersfee/database/organizations";
import { DomainError } from "../errors.ts";
import { toMajor } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";

/**
 * What an affiliate who was banned or declined still sees: whom to ask, why, and what it is owed.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getClosed(
  database: Database,
  { organization: { id: organization_id }, affiliate_id, state }: AffiliateSession,
): Promise<Closed> {
  const [organization, review, balances] = await Promise.all([
    findOrganizationProfile(database, organization_id),
    findAffiliateReview(database, organization_id, affiliate_id),
    listBalances(database, organization_id, { affiliate_id, now: new Date() }),
  ]);
  if (organization === null || review === null) throw new DomainError("not_an_affiliate");
  const { name, support_email } = organization;
  const owed = balances.map(({ currency, unpaid_minor, held_minor, in_payout_minor }) => ({
    currency,
    due: toMajor(unpaid_minor - held_minor, currency),
    held: toMajor(held_minor, currency),
    in_payout: toMajor(in_payout_minor, currency),
  }));
  return {
    state,
    organization: { name, support_email },
    reason: state === "declined" ? review.decline_reason : null,
    owed: owed.filter(({ due, held, in_payout }) => due !== 0 || held !== 0 || in_payout !== 0),
  };
}
