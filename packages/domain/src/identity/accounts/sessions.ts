import type { UserSession } from "@findersfee/contract/identity/credentials";
import {
  deleteUserSession,
  deleteUserSessions,
  type ListedSessionRow,
  listUserSessions as listRows,
} from "@findersfee/database/identity/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { notFound } from "../../errors.ts";
import type { SignedInUser } from "./recent-sign-in.ts";

const MAX_LISTED = 100;

/** A user's sessions, the last used one first. */
export async function listUserSessions(
  database: Database,
  { user_id, session_id }: SignedInUser,
): Promise<UserSession[]> {
  const rows = await listRows(database, user_id, { now: new Date(), limit: MAX_LISTED });
  return rows.map((row) => viewSession(row, session_id));
}

/** A session in its person's list. */
export function viewSession(
  { id, ip_address, user_agent, created_at, updated_at }: ListedSessionRow,
  current_id: string,
): UserSession {
  return {
    id,
    is_current: id === current_id,
    ip_address,
    user_agent,
    created_at: created_at.toISOString(),
    last_used_at: updated_at.toISOString(),
  };
}

/**
 * Ends one of the user's sessions. Every process rejects it within a second.
 *
 * @throws DomainError `not_found`
 */
export async function endUserSession(
  database: Database,
  { user_id }: SignedInUser,
  id: string,
): Promise<void> {
  if (!(await deleteUserSession(database, user_id, id))) throw notFound("session");
}

/** Ends all sessions of the user but the request's own; returns how many. */
export async function endOtherSessions(
  database: Database,
  { user_id, session_id }: SignedInUser,
): Promise<number> {
  return await deleteUserSessions(database, user_id, { except: session_id });
}
