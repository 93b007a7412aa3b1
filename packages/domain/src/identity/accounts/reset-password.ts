import { deleteUserDevices } from "@findersfee/database/identity/devices";
import { deleteUserPasskeys } from "@findersfee/database/identity/passkeys";
import { upsertPassword } from "@findersfee/database/identity/passwords";
import { deleteSecondFactor } from "@findersfee/database/identity/second-factors";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { lockUser, markEmailVerified } from "@findersfee/database/identity/users";
import {
  deleteUserVerifications,
  lockVerification,
  requestLink,
} from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { WaitingBrowser } from "./browser.ts";
import { type DeviceCookie, rememberDevice } from "./devices.ts";
import { hashPassword, requireGoodPassword, requireWaiting } from "./password.ts";
import { passwordOwner } from "./password-owner.ts";
import { recordSecurityEvent } from "./record-security-event.ts";
import { hashSecretToken, isSecretToken, mailedToken } from "./secret-token.ts";

const HOURS = 1;
/** Links of one user at a time: strangers can request mails, but not flood a mailbox. The earlier links still work. */
const MAX_OPEN = 5;

/**
 * Mails a link that resets the password, if a user has the address. Nothing shows whether one has: the same statement
 * writes a row in either case.
 */
export async function mailPasswordReset(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  email: string,
): Promise<void> {
  const created_at = new Date();
  const id = newId(created_at);
  await requestLink(database, {
    kind: "password_reset",
    id,
    email,
    token_hash: hashSecretToken(mailedToken(secrets_key, "password_reset", id)),
    created_at,
    expires_at: new Date(created_at.getTime() + HOURS * 60 * 60 * 1000),
    max_open: MAX_OPEN,
  });
}

/**
 * Sets a new password by a mailed link, and ends all sessions. The account knows this browser alone from then on. The second factor stays. If the address was never
 * confirmed, somebody else may have made the account, so its other credentials go.
 *
 * @throws DomainError `link_invalid` for a used, expired or forged link
 */
export async function resetPassword(
  database: Database,
  { token, password }: { token: string; password: string },
  browser: WaitingBrowser,
): Promise<DeviceCookie> {
  if (!isSecretToken(token)) throw invalidLink();
  const open = { kind: "password_reset", token_hash: hashSecretToken(token), now: new Date() } as const;
  // Before the password is hashed, which takes longer than a forged link is worth.
  if ((await lockVerification(database, open)) === null) throw invalidLink();
  const password_hash = await hashPassword(password, browser);
  return await transaction(database, async (sql) => {
    const verification = await lockVerification(sql, open);
    const user = verification === null ? null : await lockUser(sql, verification.user_id);
    if (user === null) throw invalidLink();
    await requireGoodPassword(password, await passwordOwner(sql, user));
    const updated_at = new Date();
    await upsertPassword(sql, { user_id: user.id, password_hash, updated_at });
    await deleteUserVerifications(sql, user.id);
    await deleteUserSessions(sql, user.id, { except: null });
    await deleteUserDevices(sql, user.id);
    const { device } = await rememberDevice(sql, user.id, null);
    await recordSecurityEvent(sql, { user_id: user.id, kind: "password_reset", browser, mailed: true });
    if (!user.email_verified) {
      await deleteUserPasskeys(sql, user.id);
      await deleteSecondFactor(sql, user.id);
      await markEmailVerified(sql, { id: user.id, updated_at });
    }
    requireWaiting(browser);
    return device;
  });
}

function invalidLink(): DomainError {
  return new DomainError("link_invalid", {
    message: "This link is incomplete, was used, or has expired. Request a new one on the sign-in page.",
  });
}
