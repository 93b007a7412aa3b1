import type { RecoveryCodes, SecondFactorSecret } from "@findersfee/contract/identity/credentials";
import {
  confirmSecondFactor as confirmRow,
  deleteSecondFactor,
  lockSecondFactor,
  upsertUnconfirmedSecret,
} from "@findersfee/database/identity/second-factors";
import { lockUser } from "@findersfee/database/identity/users";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField } from "../../errors.ts";
import { type SecretsKey, sealSecret } from "../../secrets/secrets.ts";
import { requireRecentSignIn, type SignedInUser } from "../accounts/recent-sign-in.ts";
import { findStepOf } from "./accept-code.ts";
import { renewRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

interface Dependencies {
  database: Database;
  secrets_key: SecretsKey;
}

const ISSUER = "Findersfee";

/**
 * Makes the secret of an authenticator app. Sign-ins do not ask for a code until it is confirmed.
 *
 * @throws DomainError `sign_in_again`; `invalid_request` if the user has a second factor
 */
export async function startSecondFactor(
  { database, secrets_key }: Dependencies,
  person: SignedInUser,
): Promise<SecondFactorSecret> {
  return await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    const user = await lockUser(sql, person.user_id);
    if (user === null) throw new DomainError("session_expired");
    const secret = newTotpSecret();
    const sealed = sealSecret(secrets_key, { user_id: user.id, purpose: "second_factor" }, secret);
    const factor = { user_id: user.id, secret_encrypted: sealed, created_at: new Date() };
    if (!(await upsertUnconfirmedSecret(sql, factor))) {
      throw new DomainError("invalid_request", {
        message: "You have an authenticator app. Remove it before you add another one.",
      });
    }
    return { secret, uri: totpUri(secret, { account: user.email, issuer: ISSUER }) };
  });
}

/**
 * Turns the second factor on, by a code of the app. From then on sign-ins with a password ask for a code.
 *
 * @throws DomainError `sign_in_again`; `invalid_request` for a wrong code
 */
export async function confirmSecondFactor(
  { database, secrets_key }: Dependencies,
  person: SignedInUser,
  code: string,
): Promise<RecoveryCodes> {
  return await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    const at = new Date();
    const factor = await lockSecondFactor(sql, person.user_id);
    if (factor === null || factor.confirmed_at !== null) {
      throw new DomainError("invalid_request", { message: "No authenticator app waits to be confirmed." });
    }
    const step = findStepOf(factor, { code, secrets_key, at });
    if (step === null)
      throw invalidField("code", "Is not the app's current code. Check the clock of the device.");
    await confirmRow(sql, person.user_id, { step: BigInt(step), confirmed_at: at });
    return { recovery_codes: await renewRecoveryCodes(sql, person.user_id) };
  });
}

/**
 * Replaces the recovery codes.
 *
 * @throws DomainError `sign_in_again`; `invalid_request` without a second factor
 */
export async function replaceCodes(database: Database, person: SignedInUser): Promise<RecoveryCodes> {
  return await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    await requireConfirmed(sql, person.user_id);
    return { recovery_codes: await renewRecoveryCodes(sql, person.user_id) };
  });
}

/**
 * Turns the second factor off.
 *
 * @throws DomainError `sign_in_again`
 */
export async function removeSecondFactor(database: Database, person: SignedInUser): Promise<void> {
  await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    await deleteSecondFactor(sql, person.user_id);
  });
}

async function requireConfirmed(sql: Connection, user_id: string): Promise<void> {
  const factor = await lockSecondFactor(sql, user_id);
  if (factor !== null && factor.confirmed_at !== null) return;
  throw new DomainError("invalid_request", { message: "Add an authenticator app first." });
}
