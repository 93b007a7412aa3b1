import { lockUser, markEmailVerified } from "@findersfee/database/identity/users";
import {
  countOpenVerifications,
  deleteVerification,
  insertConfirmationMail,
  insertVerification,
  lockVerification,
} from "@findersfee/database/identity/verifications";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { hashSecretToken, isSecretToken, mailedToken } from "./secret-token.ts";

const DAYS = 3;
/**
 * Open links of one user: the address may belong to another person, and the links must not flood their
 * mailbox.
 */
const MAX_OPEN = 5;

/** Mails a user the link that confirms the address, in the transaction of the caller. */
export async function mailConfirmation(
  sql: Connection,
  { user_id, secrets_key }: { user_id: string; secrets_key: SecretsKey },
): Promise<void> {
  const created_at = new Date();
  const id = newId(created_at);
  await insertVerification(sql, {
    id,
    kind: "email",
    user_id,
    token_hash: hashSecretToken(mailedToken(secrets_key, "email", id)),
    created_at,
    expires_at: new Date(created_at.getTime() + DAYS * 24 * 60 * 60 * 1000),
  });
  await insertConfirmationMail(sql, { id, user_id });
}

/**
 * Mails the link again, unless the address is confirmed.
 *
 * @throws DomainError `rate_limited` with too many links that have not expired
 */
export async function requestConfirmation(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  user_id: string,
): Promise<void> {
  await transaction(database, async (sql) => {
    const user = await lockUser(sql, user_id);
    if (user === null || user.email_verified) return;
    const open = await countOpenVerifications(sql, user_id, { kind: "email", now: new Date() });
    if (open >= MAX_OPEN) {
      throw new DomainError("rate_limited", {
        message: `${MAX_OPEN} mails with this link are on their way. Look for them, also among junk mail, or try again tomorrow.`,
        retry_after_seconds: 24 * 60 * 60,
      });
    }
    await mailConfirmation(sql, { user_id, secrets_key });
  });
}

/**
 * Confirms a user's address. Only the signed-in user can: a link that somebody clicks must not confirm an account that
 * another person made with their address.
 *
 * @throws DomainError `link_invalid` for a used, expired or forged link, or one of another user
 */
export async function confirmEmail(
  database: Database,
  { user_id, token }: { user_id: string; token: string },
): Promise<void> {
  await transaction(database, async (sql) => {
    const now = new Date();
    const verification = isSecretToken(token)
      ? await lockVerification(sql, { kind: "email", token_hash: hashSecretToken(token), now })
      : null;
    if (verification?.user_id !== user_id) {
      throw new DomainError("link_invalid", {
        message:
          "This link is incomplete, was used, has expired, or is for another account. Request a new one in your account.",
      });
    }
    await deleteVerification(sql, verification.id);
    await markEmailVerified(sql, { id: user_id, updated_at: now });
  });
}
