import {
  deleteVerification,
  lockVerification,
  requestLink,
} from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "./browser.ts";
import { type DeviceCookie, rememberDevice } from "./devices.ts";
import { recordSecurityEvent } from "./record-security-event.ts";
import { hashSecretToken, isSecretToken, mailedToken } from "./secret-token.ts";

const HOURS = 1;
/** Links of one user at a time. A stranger who asks for them mails the person links that work. */
const MAX_OPEN = 5;

/** Mails a link that makes the browser in which it is opened known to the account, if a user has the address. */
export async function mailDeviceLink(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  email: string,
): Promise<void> {
  const created_at = new Date();
  const id = newId(created_at);
  await requestLink(database, {
    kind: "device",
    id,
    email,
    token_hash: hashSecretToken(mailedToken(secrets_key, "device", id)),
    created_at,
    expires_at: new Date(created_at.getTime() + HOURS * 60 * 60 * 1000),
    max_open: MAX_OPEN,
  });
}

/**
 * Makes the browser known to the account of a mailed link: guesses of strangers no longer keep it out. It
 * still needs the password.
 *
 * @throws DomainError `link_invalid` for a used, expired or forged link
 */
export async function confirmDevice(
  database: Database,
  token: string,
  browser: Browser,
): Promise<DeviceCookie> {
  return await transaction(database, async (sql) => {
    const now = new Date();
    const verification = isSecretToken(token)
      ? await lockVerification(sql, { kind: "device", token_hash: hashSecretToken(token), now })
      : null;
    if (verification === null) throw new DomainError("link_invalid");
    const { id, user_id } = verification;
    await deleteVerification(sql, id);
    const { device } = await rememberDevice(sql, user_id, browser.device_token);
    await recordSecurityEvent(sql, { user_id, kind: "device_confirmed", browser });
    return device;
  });
}
