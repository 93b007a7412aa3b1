import {
  countFailedCode,
  countFailedSignIn,
  findFormerSignIns,
  insertSecurityEvent,
  insertSecurityNotice,
  type NewSecurityEvent,
} from "@findersfee/database/identity/security-events";
import type { SignInMethod } from "@findersfee/database/identity/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { newId } from "../../ids.ts";
import type { Browser } from "./browser.ts";

const MAX_USER_AGENT_LENGTH = 400;
/** Links that have just set the account up. */
export const FIRST_METHODS: readonly SignInMethod[] = ["invitation", "setup_link"];

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

interface Recorded {
  user_id: string;
  kind: NewSecurityEvent["kind"];
  /** The browser of the request; null: at the command line. */
  browser: Browser | null;
  /** Who caused it, as in the audit log, if it was not the person. */
  actor?: string;
  detail?: string;
  /** Whether the person gets a mail about it. */
  mailed?: boolean;
}

/** Records a security event of a person, with its mail, in the transaction of the change. */
export async function recordSecurityEvent(
  sql: Connection,
  { user_id, kind, browser, actor, detail, mailed = false }: Recorded,
): Promise<void> {
  const created_at = new Date();
  const id = newId(created_at);
  const event = { id, user_id, kind, actor: actor ?? null, detail: detail ?? null, created_at };
  await insertSecurityEvent(sql, { ...event, ...originOf(browser) });
  if (mailed) await insertSecurityNotice(sql, { id, user_id });
}

/**
 * Records a sign-in. One on a new device, or from a new network, is mailed, once within a day: who travels knows. By a link that
 * has just set the account up, or at its first sign-in, nothing is new; so that one keeps no mail about the next back.
 */
export async function recordSignIn(
  sql: Connection,
  {
    user_id,
    browser,
    is_new,
    method,
    is_first,
  }: { user_id: string; browser: Browser; is_new: boolean; method: SignInMethod; is_first: boolean },
): Promise<void> {
  const former = await findFormerSignIns(sql, user_id, {
    network: networkOf(browser),
    first_methods: FIRST_METHODS,
  });
  const kind = kindOf({ is_new, is_known_network: former.is_known_network || is_first });
  const { last_new_at } = former;
  const is_mail_due = last_new_at === null || last_new_at.getTime() < Date.now() - DAY_MILLISECONDS;
  const mailed = kind !== "signed_in" && !is_first && is_mail_due;
  await recordSecurityEvent(sql, { user_id, kind, browser, detail: method, mailed });
}

function kindOf({ is_new, is_known_network }: { is_new: boolean; is_known_network: boolean }) {
  if (is_new) return "signed_in_on_new_device";
  return is_known_network ? "signed_in" : "signed_in_from_new_network";
}

/** Counts a wrong password for an address, whether or not a user has it. */
export async function recordFailedSignIn(
  sql: Connection,
  { email, email_hash, browser }: { email: string; email_hash: Buffer; browser: Browser },
): Promise<void> {
  await countFailedSignIn(sql, { email, email_hash, ...failureOf(browser) });
}

/** Counts a wrong code of a person's authenticator app. */
export async function recordFailedCode(
  sql: Connection,
  { user_id, browser }: { user_id: string; browser: Browser },
): Promise<void> {
  await countFailedCode(sql, { user_id, ...failureOf(browser) });
}

function failureOf(browser: Browser) {
  const at = new Date();
  return { id: newId(at), at, ...originOf(browser), network: networkOf(browser) };
}

function originOf(browser: Browser | null) {
  if (browser === null) return { network: null, ip_address: null, user_agent: null };
  const user_agent = browser.user_agent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null;
  return { network: networkOf(browser), ip_address: browser.ip_address, user_agent };
}

function networkOf({ network, ip_address }: Browser): string {
  return network ?? ip_address;
}
