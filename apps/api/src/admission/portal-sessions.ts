import type { PortalSession } from "@findersfee/domain/portal/authenticate";
import type { FastifyRequest } from "fastify";
import { type CookieName, cookieName, readCookie } from "./cookies.ts";
import type { Identify } from "./identify.ts";
import { requireOwnOrigin } from "./own-origin.ts";

/** Identifies the affiliates who sign in to the portal. Its cookie is not the dashboard's. */
export interface PortalSessions {
  cookie: CookieName;
  /** The token in the request's cookie; null: the request has no such cookie. */
  tokenOf(request: FastifyRequest): string | null;
  /** Throws `session_expired`, and `forbidden_origin` for a change that a page of another site sends. */
  identify: Identify<PortalSession>;
}

export function createPortalSessions({
  identify,
  public_url,
}: {
  identify: Identify<PortalSession>;
  public_url: string | null;
}): PortalSessions {
  const cookie = cookieName("findersfee_portal", public_url);
  return {
    cookie,
    tokenOf: (request) => readCookie(request, cookie.name),
    identify: (request, reply, token) => {
      requireOwnOrigin(request, public_url);
      return identify(request, reply, token);
    },
  };
}
