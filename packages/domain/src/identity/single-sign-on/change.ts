import type { SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import type { Browser } from "../accounts/browser.ts";
import { requireRecentSignInTo } from "../accounts/recent-sign-in.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { auditChange, findStored, type Stored, viewSettings } from "./stored.ts";

/** How the owner's request arrived. */
export interface Sender {
  session_id: string;
  browser: Browser;
  /** Where providers send browsers back. */
  callback_url: string;
}

interface Change {
  /** For the owner's log of security events. */
  detail: string;
  work: (sql: Connection, before: Stored) => Promise<void>;
}

/**
 * Requires that an owner signed in, or typed the password again, within the last 15 minutes: who changes these settings decides who
 * gets in. A sign-in by the present provider is one, as long as it decides that.
 *
 * @throws DomainError `sign_in_again`
 */
export async function requireRecentOwner(
  sql: Connection,
  { actor, organization }: Context,
  { session_id }: Sender,
): Promise<void> {
  if (actor.kind !== "user") throw new DomainError("sign_in_again");
  await requireRecentSignInTo(sql, organization.id, { user_id: actor.id, session_id });
}

/**
 * Runs a change of the settings in a transaction, with its audit log entry, and a security event of the owner that is mailed.
 *
 * @throws DomainError `sign_in_again`
 */
export async function changeSettings(
  context: Context,
  sender: Sender,
  { detail, work }: Change,
): Promise<SingleSignOnSettings> {
  const { id } = context.organization;
  return await inTransaction(context, async (sql) => {
    await requireRecentOwner(sql, context, sender);
    await lockOrganization(sql, id);
    const before = await findStored(sql, id);
    await work(sql, before);
    const after = await findStored(sql, id);
    await auditChange(sql, context, { before, after });
    await recordChange(sql, context, { sender, detail });
    return viewSettings(id, after, sender.callback_url);
  });
}

async function recordChange(
  sql: Connection,
  { actor }: Context,
  { sender, detail }: { sender: Sender; detail: string },
): Promise<void> {
  if (actor.kind !== "user") return;
  await recordSecurityEvent(sql, {
    user_id: actor.id,
    kind: "single_sign_on_changed",
    browser: sender.browser,
    detail,
    mailed: true,
  });
}
