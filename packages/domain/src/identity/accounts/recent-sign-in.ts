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
 * Requires that the person signed in, typed the password again, or used a passkey again, within the last 15 minutes: a stranger at an open browser must not add a way to
 * sign in.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentSignIn(
  sql: Connection,
  { user_id, session_id }: SignedInUser,
): Promise<void> {
  const session = await findSessionProof(sql, user_id, { id: session_id });
  if (!isRecent(session?.proved_at ?? null)) throw new DomainError("sign_in_again");
}

/**
 * The same for a change of an organization, to which its provider's sign-in proves enough.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentSignInTo(
  sql: Connection,
  organization_id: string,
  { user_id, session_id }: SignedInUser,
): Promise<void> {
  const session = await findSessionProof(sql, user_id, { id: session_id, organization_id });
  if (!isRecent(session?.proved_at ?? null)) throw new DomainError("sign_in_again");
}

/**
 * Requires that the person typed the password again in this session, with a code if they have a second factor, or used a passkey,
 * within the last 15 minutes. A recent sign-in is not enough.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentConfirmation(
  sql: Connection,
  { user_id, session_id }: SignedInUser,
): Promise<void> {
  const session = await findSessionProof(sql, user_id, { id: session_id });
  if (!isRecent(session?.confirmed_at ?? null)) throw new DomainError("sign_in_again");
}

/**
 * The same for a change of an organization, to which a recent sign-in by its provider proves enough: people who only sign in there have
 * no password to type.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentConfirmationTo(
  sql: Connection,
  organization_id: string,
  { user_id, session_id }: SignedInUser,
): Promise<void> {
  const session = await findSessionProof(sql, user_id, { id: session_id, organization_id });
  const at = session?.is_of_provider === true ? session.proved_at : (session?.confirmed_at ?? null);
  if (!isRecent(at)) throw new DomainError("sign_in_again");
}

function isRecent(proved_at: Date | null): boolean {
  return proved_at !== null && proved_at.getTime() > Date.now() - MINUTES * 60_000;
}
