import type { Passkey } from "@findersfee/contract/identity/credentials";
import {
  deletePasskey as deleteRow,
  listPasskeys as listRows,
  renamePasskey as renameRow,
} from "@findersfee/database/identity/passkeys";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { notFound } from "../../errors.ts";
import type { Browser } from "../accounts/browser.ts";
import { requireRecentSignIn, type SignedInUser } from "../accounts/recent-sign-in.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { viewPasskey } from "./view.ts";

/** A user's passkeys, oldest first. */
export async function listPasskeys(database: Database, { user_id }: SignedInUser): Promise<Passkey[]> {
  return (await listRows(database, user_id)).map(viewPasskey);
}

/** @throws DomainError `not_found` */
export async function renamePasskey(
  database: Database,
  { user_id }: SignedInUser,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const row = await renameRow(database, user_id, { id, name });
  if (row === null) throw notFound("passkey");
  return viewPasskey(row);
}

/**
 * Deletes a passkey: nobody can sign in with it any more.
 *
 * @throws DomainError `sign_in_again`; `not_found`
 */
export async function deletePasskey(
  { database, browser }: { database: Database; browser: Browser },
  person: SignedInUser,
  id: string,
): Promise<void> {
  const { user_id } = person;
  await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    const detail = await deleteRow(sql, user_id, id);
    if (detail === null) throw notFound("passkey");
    await recordSecurityEvent(sql, { user_id, kind: "passkey_removed", browser, detail, mailed: true });
  });
}
