/** The page on which people join a campaign. */
export function joinAddress({ slug }: { slug: string }, campaign_id: string): string {
  return portalAddress(`${slug}/${campaign_id}/join`);
}

/** The page with the campaigns that an organization lists. */
export function listAddress({ slug }: { slug: string }): string {
  return portalAddress(slug);
}

/** The portal is beside the dashboard, below the same path. */
function portalAddress(path: string): string {
  return new URL(`portal/${path}`, document.baseURI).href;
}
