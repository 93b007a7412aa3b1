import {
  countVerificationFailure,
  deleteVerification,
  lockVerification,
} from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "../accounts/browser.ts";
import { openSession, type SignedInBrowser } from "../accounts/open-session.ts";
import { recordFailedCode } from "../accounts/record-security-event.ts";
import { hashSecretToken, isSecretToken } from "../accounts/secret-token.ts";
import { acceptCode } from "./accept-code.ts";

/** Wrong codes after which the person must type the password again. */
const ALLOWED_FAILURES = 5;

/**
 * Finishes a sign-in with a code of the authenticator app, or a recovery code. Each code works once.
 *
 * @throws DomainError `second_factor_failed` for a wrong code; `sign_in_again` without a recent password; `rate_limited`
 */
export async function signInWithCode(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  { token, code }: { token: string; code: string },
  browser: Browser,
): Promise<SignedInBrowser> {
  const session = await transaction(database, async (sql) => {
    const now = new Date();
    const step = isSecretToken(token)
      ? await lockVerification(sql, { kind: "second_factor", token_hash: hashSecretToken(token), now })
      : null;
    if (step === null || step.failures >= ALLOWED_FAILURES) throw new DomainError("sign_in_again");
    if (!(await acceptCode(sql, { user_id: step.user_id, code, secrets_key }))) {
      await countVerificationFailure(sql, step.id);
      await recordFailedCode(sql, { user_id: step.user_id, browser });
      return null;
    }
    await deleteVerification(sql, step.id);
    return await openSession(sql, { user_id: step.user_id, method: "code" }, browser);
  });
  if (session === null) throw new DomainError("second_factor_failed");
  return session;
}
