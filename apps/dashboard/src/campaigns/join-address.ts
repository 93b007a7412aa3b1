import type { Membership } from "../session/session.tsx";
import type { EditedCampaign } from "./editor/draft.ts";

type Portal = Pick<Membership, "slug" | "portal_url" | "join_url">;

/** The page on which people join a campaign: a short address, if it is the only one that the organization lists. */
export function joinAddress(
  organization: Portal,
  { campaign, is_only_listed }: Pick<EditedCampaign, "campaign" | "is_only_listed">,
): string {
  return is_only_listed ? organization.join_url : `${listAddress(organization)}/${campaign.id}/join`;
}

/** The page with the campaigns that an organization lists. */
export function listAddress({ slug, portal_url }: Portal): string {
  return `${portal_url}/${slug}`;
}
