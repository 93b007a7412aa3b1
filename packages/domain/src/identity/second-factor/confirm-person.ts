import { findPasswordHash } from "@findersfee/database/identity/passwords";
import { confirmSession } from "@findersfee/database/identity/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { invalidField } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { WaitingBrowser } from "../accounts/browser.ts";
import type { SignedInUser } from "../accounts/recent-sign-in.ts";
import { isSessionPassword } from "../accounts/session-password.ts";
import { requireCode } from "./require-code.ts";

/**
 * Records that a signed-in person typed the password again, and a code if they have a second factor, so that the session may make
 * sensitive changes.
 *
 * @throws DomainError `invalid_request` for a wrong password or code; `session_expired` after five in a row
 */
export async function confirmPerson(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  person: SignedInUser,
  { password, code, browser }: { password: string; code?: string | undefined; browser: WaitingBrowser },
): Promise<void> {
  const { user_id, session_id } = person;
  const stored = await findPasswordHash(database, user_id);
  if (!(await isSessionPassword(database, person, { password, stored, browser })))
    throw invalidField("password", "Is not your password.");
  await requireCode(database, { user_id, code, secrets_key, browser }, async (sql) => {
    await confirmSession(sql, user_id, { id: session_id, confirmed_at: new Date() });
  });
}
