import { personNameInput } from "@findersfee/contract/identity/account-fields";
import { deleteUserDevices } from "@findersfee/database/identity/devices";
import { deleteUserPasskeys } from "@findersfee/database/identity/passkeys";
import { deletePassword } from "@findersfee/database/identity/passwords";
import { deleteSecondFactor } from "@findersfee/database/identity/second-factors";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { insertUser, markEmailVerified } from "@findersfee/database/identity/users";
import { deleteUserVerifications } from "@findersfee/database/identity/verifications";
import type { Connection } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import type { Author } from "../../audit-log/write.ts";
import { newId } from "../../ids.ts";
import { hasAddress } from "../../shown-name.ts";
import type { Browser } from "../accounts/browser.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import type { Claims } from "./provider.ts";

/** Creates the account of a person that the provider knows. Returns its id. */
export async function createPerson(sql: Connection, claims: Claims, email: string): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  await insertUser(sql, { id, name: nameOf(claims, email), email, email_verified: true, created_at });
  return id;
}

/** The name of the claims, unless it has an address; else the part of the email before the domain. */
function nameOf({ name }: Claims, email: string): string {
  const names = [name, email.slice(0, email.lastIndexOf("@"))].flatMap((text) => {
    const { data } = personNameInput.safeParse(text);
    return data === undefined || hasAddress(data) ? [] : [data];
  });
  return names[0] ?? "New member";
}

/** Somebody else may have made an account with an address that was never confirmed, so its credentials go. */
export async function takeOver(
  sql: Connection,
  { actor }: Author,
  { user_id, browser }: { user_id: string; browser: Browser },
): Promise<void> {
  await deletePassword(sql, user_id);
  await deleteUserPasskeys(sql, user_id);
  await deleteSecondFactor(sql, user_id);
  await deleteUserVerifications(sql, user_id);
  await deleteUserSessions(sql, user_id, { except: null });
  await deleteUserDevices(sql, user_id);
  await markEmailVerified(sql, { id: user_id, updated_at: new Date() });
  const event = { user_id, kind: "credentials_removed", browser, actor: actorText(actor) } as const;
  await recordSecurityEvent(sql, { ...event, mailed: true });
}
