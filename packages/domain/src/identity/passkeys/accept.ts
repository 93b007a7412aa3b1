import {
  lockPasskeyByCredential,
  type PasskeyRow,
  recordPasskeyUse,
} from "@findersfee/database/identity/passkeys";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { type ChallengePurpose, isOpenChallenge, useChallenge } from "./challenge.ts";
import type { RelyingParty } from "./relying-party.ts";

interface Accepting {
  secrets_key: SecretsKey;
  party: RelyingParty;
  purpose: ChallengePurpose;
}

/**
 * Accepts an authenticator's answer to a challenge, once, and returns the passkey's user. The authenticator has verified the person.
 *
 * @throws DomainError `passkey_failed`
 */
export async function acceptPasskey(
  sql: Connection,
  credential: AuthenticationResponseJSON,
  accepting: Accepting,
): Promise<string> {
  const passkey = await lockPasskeyByCredential(sql, credential.id);
  if (passkey === null) throw new DomainError("passkey_failed");
  const { challenge, counter, is_backed_up } = await verify(passkey, credential, accepting);
  if (!(await useChallenge(sql, challenge))) throw new DomainError("passkey_failed");
  await recordPasskeyUse(sql, { id: passkey.id, counter, is_backed_up, used_at: new Date() });
  return passkey.user_id;
}

async function verify(
  { credential_id, public_key, counter, user_id }: PasskeyRow,
  response: AuthenticationResponseJSON,
  { secrets_key, party, purpose }: Accepting,
): Promise<{ challenge: string; counter: bigint; is_backed_up: boolean }> {
  let challenge = "";
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (sent) => {
      challenge = sent;
      return isOpenChallenge(secrets_key, purpose, sent);
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
