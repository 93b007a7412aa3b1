import type { Authenticator, Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who tracks: the organization of a publishable key, which is all that such a key is good for. */
export async function trackingPrincipal(
  authenticator: Authenticator,
  request: FastifyRequest,
  key: string,
): Promise<Principal> {
  const principal = await authenticator.authenticate(key).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "unauthorized") throw error;
    throw new DomainError("unauthorized", {
      message: "Send the organization's publishable key, ff_pk_…, as `key`.",
    });
  });
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
export async function requireSite(
  tracking: Tracking,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, principal } = request;
  reply.header("vary", "Origin");
  const { origin } = headers;
  if (origin === undefined || principal === null) return;
  if (!(await tracking.isSiteOf(principal.organization.id, origin))) {
    throw new DomainError("insufficient_scope", {
      message: `This key is for pages of the campaigns' website_url and their subdomains, not for ${origin.slice(0, 200)}.`,
    });
  }
  reply.header("access-control-allow-origin", origin);
}
