import type { Authenticator, Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Who tracks: the organization of a publishable key, which is all that such a key is good for. At once where
 * the key is known: what is waited for costs a click more than what is looked up.
 */
export function trackingPrincipal(
  authenticator: Authenticator,
  request: FastifyRequest,
  key: string,
): Principal | Promise<Principal> {
  const known = authenticator.known(key);
  return known === null ? authenticate(authenticator, request, key) : use(request, known);
}

async function authenticate(
  authenticator: Authenticator,
  request: FastifyRequest,
  key: string,
): Promise<Principal> {
  try {
    return use(request, await authenticator.authenticate(key));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "unauthorized") throw error;
    throw new DomainError("unauthorized", {
      message: "Send the organization's publishable key, ff_pk_…, as `key`.",
    });
  }
}

function use(request: FastifyRequest, principal: Principal): Principal {
  if (!principal.scopes.includes("track")) {
    throw new DomainError("insufficient_scope", {
      message: "Use the organization's publishable key, ff_pk_…: no other key belongs into a page.",
    });
  }
  request.principal = principal;
  return principal;
}

/**
 * Lets pages of the organization's sites read the answer, and refuses those of all others. A request that
 * names no origin is of no page: browsers name it on every POST.
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
      message: `This key is for pages of the campaigns' website_url and their subdomains, not for ${origin.slice(0, 200)}.`,
    });
  }
  reply.header("access-control-allow-origin", origin);
}
