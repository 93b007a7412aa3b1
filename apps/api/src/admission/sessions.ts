import { staffSessionOf, type UserSession } from "@findersfee/domain/identity/accounts/authenticate";
import { sessionCookieName } from "@findersfee/domain/identity/accounts/session-cookie";
import type { StaffSession } from "@findersfee/domain/principal";
import type { FastifyRequest } from "fastify";
import { readCookie } from "./cookies.ts";
import type { Identify } from "./identify.ts";
import { requireOwnOrigin } from "./own-origin.ts";

/** The header with the id of the organization that a session works for. */
const ORGANIZATION_HEADER = "findersfee-organization";

/** Identifies the people who sign in with a cookie. */
export interface Sessions {
  /** The token in the request's cookie; null: the request has no such cookie. */
  tokenOf(request: FastifyRequest): string | null;
  /** Throws `session_expired`, and `forbidden_origin` for a change that a page of another site sends. */
  identifyUser: Identify<UserSession>;
  /** The same for the organization that the request names. Also throws `not_a_member`. */
  identifyStaff: Identify<StaffSession>;
}

export function createSessions({
  identify,
  public_url,
}: {
  identify: Identify<UserSession>;
  public_url: string | null;
}): Sessions {
  const cookie_name = sessionCookieName(public_url);
  const identifyUser: Identify<UserSession> = (request, reply, token) => {
    requireOwnOrigin(request, public_url);
    return identify(request, reply, token);
  };
  return {
    tokenOf: (request) => readCookie(request, cookie_name),
    identifyUser,
    identifyStaff: (request, reply, token) => {
      const found = identifyUser(request, reply, token);
      return found instanceof Promise
        ? found.then((session) => staffSessionFor(session, request))
        : staffSessionFor(found, request);
    },
  };
}

function staffSessionFor(session: UserSession, { headers }: FastifyRequest): StaffSession {
  return staffSessionOf(session, String(headers[ORGANIZATION_HEADER] ?? ""));
}
