import { DomainError } from "@findersfee/domain/errors";
import type { PortalSession } from "@findersfee/domain/portal/authenticate";
import type { RecordNetwork } from "@findersfee/domain/portal/record-networks";
import type { FastifyRequest } from "fastify";
import { type CookieName, cookieName, readCookie } from "./cookies.ts";
import type { Identify } from "./identify.ts";
import { networkOf } from "./network.ts";
import { requireOwnOrigin } from "./own-origin.ts";

/** The header with the session of a frame, where browsers block cookies, and of staff, who may have the cookie, too. */
const EMBEDDED_HEADER = "findersfee-portal-session";

/** Identifies the affiliates who sign in to the portal. Its cookie is not the dashboard's. */
export interface PortalSessions {
  cookie: CookieName;
  /** The token in the header of frames, else in the request's cookie; null: the request has neither. */
  tokenOf(request: FastifyRequest): string | null;
  /** Throws `session_expired`, also at another host, and `forbidden_origin` for a change that a page of another site sends. */
  identify: Identify<PortalSession>;
}

export function createPortalSessions({
  identify,
  recordNetwork,
  public_url,
}: {
  identify: Identify<PortalSession>;
  recordNetwork: RecordNetwork;
  public_url: string | null;
}): PortalSessions {
  const cookie = cookieName("findersfee_portal", public_url);
  return {
    cookie,
    tokenOf: (request) => embeddedTokenOf(request) ?? readCookie(request, cookie.name),
    identify: (request, reply, token) => {
      requireOwnOrigin(request, public_url);
      const found = identify(request, reply, token);
      return found instanceof Promise ? found.then(admit) : admit(found);

      function admit(session: PortalSession): PortalSession {
        requirePlaceOf(session, request);
        recordNetwork(session, networkOf(request));
        return session;
      }
    },
  };
}

/**
 * The only organization that sessions and codes of the requested host see programs of; null: they see all.
 */
export function limitOf({ portal_host }: FastifyRequest): string | null {
  return portal_host?.organization_id ?? null;
}

function embeddedTokenOf({ headers }: FastifyRequest): string | null {
  const token = headers[EMBEDDED_HEADER];
  return token === undefined ? null : String(token);
}

export function isSentInHeader(request: FastifyRequest): boolean {
  return embeddedTokenOf(request) !== null;
}

/**
 * The session of a frame is accepted in the header alone, and all others in the cookie alone. A frame can have the service's host
 * or the organization's own. That of staff is sent like a frame's, at the service's host alone.
 */
function requirePlaceOf(session: PortalSession, request: FastifyRequest): PortalSession {
  const is_embedded = session.affiliate_id !== null;
  if (is_embedded !== isSentInHeader(request)) throw new DomainError("session_expired");
  if (session.by_staff && limitOf(request) !== null) throw new DomainError("session_expired");
  return is_embedded && limitOf(request) === null ? session : requireHostOf(session, request);
}

/**
 * An organization decides where its host name leads, so it could read the cookies there. They open nothing but its own programs, and
 * are refused at other hosts, as are those of other hosts there.
 */
function requireHostOf(session: PortalSession, request: FastifyRequest): PortalSession {
  if (session.limited_to !== limitOf(request)) throw new DomainError("session_expired");
  return session;
}
