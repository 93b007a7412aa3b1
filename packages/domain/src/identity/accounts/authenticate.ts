import {
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
  /** The principal for each organization that the person is a member of. */
  staff_sessions: ReadonlyMap<string, StaffSession>;
  /** What these organizations require of the session, as far as they require anything. */
  policies: ReadonlyMap<string, SessionPolicy>;
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
    organizationsOf: ({ staff_sessions }) => staff_sessions.keys(),
    touch: ({ session_id }, used_at) => touchUserSession(database, { id: session_id, used_at }),
    touch_milliseconds: TOUCH_MILLISECONDS,
    rejection: "session_expired",
  });
}

function viewUserSession(row: UserSessionRow): UserSession {
  const { id: session_id, user_id, memberships } = row;
  const toPrincipal = ({ organization_id, role, policy: _, ...terms }: MembershipRow): StaffSession => ({
    kind: "staff_session",
    session_id,
    user_id,
    role,
    organization: { id: organization_id, ...terms },
  });
  const policies = memberships.flatMap(({ organization_id, policy }): [string, SessionPolicy][] =>
    policy === null ? [] : [[organization_id, sessionPolicyOf(policy, row)]],
  );
  return {
    session_id,
    user_id,
    staff_sessions: new Map(memberships.map((member) => [member.organization_id, toPrincipal(member)])),
    policies: new Map(policies),
  };
}

/**
 * The principal for the organization that a request names.
 *
 * @throws DomainError `not_a_member`, the same for a missing, malformed, unknown or foreign organization
 */
export function staffSessionOf({ staff_sessions }: UserSession, organization_id: string): StaffSession {
  const session = staff_sessions.get(organization_id.toLowerCase());
  if (session === undefined) throw new DomainError("not_a_member");
  return session;
}
