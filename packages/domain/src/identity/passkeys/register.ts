import type { Passkey } from "@findersfee/contract/identity/credentials";
import { insertPasskey, listPasskeys } from "@findersfee/database/identity/passkeys";
import { findUser, lockUser } from "@findersfee/database/identity/users";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { Browser } from "../accounts/browser.ts";
import { requireRecentSignIn, type SignedInUser } from "../accounts/recent-sign-in.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { isOpenChallenge, newChallenge, useChallenge } from "./challenge.ts";
import { RELYING_PARTY_NAME, type RelyingParty } from "./relying-party.ts";
import { viewPasskey } from "./view.ts";

interface Dependencies {
  database: Database;
  secrets_key: SecretsKey;
  party: RelyingParty;
}

/** The algorithms of authenticators, by their COSE numbers: EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const MAX_PASSKEYS = 20;

/**
 * Options for `navigator.credentials.create`.
 *
 * @throws DomainError `sign_in_again`
 */
export async function passkeyRegistrationOptions(
  { database, secrets_key, party }: Dependencies,
  person: SignedInUser,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await requireRecentSignIn(database, person);
  const user = await findUser(database, person.user_id);
  if (user === null) throw new DomainError("session_expired");
  const existing = await listPasskeys(database, user.id);
  return await generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: newChallenge(secrets_key, `register ${user.id}`),
    // Which make of authenticator it is does not matter.
    attestationType: "none",
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Adds a passkey to a user.
 *
 * @throws DomainError `sign_in_again`; `passkey_failed` if the browser's answer is not valid; `invalid_request` with too
 * many passkeys
 */
export async function addPasskey(
  { database, secrets_key, party, browser }: Dependencies & { browser: Browser },
  person: SignedInUser,
  { name, credential }: { name: string; credential: RegistrationResponseJSON },
): Promise<Passkey> {
  const { user_id } = person;
  const { challenge, registered } = await verify({ secrets_key, party, user_id }, credential);
  return await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    await lockUser(sql, user_id);
    if ((await listPasskeys(sql, user_id)).length >= MAX_PASSKEYS) {
      throw new DomainError("invalid_request", {
        message: `You have ${MAX_PASSKEYS} passkeys, the most that a person can have. Delete one first.`,
      });
    }
    if (!(await useChallenge(sql, challenge))) throw new DomainError("passkey_failed");
    const created_at = new Date();
    const passkey = { id: newId(created_at), user_id, name, created_at, ...registered };
    if (!(await insertPasskey(sql, passkey))) throw new DomainError("passkey_failed");
    await recordSecurityEvent(sql, { user_id, kind: "passkey_added", browser, detail: name, mailed: true });
    return viewPasskey({ ...passkey, last_used_at: null });
  });
}

async function verify(
  { secrets_key, party, user_id }: { secrets_key: SecretsKey; party: RelyingParty; user_id: string },
  response: RegistrationResponseJSON,
) {
  let challenge = "";
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: (sent) => {
      challenge = sent;
      return isOpenChallenge(secrets_key, `register ${user_id}`, sent);
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws plain errors for all invalid answers.
  }).catch((): never => {
    throw new DomainError("passkey_failed");
  });
  if (!result.verified) throw new DomainError("passkey_failed");
  const { credential, credentialBackedUp } = result.registrationInfo;
  const registered = {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...(credential.transports ?? [])].map(String),
    is_backed_up: credentialBackedUp,
  };
  return { challenge, registered };
}
