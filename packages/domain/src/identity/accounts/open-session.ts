import { insertUserSession } from "@findersfee/database/identity/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { newId } from "../../ids.ts";
import type { Browser } from "./browser.ts";
import { type DeviceCookie, rememberDevice } from "./devices.ts";
import { recordSignIn, type SignInMethod } from "./record-security-event.ts";
import { hashSecretToken, newSecretToken } from "./secret-token.ts";

/** A session that was just opened: its token goes into a cookie. */
export interface OpenedSession {
  token: string;
  expires_at: Date;
}

/** A session of a person, and the cookie by which the account knows the browser from now on. */
export interface SignedInBrowser extends OpenedSession {
  device: DeviceCookie;
}

/** Of a session that a person opens. */
const DAYS = 30;
const DAY_SECONDS = 24 * 60 * 60;
const MAX_USER_AGENT_LENGTH = 400;

/** Writes a session in the transaction of the sign-in, which has locked the user, with its security event. */
export async function openSession(
  sql: Connection,
  { user_id, method }: { user_id: string; method: SignInMethod },
  browser: Browser,
): Promise<SignedInBrowser> {
  const { opened, row } = newSession(browser);
  await insertUserSession(sql, { ...row, user_id });
  const { device, is_new } = await rememberDevice(sql, user_id, browser.device_token);
  await recordSignIn(sql, { user_id, browser, is_new, method });
  return { ...opened, device };
}

/** A new session of a browser: the part that the browser keeps, and the row without its person. */
export function newSession({ ip_address, user_agent }: Browser, seconds = DAYS * DAY_SECONDS) {
  const created_at = new Date();
  const token = newSecretToken();
  const expires_at = new Date(created_at.getTime() + seconds * 1000);
  const opened: OpenedSession = { token, expires_at };
  const row = {
    id: newId(created_at),
    token_hash: hashSecretToken(token),
    ip_address,
    user_agent: user_agent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
    created_at,
    expires_at,
  };
  return { opened, row };
}
