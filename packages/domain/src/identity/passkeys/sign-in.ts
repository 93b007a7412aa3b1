import { type Database, transaction } from "@findersfee/database/postgres/connect";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "../accounts/browser.ts";
import { openSession, type SignedInBrowser } from "../accounts/open-session.ts";
import { acceptPasskey } from "./accept.ts";
import { newChallenge } from "./challenge.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Options for `navigator.credentials.get`. They name no credential: the authenticator knows its passkeys. */
export async function passkeySignInOptions(
  secrets_key: SecretsKey,
  { id }: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID: id,
    challenge: newChallenge(secrets_key, "sign in"),
    userVerification: "required",
  });
}

/**
 * Signs a user in with a passkey. The authenticator has verified the person, so no second factor is asked for.
 *
 * @throws DomainError `passkey_failed`
 */
export async function signInWithPasskey(
  { database, secrets_key, party }: { database: Database; secrets_key: SecretsKey; party: RelyingParty },
  credential: AuthenticationResponseJSON,
  browser: Browser,
): Promise<SignedInBrowser> {
  return await transaction(database, async (sql) => {
    const user_id = await acceptPasskey(sql, credential, { secrets_key, party, purpose: "sign in" });
    return await openSession(sql, { user_id, method: "passkey" }, browser);
  });
}
