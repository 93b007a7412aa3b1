/**
 * The service's address at an organization's own host name, with the protocol and port of its public one, and without its path: the
 * proxy passes requests to the host on as they are. Null as host: the public address itself.
 */
export function hostUrl(public_url: string, host: string | null): string {
  if (host === null) return public_url;
  const { protocol, port } = new URL(public_url);
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}`;
}
