import type { UserSession } from "@findersfee/contract/identity/credentials";
import {
  deleteUserSession,
  deleteUserSessions,
  type ListedSessionRow,
  listUserSessions as listRows,
} from "@findersfee/database/identity/sessions";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { notFound } from "../../errors.ts";
import type { Browser } from "./browser.ts";
import type { SignedInUser } from "./recent-sign-in.ts";
import { recordSecurityEvent } from "./record-security-event.ts";

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
  { database, browser }: { database: Database; browser: Browser },
  { user_id }: SignedInUser,
  id: string,
): Promise<void> {
  await transaction(database, async (sql) => {
    if (!(await deleteUserSession(sql, user_id, id))) throw notFound("session");
    await recordSecurityEvent(sql, { user_id, kind: "sessions_ended", browser, detail: "1" });
  });
}

/** Ends all sessions of the user but the request's own; returns how many. */
export async function endOtherSessions(
  { database, browser }: { database: Database; browser: Browser },
  person: SignedInUser,
): Promise<number> {
  return await transaction(database, (sql) => endSessions(sql, person, browser));
}

/** The same in the transaction of another change. */
export async function endSessions(
  sql: Connection,
  { user_id, session_id }: SignedInUser,
  browser: Browser,
): Promise<number> {
  const ended = await deleteUserSessions(sql, user_id, { except: session_id });
  if (ended > 0)
    await recordSecurityEvent(sql, { user_id, kind: "sessions_ended", browser, detail: String(ended) });
  return ended;
}
