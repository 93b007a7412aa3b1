import { DomainError } from "@findersfee/domain/errors";
import type { FastifyRequest } from "fastify";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Requires that a change with a cookie comes from the service's own pages: browsers send cookies with requests that
 * other sites cause. They also send `Sec-Fetch-Site`, on https and on localhost, and `Origin` with every POST; pages can
 * set neither. At an organization's host name, its own pages are those of that host. Throws `forbidden_origin`.
 */
export function requireOwnOrigin(
  { method, headers, portal_host }: FastifyRequest,
  public_url: string | null,
): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers["sec-fetch-site"];
  const own_url = portal_host?.url ?? public_url;
  if (site === undefined ? isOwnOrigin(headers, own_url) : site === "same-origin") return;
  throw new DomainError("forbidden_origin");
}

/** Without a public address, the own host is the one that the browser asked for, which it writes into `Host`. */
function isOwnOrigin({ origin, host }: FastifyRequest["headers"], own_url: string | null): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return own_url === null ? new URL(origin).host === host : origin === new URL(own_url).origin;
}
