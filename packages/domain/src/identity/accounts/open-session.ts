import { insertUserSession } from "@findersfee/database/identity/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { newId } from "../../ids.ts";
import type { Waiting } from "./fair-queue.ts";
import { hashSecretToken, newSecretToken } from "./secret-token.ts";

/** The browser of a person who signs in. */
export interface Browser {
  ip_address: string;
  user_agent: string | null;
}

/** The browser of a person whose password is hashed, while it waits for that. */
export interface WaitingBrowser extends Browser, Waiting {}

/** A session that was just opened: its token goes into a cookie. */
export interface OpenedSession {
  token: string;
  expires_at: Date;
}

/** Of a session that a person opens. */
const DAYS = 30;
const DAY_SECONDS = 24 * 60 * 60;
const MAX_USER_AGENT_LENGTH = 400;

/** Writes a session in the transaction of the sign-in. */
export async function openSession(
  sql: Connection,
  user_id: string,
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser);
  await insertUserSession(sql, { ...row, user_id });
  return opened;
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
