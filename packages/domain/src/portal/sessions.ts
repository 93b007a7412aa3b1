import type { UserSession } from "@findersfee/contract/identity/credentials";
import {
  deleteOtherPortalSessions,
  deletePortalSession,
  deletePortalSessionByHash,
  listPortalSessions as listRows,
} from "@findersfee/database/portal/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { notFound } from "../errors.ts";
import { hashSecretToken, isSecretToken } from "../identity/accounts/secret-token.ts";
import { viewSession } from "../identity/accounts/sessions.ts";
import type { PortalSession } from "./authenticate.ts";

const MAX_LISTED = 100;

/** The portal's sessions of an address that the session sees, the last used one first. */
export async function listPortalSessions(
  database: Database,
  { session_id, ...owner }: PortalSession,
): Promise<UserSession[]> {
  const rows = await listRows(database, owner, { now: new Date(), limit: MAX_LISTED });
  return rows.map((row) => viewSession(row, session_id));
}

/**
 * Ends one of the address' sessions. Every process rejects it within a second.
 *
 * @throws DomainError `not_found`
 */
export async function endPortalSession(
  database: Database,
  session: PortalSession,
  id: string,
): Promise<void> {
  if (!(await deletePortalSession(database, session, id))) throw notFound("session");
}

/** Ends all sessions of the address that the session sees, but its own; returns how many. */
export async function endOtherPortalSessions(
  database: Database,
  { session_id, ...owner }: PortalSession,
): Promise<number> {
  return await deleteOtherPortalSessions(database, owner, { except: session_id });
}

/** Ends the session of a cookie. A token that no session has changes nothing. */
export async function signOutOfPortal(database: Database, token: string): Promise<void> {
  if (isSecretToken(token)) await deletePortalSessionByHash(database, hashSecretToken(token));
}
