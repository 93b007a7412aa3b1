import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { insertUsedChallenge } from "@findersfee/database/identity/passkeys";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { SecretsKey } from "../../secrets/secrets.ts";

const MINUTES = 5;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const MAC_BYTES = 32;

/**
 * The purpose of a challenge: adding a passkey to this user, signing in, or confirming this session. An
 * answer to one is none to another.
 */
export type ChallengePurpose = `register ${string}` | "sign in" | `confirm ${string}`;

/**
 * A new challenge for an authenticator: a nonce, its expiry, and their HMAC. The service stores only answered ones, so
 * a stranger who asks for many writes nothing.
 */
export function newChallenge(secrets_key: SecretsKey, purpose: ChallengePurpose): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(Date.now() + MINUTES * 60_000));
  const head = Buffer.concat([randomBytes(NONCE_BYTES), time]);
  return new Uint8Array(Buffer.concat([head, macOf(secrets_key, purpose, head)]));
}

/** Whether a challenge, in base64url, is one of ours for this purpose and has not expired. */
export function isOpenChallenge(
  secrets_key: SecretsKey,
  purpose: ChallengePurpose,
  challenge: string,
): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString("base64url") !== challenge) {
    return false;
  }
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(NONCE_BYTES + TIME_BYTES), macOf(secrets_key, purpose, head)))
    return false;
  return expiryOf(challenge).getTime() > Date.now();
}

/** Uses an open challenge up; false: it was used before. */
export async function useChallenge(sql: Connection, challenge: string): Promise<boolean> {
  const challenge_hash = hash("sha256", challenge, "buffer");
  return await insertUsedChallenge(sql, { challenge_hash, expires_at: expiryOf(challenge) });
}

function expiryOf(challenge: string): Date {
  return new Date(Number(Buffer.from(challenge, "base64url").readBigUInt64BE(NONCE_BYTES)));
}

function macOf(secrets_key: SecretsKey, purpose: ChallengePurpose, head: Buffer): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee passkey challenges", MAC_BYTES));
  return createHmac("sha256", key).update(head).update(purpose).digest();
}
