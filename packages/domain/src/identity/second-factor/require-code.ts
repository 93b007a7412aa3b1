import { lockUser } from "@findersfee/database/identity/users";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "../accounts/browser.ts";
import { recordFailedCode } from "../accounts/record-security-event.ts";
import { acceptCode } from "./accept-code.ts";

interface Typed {
  user_id: string;
  /** Of the app, or a recovery code; undefined or empty: none was typed. */
  code: string | undefined;
  secrets_key: SecretsKey;
  browser: Browser;
}

/**
 * Makes a change that needs the person's second factor, if they have one, in the transaction that uses the code up. A wrong code
 * is counted, and changes nothing else.
 *
 * @throws DomainError `invalid_request` without a code, or for a wrong one; `rate_limited` after too many
 */
export async function requireCode<Result>(
  database: Database,
  { user_id, code, secrets_key, browser }: Typed,
  change: (sql: Connection) => Promise<Result>,
): Promise<Result> {
  const done = await transaction(database, async (sql) => {
    const user = await lockUser(sql, user_id);
    if (user === null) throw new DomainError("session_expired");
    if (user.two_factor_enabled) {
      if (code === undefined || code === "")
        throw invalidField("code", "Required: you have an authenticator app.");
      if (!(await acceptCode(sql, { user_id, code, secrets_key }))) {
        await recordFailedCode(sql, { user_id, browser });
        return null;
      }
    }
    return { result: await change(sql) };
  });
  if (done === null) throw invalidField("code", "Is wrong, or was used before.");
  return done.result;
}
