const NAME = "findersfee_session";

/**
 * The cookie's name. Browsers accept the prefix only on https, and then no other host and no path of this one can set
 * the cookie (RFC 6265bis, 4.1.3.2).
 */
export function sessionCookieName(public_url: string | null): string {
  return public_url?.startsWith("https:") ? `__Host-${NAME}` : NAME;
}
