import { findPasswordByEmail, findPasswordHash } from "@findersfee/database/identity/passwords";
import { lockUser } from "@findersfee/database/identity/users";
import { insertVerification } from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { type OpenedSession, openSession, type WaitingBrowser } from "./open-session.ts";
import { isPassword } from "./password.ts";
import { hashSecretToken, newSecretToken } from "./secret-token.ts";

/** The result of a correct password: a session, or a token for the second step. */
export type PasswordSignIn =
  | { next: "done"; session: OpenedSession }
  | { next: "second_factor"; token: string; expires_at: Date };

const SECOND_STEP_MINUTES = 10;

/**
 * Signs a user in with a password. An unknown address, a user without a password and a disabled user cost as much time
 * as a wrong password, and get the same error.
 *
 * @throws DomainError `sign_in_failed`; `unavailable` if too many sign in at once
 */
export async function signIn(
  database: Database,
  { email, password }: { email: string; password: string },
  browser: WaitingBrowser,
): Promise<PasswordSignIn> {
  const found = await findPasswordByEmail(database, email);
  const is_right = await isPassword(password, found?.password_hash ?? null, browser);
  if (found === null || !is_right) throw new DomainError("sign_in_failed");
  return await transaction(database, async (sql) => {
    const user = await lockUser(sql, found.user_id);
    // A separate statement: its snapshot is newer than the lock, so it sees a password that was replaced since.
    const password_hash = await findPasswordHash(sql, found.user_id);
    if (user === null || user.disabled_at !== null || password_hash !== found.password_hash) {
      throw new DomainError("sign_in_failed");
    }
    if (!user.two_factor_enabled) {
      const { user_id } = found;
      return { next: "done", session: await openSession(sql, { user_id, method: "password" }, browser) };
    }
    const created_at = new Date();
    const expires_at = new Date(created_at.getTime() + SECOND_STEP_MINUTES * 60_000);
    const token = newSecretToken();
    await insertVerification(sql, {
      id: newId(created_at),
      kind: "second_factor",
      user_id: found.user_id,
      token_hash: hashSecretToken(token),
      created_at,
      expires_at,
    });
    return { next: "second_factor", token, expires_at };
  });
}
