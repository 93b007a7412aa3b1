import {
  countSecondFactorFailure,
  deleteRecoveryCode,
  lockSecondFactor,
  recordSecondFactorUse,
  type SecondFactorRow,
} from "@findersfee/database/identity/second-factors";
import type { Connection } from "@findersfee/database/postgres/connect";
import { waitInWords } from "../../caching/wait.ts";
import { DomainError } from "../../errors.ts";
import { openSecret, type SecretsKey } from "../../secrets/secrets.ts";
import { hashRecoveryCode, readRecoveryCode } from "./recovery-codes.ts";
import { findStep } from "./totp.ts";

/**
 * The number of consecutive wrong codes, over all sign-ins, that locks the app each time (NIST SP 800-63B,
 * 3.2.2).
 */
const ALLOWED_FAILURES = 10;
/** The first lock; each further one takes twice as long, up to a day: who guesses for a year finds 1 in 90 codes. */
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

interface Typed {
  user_id: string;
  code: string;
  secrets_key: SecretsKey;
}

/**
 * Whether a code of the app, or a recovery code, is right. A right code is used up. A wrong one is counted, so the
 * caller commits the transaction in either case. Recovery codes have 80 random bits, which nobody guesses, so they work
 * while the app is locked: somebody else with the password cannot keep the person out.
 *
 * @throws DomainError `rate_limited` for codes of the app after too many wrong ones
 * @throws Error when SECRETS_KEY does not open the app's secret; recovery codes still work
 */
export async function acceptCode(sql: Connection, { user_id, code, secrets_key }: Typed): Promise<boolean> {
  const factor = await lockSecondFactor(sql, user_id);
  if (factor === null || factor.confirmed_at === null) return false;
  const now = new Date();
  const recovery_code = readRecoveryCode(code);
  if (recovery_code !== null) {
    if (await deleteRecoveryCode(sql, user_id, hashRecoveryCode(user_id, recovery_code))) {
      await recordSecondFactorUse(sql, user_id, { step: null });
      return true;
    }
  } else {
    requireUnlocked(factor, now);
    const step = findStepOf(factor, { code, secrets_key, at: now });
    if (step !== null) {
      await recordSecondFactorUse(sql, user_id, { step: BigInt(step) });
      return true;
    }
  }
  await countSecondFactorFailure(sql, user_id, { locked_until: lockAfter(factor.failures + 1, now) });
  return false;
}

/** The end of the lock after `failures` consecutive wrong codes; null: none. */
function lockAfter(failures: number, now: Date): Date | null {
  if (failures % ALLOWED_FAILURES !== 0) return null;
  const minutes = FIRST_LOCK_MINUTES * 2 ** (failures / ALLOWED_FAILURES - 1);
  return new Date(now.getTime() + Math.min(minutes, LONGEST_LOCK_MINUTES) * 60_000);
}

/** The time step of a code of the app, if it is right. */
export function findStepOf(
  { user_id, secret_encrypted, last_step }: SecondFactorRow,
  { code, secrets_key, at }: { code: string; secrets_key: SecretsKey; at: Date },
): number | null {
  const secret = openSecret(secrets_key, { user_id, purpose: "second_factor" }, secret_encrypted);
  return findStep(secret, code.replaceAll(/\s/g, ""), { at, last_step: Number(last_step) });
}

function requireUnlocked({ locked_until }: SecondFactorRow, now: Date): void {
  if (locked_until === null || locked_until <= now) return;
  const retry_after_seconds = Math.ceil((locked_until.getTime() - now.getTime()) / 1000);
  throw new DomainError("rate_limited", {
    limit: "sign_ins",
    message: `Too many wrong codes. Try again in ${waitInWords(retry_after_seconds)}.`,
    retry_after_seconds,
  });
}
