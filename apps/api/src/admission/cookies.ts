import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie that only the service reads: scripts of pages cannot, and other sites' requests do not carry it. */
export interface CookieName {
  name: string;
  /** Whether browsers send it only on https. */
  secure: boolean;
}

/** A name with the prefix that browsers accept only on https, where it keeps other hosts from setting the cookie. */
export function cookieName(name: string, public_url: string | null): CookieName {
  const secure = public_url?.startsWith("https:") === true;
  return { name: secure ? `__Host-${name}` : name, secure };
}

export function setCookie(
  reply: FastifyReply,
  { name, secure }: CookieName,
  { value, expires_at }: { value: string; expires_at: Date },
): void {
  const seconds = Math.max(0, Math.ceil((expires_at.getTime() - Date.now()) / 1000));
  const attributes = [
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${seconds}`,
    ...(secure ? ["Secure"] : []),
  ];
  reply.header("set-cookie", [`${name}=${value}`, ...attributes].join("; "));
}

export function clearCookie(reply: FastifyReply, name: CookieName): void {
  setCookie(reply, name, { value: "", expires_at: new Date(0) });
}

/** The first cookie with this name, as a server must read duplicates (RFC 6265, 5.4: the longest path is first). */
export function readCookie({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of headers.cookie?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
