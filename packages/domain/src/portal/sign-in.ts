import { timingSafeEqual } from "node:crypto";
import { type Connection, type Database, transaction } from "@findersfee/database/connect";
import {
  countPortalCodeFailure,
  countPortalCodeFailures,
  lockPortalCodeOfBrowser,
  lockPortalCodeOfLink,
  type OpenPortalCodeRow,
  requestPortalCode,
  usePortalCode,
} from "@findersfee/database/portal-codes";
import type { Browser, OpenedSession } from "../accounts/open-session.ts";
import { hashSecretToken, isSecretToken, mailedToken, newSecretToken } from "../accounts/secret-token.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { SecretsKey } from "../webhooks/secrets.ts";
import { mailedCode } from "./mailed-code.ts";
import { openPortalSession } from "./open-session.ts";

const MINUTES = 15;
/** Mails of one address at a time: strangers can request codes, but not flood a mailbox. */
const MAX_OPEN = 5;
/** Wrong codes of a request. */
const MAX_FAILURES = 5;
/**
 * Wrong codes of an address in a day, in all browsers. Beyond them only links are accepted: guessing then succeeds once in
 * 20,000 days, and nobody can keep the person out.
 */
const MAX_FAILURES_OF_DAY = 50;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface SigningIn {
  database: Database;
  secrets_key: SecretsKey;
}

/** The browser's part of a request for a code, which goes into a cookie. */
export interface RequestedCode {
  token: string;
  expires_at: Date;
  /** The organization of the mail; null: none is sent. It must not be shown. */
  organization_id: string | null;
}

/**
 * Mails a code and a link to an affiliate. Nothing shows whether one has the address: the same statement writes a row in
 * either case.
 */
export async function requestCode(
  { database, secrets_key }: SigningIn,
  email: string,
): Promise<RequestedCode> {
  const created_at = new Date();
  const id = newId(created_at);
  const token = newSecretToken();
  const expires_at = new Date(created_at.getTime() + MINUTES * 60_000);
  const organization_id = await requestPortalCode(database, {
    id,
    email,
    browser_hash: hashSecretToken(token),
    link_hash: hashSecretToken(mailedToken(secrets_key, "portal", id)),
    created_at,
    expires_at,
    max_open: MAX_OPEN,
  });
  return { token, expires_at, organization_id };
}

/**
 * Signs an affiliate in by the mailed code, in the browser that asked for it.
 *
 * @throws DomainError `code_invalid` for a wrong, used or expired code, or one of another browser
 */
export async function signInWithMailedCode(
  { database, secrets_key }: SigningIn,
  { token, code }: { token: string; code: string },
  browser: Browser,
): Promise<OpenedSession> {
  const session = await transaction(database, async (sql) => {
    const now = new Date();
    const open = isSecretToken(token)
      ? await lockPortalCodeOfBrowser(sql, { browser_hash: hashSecretToken(token), now })
      : null;
    if (open === null || open.failures >= MAX_FAILURES) throw expiredCode();
    const since = new Date(now.getTime() - DAY_MILLISECONDS);
    const failures = await countPortalCodeFailures(sql, { email: open.email, since });
    if (failures >= MAX_FAILURES_OF_DAY) throw tooManyCodes();
    const is_right = isEqual(code, mailedCode(secrets_key, open.id)) && open.mailed;
    if (is_right) return await signIn(sql, open, browser);
    // Thrown after the transaction, which keeps the count.
    await countPortalCodeFailure(sql, open.id);
    return null;
  });
  if (session === null) throw new DomainError("code_invalid");
  return session;
}

/**
 * Signs an affiliate in by the mailed link, in any browser. Mail scanners open links, so the page behind it has a button.
 *
 * @throws DomainError `link_invalid`
 */
export async function signInWithMailedLink(
  database: Database,
  token: string,
  browser: Browser,
): Promise<OpenedSession> {
  return await transaction(database, async (sql) => {
    const open = isSecretToken(token)
      ? await lockPortalCodeOfLink(sql, { link_hash: hashSecretToken(token), now: new Date() })
      : null;
    if (open === null) throw new DomainError("link_invalid");
    return await signIn(sql, open, browser);
  });
}

async function signIn(
  sql: Connection,
  { id, email }: OpenPortalCodeRow,
  browser: Browser,
): Promise<OpenedSession> {
  await usePortalCode(sql, { id, used_at: new Date() });
  return await openPortalSession(sql, email, browser);
}

function isEqual(sent: string, right: string): boolean {
  return sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right));
}

function expiredCode(): DomainError {
  return new DomainError("code_invalid", {
    message: "This code was used, has expired, or was requested in another browser. Request a new one.",
    details: { reason: "expired" },
  });
}

function tooManyCodes(): DomainError {
  return new DomainError("code_invalid", {
    message: "Too many wrong codes for this address today. Use the link in the email instead.",
    details: { reason: "too_many" },
  });
}
