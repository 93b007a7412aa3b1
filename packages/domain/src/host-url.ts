/**
 * The service's address at an organization's own host name, with the protocol and port of its public one, and without its path: the
 * proxy passes requests to the host on as they are. Null as host: the public address itself.
 */
export function hostUrl(public_url: string, host: string | null): string {
  if (host === null) return public_url;
  const { protocol, port } = new URL(public_url);
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}`;
}

/** The portal of an affiliate. */
export interface PortalPlace {
  /** The service's address; null: unknown. */
  public_url: string | null;
  /** The organization's own host name; null: it has none. */
  portal_host: string | null;
  affiliate_id: string;
}

/** The affiliate's portal, in its program; null: its address is unknown. */
export function portalLink({ public_url, portal_host, affiliate_id }: PortalPlace): string | null {
  return public_url === null ? null : `${hostUrl(public_url, portal_host)}/portal?program=${affiliate_id}`;
}
