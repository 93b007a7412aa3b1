import type { ReportedClick } from "@findersfee/contract/tracking/tracking";
import type { LinkHost } from "@findersfee/domain/portal/hosts";
import type { FollowedLink } from "@findersfee/domain/tracking/follow-link";
import { cookieDomain } from "@findersfee/domain/tracking/site";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The cookie of the tracking script, which reads it: so it is not `HttpOnly`. */
const NAME = "findersfee_click";

/** No id is longer. */
const MAX_ID_LENGTH = 100;

/** The click that the browser stored; null: none that it sends here. */
export function readClickCookie({ headers }: FastifyRequest): string | null {
  const value = /(?:^|;\s*)findersfee_click=([^;]+)/.exec(headers.cookie ?? "")?.[1]?.trim();
  return value === undefined || value.length > MAX_ID_LENGTH ? null : value;
}

/**
 * Stores the click of a page's visitor, if the page and this address are of one site: the browser says so, since only it knows the
 * address behind which a proxy passed the request on. The script sends a click only after the visitor's consent, if the page asks for
 * it. Elsewhere, and in browsers that do not say it, the script stores the click. Returns whether the response does.
 */
export function setCookieForPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { click_id, expires_at }: ReportedClick,
): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (origin === undefined || (site !== "same-site" && site !== "same-origin")) return false;
  if (click_id === null || expires_at === null) return false;
  return setCookie(reply, { id: click_id, expires_at: new Date(expires_at), url: origin });
}

/**
 * Stores the click of a link at the organization's own host name, if the organization wants it, the host is of its website's domain,
 * and the browser does not object. The page has not asked anybody for consent yet.
 */
export async function setCookieOfLink(
  tracking: Tracking,
  {
    request: { headers },
    reply,
    click,
    link_host,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    click: NonNullable<FollowedLink["click"]>;
    link_host: LinkHost;
  },
): Promise<void> {
  if (!link_host.link_cookies) return;
  if (headers["sec-gpc"] === "1" || headers.dnt === "1") return;
  const { organization_id, url } = link_host;
  if (await tracking.isSiteOf(organization_id, url)) setCookie(reply, { ...click, url });
}

/** On the registrable domain, as the script does, so that all pages of the site share it. */
function setCookie(
  reply: FastifyReply,
  { id, expires_at, url }: { id: string; expires_at: Date; url: string },
): boolean {
  const seconds = Math.floor((expires_at.getTime() - Date.now()) / 1000);
  if (seconds <= 0) return false;
  const domain = cookieDomain(url);
  const attributes = [
    `${NAME}=${id}`,
    "Path=/",
    `Max-Age=${seconds}`,
    "SameSite=Lax",
    ...(domain === null ? [] : [`Domain=${domain}`]),
    ...(url.startsWith("https:") ? ["Secure"] : []),
  ];
  reply.header("set-cookie", attributes.join("; "));
  return true;
}
