import { staffSessionOf, type UserSession } from "@findersfee/domain/identity/accounts/authenticate";
import { sessionCookieName } from "@findersfee/domain/identity/accounts/session-cookie";
import type { RecordRejection } from "@findersfee/domain/identity/policies/rejections";
import { requireSessionPolicy } from "@findersfee/domain/identity/rights/session-policy";
import type { StaffSession } from "@findersfee/domain/principal";
import type { FastifyRequest } from "fastify";
import { requireNetwork } from "./allowed-networks.ts";
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
  /**
   * The same for the organization that the request names. Also throws `not_a_member`, and the errors of its security policies:
   * `network_not_allowed`, `session_limited`, `second_factor_required`.
   */
  identifyStaff: Identify<StaffSession>;
}

export function createSessions({
  identify,
  public_url,
  recordRejection,
}: {
  identify: Identify<UserSession>;
  public_url: string | null;
  recordRejection: RecordRejection;
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
      const admit = (session: UserSession) => staffSessionFor(session, { request, recordRejection });
      return found instanceof Promise ? found.then(admit) : admit(found);
    },
  };
}

/** The principal, if the organization's policies allow it: they came with the session. */
function staffSessionFor(
  session: UserSession,
  { request, recordRejection }: { request: FastifyRequest; recordRejection: RecordRejection },
): StaffSession {
  const principal = staffSessionOf(session, String(request.headers[ORGANIZATION_HEADER] ?? ""));
  const policy = session.policies.get(principal.organization.id);
  if (policy === undefined) return principal;
  requireNetwork(principal, { networks: policy.networks, request, recordRejection });
  requireSessionPolicy(policy);
  return principal;
}
