import { findSessionProof } from "@findersfee/database/identity/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";

/** A signed-in user and the session of the request. */
export interface SignedInUser {
  user_id: string;
  session_id: string;
}

const MINUTES = 15;

/**
 * Requires that the person signed in, or typed the password again, within the last 15 minutes: a stranger at an open browser must not add a way to
 * sign in.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentSignIn(
  sql: Connection,
  { user_id, session_id }: SignedInUser,
): Promise<void> {
  const session = await findSessionProof(sql, user_id, session_id);
  const is_recent = session !== null && session.proved_at.getTime() > Date.now() - MINUTES * 60_000;
  if (!is_recent) throw new DomainError("sign_in_again");
}
