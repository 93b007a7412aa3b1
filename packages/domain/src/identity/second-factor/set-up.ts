import type {
  ConfirmSecondFactor,
  RecoveryCodes,
  SecondFactorSecret,
} from "@findersfee/contract/identity/credentials";
import {
  confirmSecondFactor as confirmRow,
  deleteSecondFactor,
  lockSecondFactor,
  upsertUnconfirmedSecret,
} from "@findersfee/database/identity/second-factors";
import { confirmSession } from "@findersfee/database/identity/sessions";
import { lockUser } from "@findersfee/database/identity/users";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { noteOrganizationChange } from "../../caching/organization-changes.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { type SecretsKey, sealSecret } from "../../secrets/secrets.ts";
import type { UserSession } from "../accounts/authenticate.ts";
import type { Browser } from "../accounts/browser.ts";
import {
  requireRecentConfirmation,
  requireRecentSignIn,
  type SignedInUser,
} from "../accounts/recent-sign-in.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { endSessions } from "../accounts/sessions.ts";
import { findStepOf } from "./accept-code.ts";
import { renewRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

interface Dependencies {
  database: Database;
  secrets_key: SecretsKey;
}

interface Changing extends Dependencies {
  browser: Browser;
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
  { database, secrets_key, browser }: Changing,
  person: SignedInUser & Partial<Pick<UserSession, "staff_sessions">>,
  { code, end_other_sessions }: ConfirmSecondFactor,
): Promise<RecoveryCodes> {
  const codes = await transaction(database, async (sql) => {
    await requireRecentSignIn(sql, person);
    await lockUser(sql, person.user_id);
    const at = new Date();
    const factor = await lockSecondFactor(sql, person.user_id);
    if (factor === null || factor.confirmed_at !== null) {
      throw new DomainError("invalid_request", { message: "No authenticator app waits to be confirmed." });
    }
    const step = findStepOf(factor, { code, secrets_key, at });
    if (step === null)
      throw invalidField("code", "Is not the app's current code. Check the clock of the device.");
    const { user_id, session_id } = person;
    await confirmRow(sql, user_id, { step: BigInt(step), confirmed_at: at });
    // This session has just passed it; the others have not.
    await confirmSession(sql, user_id, { id: session_id, confirmed_at: at });
    if (end_other_sessions) await endSessions(sql, person, browser);
    await recordSecurityEvent(sql, { user_id, kind: "second_factor_added", browser, mailed: true });
    return { recovery_codes: await renewRecoveryCodes(sql, person.user_id) };
  });
  // Organizations that require it open at once, not after the time that sessions are cached.
  for (const id of person.staff_sessions?.keys() ?? []) noteOrganizationChange(database, id);
  return codes;
}

/**
 * Replaces the recovery codes.
 *
 * @throws DomainError `sign_in_again`, as for removing the factor; `invalid_request` without a second factor
 */
export async function replaceCodes(
  { database, browser }: Omit<Changing, "secrets_key">,
  person: SignedInUser,
): Promise<RecoveryCodes> {
  const { user_id } = person;
  return await transaction(database, async (sql) => {
    await requireRecentConfirmation(sql, person);
    await requireConfirmed(sql, user_id);
    await recordSecurityEvent(sql, { user_id, kind: "recovery_codes_replaced", browser, mailed: true });
    return { recovery_codes: await renewRecoveryCodes(sql, user_id) };
  });
}

/**
 * Turns the second factor off. Without one, nothing changes.
 *
 * @throws DomainError `sign_in_again` unless the person has just typed the password with a code of the factor, or a recovery code, or used a
 * passkey: a stranger at an open browser has none of them
 */
export async function removeSecondFactor(
  { database, browser }: Omit<Changing, "secrets_key">,
  person: SignedInUser,
): Promise<void> {
  const { user_id } = person;
  await transaction(database, async (sql) => {
    await requireRecentConfirmation(sql, person);
    const factor = await lockSecondFactor(sql, user_id);
    await deleteSecondFactor(sql, user_id);
    if (factor === null || factor.confirmed_at === null) return;
    await recordSecurityEvent(sql, { user_id, kind: "second_factor_removed", browser, mailed: true });
  });
}

async function requireConfirmed(sql: Connection, user_id: string): Promise<void> {
  const factor = await lockSecondFactor(sql, user_id);
  if (factor !== null && factor.confirmed_at !== null) return;
  throw new DomainError("invalid_request", { message: "Add an authenticator app first." });
}
