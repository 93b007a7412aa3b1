import {
  lockPasskeyByCredential,
  type PasskeyRow,
  recordPasskeyUse,
} from "@findersfee/database/identity/passkeys";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "../accounts/browser.ts";
import { openSession, type SignedInBrowser } from "../accounts/open-session.ts";
import { isOpenChallenge, newChallenge, useChallenge } from "./challenge.ts";
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
    const passkey = await lockPasskeyByCredential(sql, credential.id);
    if (passkey === null) throw new DomainError("passkey_failed");
    const { challenge, counter, is_backed_up } = await verify(passkey, credential, { secrets_key, party });
    if (!(await useChallenge(sql, challenge))) throw new DomainError("passkey_failed");
    await recordPasskeyUse(sql, { id: passkey.id, counter, is_backed_up, used_at: new Date() });
    return await openSession(sql, { user_id: passkey.user_id, method: "passkey" }, browser);
  });
}

async function verify(
  { credential_id, public_key, counter, user_id }: PasskeyRow,
  response: AuthenticationResponseJSON,
  { secrets_key, party }: { secrets_key: SecretsKey; party: RelyingParty },
): Promise<{ challenge: string; counter: bigint; is_backed_up: boolean }> {
  let challenge = "";
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (sent) => {
      challenge = sent;
      return isOpenChallenge(secrets_key, "sign in", sent);
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: Number(counter) },
    requireUserVerification: true,
    // The library throws plain errors for all invalid answers.
  }).catch((): never => {
    throw new DomainError("passkey_failed");
  });
  const { userHandle } = response.response;
  const is_of_user =
    userHandle === undefined ||
    userHandle === "" ||
    Buffer.from(userHandle, "base64url").toString() === user_id;
  if (!result.verified || !is_of_user) throw new DomainError("passkey_failed");
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { challenge, counter: BigInt(newCounter), is_backed_up: credentialBackedUp };
}
