import type { Connection } from "@findersfee/database/connect";
import {
  countSecondFactorFailure,
  deleteRecoveryCode,
  lockSecondFactor,
  recordSecondFactorUse,
  type SecondFactorRow,
} from "@findersfee/database/user-second-factors";
import { DomainError } from "../errors.ts";
import { openSecret, type SecretsKey } from "../webhooks/secrets.ts";
import { hashRecoveryCode, readRecoveryCode } from "./recovery-codes.ts";
import { findStep } from "./totp.ts";

/** Consecutive wrong codes, over all sign-ins, that lock the second factor (NIST SP 800-63B, 3.2.2). */
const ALLOWED_FAILURES = 10;
const LOCK_MINUTES = 15;

interface Typed {
  user_id: string;
  code: string;
  secrets_key: SecretsKey;
}

/**
 * Whether a code of the app, or a recovery code, is right. A right code is used up. A wrong one is counted, so the
 * caller commits the transaction in either case.
 *
 * @throws DomainError `rate_limited` after too many wrong codes
 * @throws Error when SECRETS_KEY does not open the app's secret; recovery codes still work
 */
export async function acceptCode(sql: Connection, { user_id, code, secrets_key }: Typed): Promise<boolean> {
  const factor = await lockSecondFactor(sql, user_id);
  if (factor === null || factor.confirmed_at === null) return false;
  const now = new Date();
  requireUnlocked(factor, now);
  const recovery_code = readRecoveryCode(code);
  if (recovery_code !== null) {
    if (await deleteRecoveryCode(sql, user_id, hashRecoveryCode(user_id, recovery_code))) {
      await recordSecondFactorUse(sql, user_id, { step: null });
      return true;
    }
  } else {
    const step = findStepOf(factor, { code, secrets_key, at: now });
    if (step !== null) {
      await recordSecondFactorUse(sql, user_id, { step: BigInt(step) });
      return true;
    }
  }
  const locked_until = new Date(now.getTime() + LOCK_MINUTES * 60_000);
  await countSecondFactorFailure(sql, user_id, { allowed: ALLOWED_FAILURES, locked_until });
  return false;
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
  throw new DomainError("rate_limited", {
    message: "Too many wrong codes; retry after Retry-After seconds.",
    retry_after_seconds: Math.ceil((locked_until.getTime() - now.getTime()) / 1000),
  });
}
