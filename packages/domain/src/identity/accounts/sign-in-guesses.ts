import { createHmac, hkdfSync } from "node:crypto";
import {
  type DeviceKey,
  resetDeviceGuesses,
  returnDeviceGuess,
  takeDeviceGuess,
} from "@findersfee/database/identity/devices";
import { returnGuess, takeGuess } from "@findersfee/database/identity/sign-in-guesses";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { MAX_DEVICES } from "./devices.ts";

/**
 * At most 100 wrong passwords in a row (NIST SP 800-63B, 3.2.2): half of them for strangers together, the others for the
 * devices that signed in to the account before. Strangers get one back every two hours, so 4,380 a year.
 */
const OF_STRANGERS = 50;
const STEP_SECONDS = 2 * 60 * 60;
const OF_DEVICE = 50 / MAX_DEVICES;

/** A guess that was taken before its password is compared, so that no two requests share it. */
export interface TakenGuess {
  /** The password was right. */
  accept(sql: Connection): Promise<void>;
  /** The password was not compared. */
  giveBack(sql: Connection): Promise<void>;
}

/**
 * Takes a guess: from the device's, if it signed in to this account before, else from the strangers'.
 *
 * @throws DomainError `sign_in_limited` if none is left, the same for right and wrong passwords, and for
 * known and unknown addresses
 */
export async function takeSignInGuess(
  sql: Connection,
  { email_hash, device }: { email_hash: Buffer; device: DeviceKey | null },
): Promise<TakenGuess> {
  const now = new Date();
  if (device !== null && (await takeDeviceGuess(sql, device, { now, allowed: OF_DEVICE }))) {
    return {
      accept: (connection) => resetDeviceGuesses(connection, device),
      giveBack: (connection) => returnDeviceGuess(connection, device),
    };
  }
  const taken = await takeGuess(sql, { email_hash, now, allowed: OF_STRANGERS, step_seconds: STEP_SECONDS });
  if (!taken) throw new DomainError("sign_in_limited");
  const giveBack = (connection: Connection) =>
    returnGuess(connection, { email_hash, step_seconds: STEP_SECONDS });
  return { accept: giveBack, giveBack };
}

const KEY_BYTES = 32;
const HASH_BYTES = 16;

/** The keyed hash by which the guesses of an address are counted, so that no address of a stranger is stored. */
export function hashAddress(secrets_key: SecretsKey, email: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee sign-in guesses", KEY_BYTES));
  return createHmac("sha256", key).update(email).digest().subarray(0, HASH_BYTES);
}
