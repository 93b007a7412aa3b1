import type { Membership } from "../session/session.tsx";

type Portal = Pick<Membership, "slug" | "portal_url">;

/** The page on which people join a campaign. */
export function joinAddress(organization: Portal, campaign_id: string): string {
  return `${listAddress(organization)}/${campaign_id}/join`;
}

/** The page with the campaigns that an organization lists. */
export function listAddress({ slug, portal_url }: Portal): string {
  return `${portal_url}/${slug}`;
}
