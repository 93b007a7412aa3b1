import {
  type ClosedReason,
  findUserSessionByHash,
  type MembershipRow,
  touchUserSession,
  type UserSessionRow,
} from "@findersfee/database/identity/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { type Authenticator, createTokenAuthenticator } from "../../caching/token-authenticator.ts";
import { DomainError } from "../../errors.ts";
import type { StaffSession } from "../../principal.ts";
import { type SessionPolicy, sessionPolicyOf } from "../rights/session-policy.ts";
import { hashSecretToken, isSecretToken } from "./secret-token.ts";

/** The session of a person, for all their organizations. */
export interface UserSession {
  session_id: string;
  user_id: string;
  /** The principal for each organization that the session opens. */
  staff_sessions: ReadonlyMap<string, StaffSession>;
  /** The requirements of these organizations for the session, if they have any. */
  policies: ReadonlyMap<string, SessionPolicy>;
  /** Organizations of the person that it does not open. */
  closed: ReadonlyMap<string, ClosedReason>;
}

/** Idle limits are as precise as this. */
const TOUCH_MILLISECONDS = 60_000;

/**
 * Creates this process' authenticator of sessions, which throws `session_expired`. A removed member, a disabled user
 * and an ended session are rejected within a second.
 */
export function createSessionAuthenticator(database: Database): Authenticator<UserSession> {
  return createTokenAuthenticator(database, {
    isToken: isSecretToken,
    nameOf: (token) => hashSecretToken(token).toString("hex"),
    find: async (token) => {
      const row = await findUserSessionByHash(database, hashSecretToken(token));
      return row === null ? null : { found: viewUserSession(row), expires_at: row.expires_at };
    },
    idOf: ({ session_id }) => session_id,
    organizationsOf: ({ staff_sessions, closed }) => [...staff_sessions.keys(), ...closed.keys()],
    touch: ({ session_id }, used_at) => touchUserSession(database, { id: session_id, used_at }),
    touch_milliseconds: TOUCH_MILLISECONDS,
    rejection: "session_expired",
  });
}

function viewUserSession(row: UserSessionRow): UserSession {
  const { id: session_id, user_id, memberships } = row;
  const open = memberships.filter(({ closed }) => closed === null);
  const toPrincipal = (member: MembershipRow): StaffSession => ({
    kind: "staff_session",
    session_id,
    user_id,
    role: member.role,
    organization: {
      id: member.organization_id,
      currency: member.currency,
      subscription_status: member.subscription_status,
    },
  });
  const policies = open.flatMap(({ organization_id, policy }): [string, SessionPolicy][] =>
    policy === null ? [] : [[organization_id, sessionPolicyOf(policy, row)]],
  );
  return {
    session_id,
    user_id,
    staff_sessions: new Map(open.map((member) => [member.organization_id, toPrincipal(member)])),
    policies: new Map(policies),
    closed: new Map(
      memberships.flatMap(({ organization_id, closed }) =>
        closed === null ? [] : [[organization_id, closed]],
      ),
    ),
  };
}

/**
 * The principal for the organization that a request names.
 *
 * @throws DomainError `not_a_member`, the same for a missing, malformed, unknown or foreign organization;
 * `single_sign_on_required` and `other_provider` for an own one that the session does not open
 */
export function staffSessionOf(
  { staff_sessions, closed }: UserSession,
  organization_id: string,
): StaffSession {
  const id = organization_id.toLowerCase();
  const session = staff_sessions.get(id);
  if (session !== undefined) return session;
  const reason = closed.get(id);
  if (reason === undefined) throw new DomainError("not_a_member");
  throw new DomainError(reason === "other_provider" ? "other_provider" : "single_sign_on_required");
}
