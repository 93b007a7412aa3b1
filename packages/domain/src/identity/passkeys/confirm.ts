import { confirmSession } from "@findersfee/database/identity/sessions";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import type { SignedInUser } from "../accounts/recent-sign-in.ts";
import { acceptPasskey } from "./accept.ts";
import { newChallenge } from "./challenge.ts";
import type { RelyingParty } from "./relying-party.ts";

interface Dependencies {
  database: Database;
  secrets_key: SecretsKey;
  party: RelyingParty;
}

/** Options for `navigator.credentials.get`, for this session alone. */
export async function passkeyConfirmationOptions(
  { secrets_key, party }: Omit<Dependencies, "database">,
  { session_id }: SignedInUser,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: newChallenge(secrets_key, `confirm ${session_id}`),
    userVerification: "required",
  });
}

/**
 * Records that a signed-in person has just used a passkey of theirs, so that the session may make sensitive changes. It counts as the
 * password with a code: the authenticator has verified the person, as for a sign-in.
 *
 * @throws DomainError `passkey_failed`
 */
export async function confirmWithPasskey(
  { database, secrets_key, party }: Dependencies,
  { user_id, session_id }: SignedInUser,
  credential: AuthenticationResponseJSON,
): Promise<void> {
  await transaction(database, async (sql) => {
    const purpose = `confirm ${session_id}` as const;
    const owner = await acceptPasskey(sql, credential, { secrets_key, party, purpose });
    if (owner !== user_id) throw new DomainError("passkey_failed");
    await confirmSession(sql, user_id, { id: session_id, confirmed_at: new Date() });
  });
}
