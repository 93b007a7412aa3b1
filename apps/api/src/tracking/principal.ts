import { isAway } from "@findersfee/domain/caching/memory";
import { DomainError } from "@findersfee/domain/errors";
import type { ApiKeyPrincipal } from "@findersfee/domain/principal";
import type { Reporter } from "@findersfee/domain/tracking/report-sign-up";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Identify } from "../admission/identify.ts";
import type { RequestSlots } from "../admission/request-slots.ts";

export interface TrackingIdentification {
  identify: Identify<ApiKeyPrincipal>;
  slots: RequestSlots;
  /** For requests that can be answered while the database is away. */
  rememberKey?: (key: string) => ApiKeyPrincipal | null;
}

/** A tracking request, with the publishable key in it. */
interface Tracked {
  request: FastifyRequest;
  reply: FastifyReply;
  key: string;
}

/**
 * The principal of a publishable key, which permits only tracking. Synchronous if the key is cached, since a
 * promise costs more than the lookup. From here on, the request's slot counts for the organization.
 */
export function trackingPrincipal(
  { identify, slots, rememberKey = () => null }: TrackingIdentification,
  { request, reply, key }: Tracked,
): ApiKeyPrincipal | Promise<ApiKeyPrincipal> {
  const found = identify(request, reply, key);
  const holder = { request, reply, slots };
  return found instanceof Promise
    ? found
        .catch((error: unknown) => (isAway(error) ? rememberKey(key) : null) ?? explainKey(error))
        .then((principal) => take(principal, holder))
    : take(found, holder);
}

/**
 * The organization that reports a sign-up: a page with its publishable key, or a backend with a secret key
 * that has the `write` scope. Browsers send an Origin with every POST, so a secret key with an Origin is
 * exposed in a page, and is rejected.
 */
export async function signUpReporter(
  { identify, slots }: TrackingIdentification,
  { request, reply, key }: Tracked,
): Promise<ApiKeyPrincipal & { reporter: Reporter }> {
  const principal = await Promise.resolve(identify(request, reply, key)).catch(explainKey);
  const is_backend = principal.scopes.includes("write") && request.headers.origin === undefined;
  if (!is_backend) {
    return { ...take(principal, { request, reply, slots }), reporter: "publishable_key" };
  }
  hold(principal, { request, reply, slots });
  return { ...principal, reporter: "secret_key" };
}

type Holder = Omit<Tracked, "key"> & Pick<TrackingIdentification, "slots">;

function take(principal: ApiKeyPrincipal, holder: Holder): ApiKeyPrincipal {
  requireTrackScope(principal);
  hold(principal, holder);
  return principal;
}

function hold(principal: ApiKeyPrincipal, { request, reply, slots }: Holder): void {
  const { link_host } = request;
  if (link_host !== null && link_host.organization_id !== principal.organization.id) {
    throw new DomainError("unauthorized", {
      message: "This custom domain belongs to another organization than the key.",
    });
  }
  slots.hold(reply, "organization", principal.organization.id);
  request.principal = principal;
}

function explainKey(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== "unauthorized") throw error;
  throw new DomainError("unauthorized", {
    message: "Send the organization's publishable key, ff_pk_…, as `key`.",
  });
}

function requireTrackScope({ scopes }: ApiKeyPrincipal): void {
  if (scopes.includes("track")) return;
  throw new DomainError("insufficient_scope", {
    message: "Use the organization's publishable key, ff_pk_…: never put another key into a page.",
  });
}

/**
 * Lets pages of the organization's sites read the response, and rejects those of other sites. A request
 * without an Origin does not come from a page: browsers send it with every POST.
 */
export function requireSite(
  tracking: Tracking,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const { headers, principal } = request;
  reply.header("vary", "Origin");
  const { origin } = headers;
  if (origin === undefined || principal === null) return;
  const answer = tracking.isSiteOf(principal.organization.id, origin);
  const allow = (is_on_site: boolean) => allowOrigin(reply, { origin, is_on_site });
  return answer instanceof Promise ? answer.then(allow) : allow(answer);
}

function allowOrigin(
  reply: FastifyReply,
  { origin, is_on_site }: { origin: string; is_on_site: boolean },
): void {
  if (!is_on_site) {
    throw new DomainError("insufficient_scope", {
      message: `This key is for pages of the campaigns' websites and their subdomains, not for ${origin.slice(0, 200)}.`,
    });
  }
  reply.header("access-control-allow-origin", origin);
  // The script lets the answer set its cookie, where the page and this address are of one site.
  reply.header("access-control-allow-credentials", "true");
}
