import { hash } from "node:crypto";
import { type DeviceKey, upsertDevice } from "@findersfee/database/identity/devices";
import type { Connection } from "@findersfee/database/postgres/connect";
import { isSecretToken, newSecretToken } from "./secret-token.ts";

/** The most devices of one user. Another one replaces the one that was used longest ago. */
export const MAX_DEVICES = 10;
/** The longest that browsers keep a cookie is 400 days. */
const DAYS = 400;

/** A cookie that distinguishes a browser from the browsers of strangers. It signs nobody in. */
export interface DeviceCookie {
  token: string;
  expires_at: Date;
}

/** The device of a browser with this cookie; null: it has none. */
export function deviceKeyOf(user_id: string, token: string | null | undefined): DeviceKey | null {
  if (token === null || token === undefined || !isSecretToken(token)) return null;
  return { user_id, token_hash: hash("sha256", `${user_id}:${token}`, "buffer") };
}

/** Remembers a browser that signed in, by its cookie or a new one. People who share a browser share the cookie. */
export async function rememberDevice(
  sql: Connection,
  user_id: string,
  cookie: string | null | undefined,
): Promise<{ device: DeviceCookie; is_new: boolean }> {
  const now = new Date();
  const expires_at = new Date(now.getTime() + DAYS * 24 * 60 * 60 * 1000);
  const token = cookie !== null && cookie !== undefined && isSecretToken(cookie) ? cookie : newSecretToken();
  const token_hash = hash("sha256", `${user_id}:${token}`, "buffer");
  const is_new = await upsertDevice(sql, { user_id, token_hash }, { now, expires_at, most: MAX_DEVICES });
  return { device: { token, expires_at }, is_new };
}
