import { insertUserSession, type SignInMethod, WAYS_BACK } from "@findersfee/database/identity/sessions";
import { listBypassedProviders } from "@findersfee/database/identity/sign-in-providers";
import type { Connection } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../../audit-log/write.ts";
import { newId } from "../../ids.ts";
import type { Browser } from "./browser.ts";
import { type DeviceCookie, rememberDevice } from "./devices.ts";
import { FIRST_METHODS, recordSignIn } from "./record-security-event.ts";
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

/** The life of a session that a person opens. */
const DAYS = 30;
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MAX_USER_AGENT_LENGTH = 400;

/**
 * Writes a session in the transaction of the sign-in, which has locked the user, with its security event. The audit log has an
 * owner's sign-in past a provider that their organization requires.
 */
export async function openSession(
  sql: Connection,
  { user_id, method }: { user_id: string; method: Exclude<SignInMethod, "single_sign_on"> },
  browser: Browser,
): Promise<SignedInBrowser> {
  const { opened, row } = newSession(browser);
  await insertUserSession(sql, { ...row, user_id, method, provider_organization_id: null });
  const { device, is_new } = await rememberDevice(sql, user_id, browser.device_token);
  await recordSignIn(sql, { user_id, browser, is_new, method, is_first: FIRST_METHODS.includes(method) });
  if (WAYS_BACK.includes(method)) await auditBypass(sql, user_id);
  return { ...opened, device };
}

async function auditBypass(sql: Connection, user_id: string): Promise<void> {
  for (const { organization_id: id } of await listBypassedProviders(sql, user_id)) {
    await writeAuditEntry(
      sql,
      { organization: { id }, actor: { kind: "user", id: user_id } },
      { resource: "single_sign_on", id, action: "bypassed", before: {}, after: {} },
    );
  }
}

/**
 * The same for an organization's provider, which opens that organization alone. The account does not know the
 * browser from then on: the operator of the provider could give it any number of browsers, with guesses of
 * their own.
 */
export async function openProviderSession(
  sql: Connection,
  {
    user_id,
    organization_id,
    hours,
    is_first,
  }: { user_id: string; organization_id: string; hours: number; is_first: boolean },
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser, hours * HOUR_SECONDS);
  const method = "single_sign_on";
  await insertUserSession(sql, { ...row, user_id, method, provider_organization_id: organization_id });
  await recordSignIn(sql, { user_id, browser, is_new: false, method, is_first });
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
