import { findPasswordByEmail, findPasswordHash } from "@findersfee/database/identity/passwords";
import { lockUser } from "@findersfee/database/identity/users";
import { insertVerification } from "@findersfee/database/identity/verifications";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { WaitingBrowser } from "./browser.ts";
import { deviceKeyOf } from "./devices.ts";
import { openSession, type SignedInBrowser } from "./open-session.ts";
import { isPassword } from "./password.ts";
import { recordFailedSignIn } from "./record-security-event.ts";
import { hashSecretToken, newSecretToken } from "./secret-token.ts";
import { hashAddress, type TakenGuess, takeSignInGuess } from "./sign-in-guesses.ts";

/** The result of a correct password: a session, or a token for the second step. */
export type PasswordSignIn =
  | { next: "done"; session: SignedInBrowser }
  | { next: "second_factor"; token: string; expires_at: Date };

const SECOND_STEP_MINUTES = 10;

/**
 * Signs a user in with a password. An unknown address, a user without a password and a disabled user cost as much time
 * as a wrong password, and get the same error.
 *
 * @throws DomainError `sign_in_failed`; `sign_in_limited` when all guesses are used; `unavailable` if too many sign in at once
 */
export async function signIn(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  { email, password }: { email: string; password: string },
  browser: WaitingBrowser,
): Promise<PasswordSignIn> {
  const found = await findPasswordByEmail(database, email);
  const email_hash = hashAddress(secrets_key, email);
  const device = found === null ? null : deviceKeyOf(found.user_id, browser.device_token);
  const guess = await takeSignInGuess(database, { email_hash, device });
  const is_right = await compare(database, {
    guess,
    stored: found?.password_hash ?? null,
    password,
    browser,
  });
  if (found === null || !is_right) {
    await recordFailedSignIn(database, { email, email_hash, browser });
    throw new DomainError("sign_in_failed");
  }
  return await transaction(database, async (sql) => {
    const user = await lockUser(sql, found.user_id);
    // A separate statement: its snapshot is newer than the lock, so it sees a password that was replaced since.
    const password_hash = await findPasswordHash(sql, found.user_id);
    if (user === null || user.disabled_at !== null || password_hash !== found.password_hash) {
      throw new DomainError("sign_in_failed");
    }
    await guess.accept(sql);
    if (user.two_factor_enabled) return await startSecondStep(sql, user.id);
    return {
      next: "done",
      session: await openSession(sql, { user_id: user.id, method: "password" }, browser),
    };
  });
}

/** Compares the password; a guess that nobody waits for, or that could not be compared, is given back. */
async function compare(
  database: Database,
  {
    guess,
    stored,
    password,
    browser,
  }: { guess: TakenGuess; stored: string | null; password: string; browser: WaitingBrowser },
): Promise<boolean> {
  try {
    return await isPassword(password, stored, browser);
  } catch (error) {
    await guess.giveBack(database);
    throw error;
  }
}

async function startSecondStep(sql: Connection, user_id: string): Promise<PasswordSignIn> {
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + SECOND_STEP_MINUTES * 60_000);
  const token = newSecretToken();
  await insertVerification(sql, {
    id: newId(created_at),
    kind: "second_factor",
    user_id,
    token_hash: hashSecretToken(token),
    created_at,
    expires_at,
  });
  return { next: "second_factor", token, expires_at };
}
