import type { OwnAffiliate } from "@findersfee/database/portal/home";
import { DomainError } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";

/** The affiliate that all statements of the session are limited to. */
export function ownOf({ organization, affiliate_id }: AffiliateSession): OwnAffiliate {
  return { organization_id: organization.id, affiliate_id };
}

/**
 * Lets only active affiliates through. Others see their state and their balance.
 *
 * @throws DomainError `affiliate_not_active`
 */
export function requireActive(session: AffiliateSession): AffiliateSession {
  if (session.state !== "active") throw new DomainError("affiliate_not_active");
  return session;
}
