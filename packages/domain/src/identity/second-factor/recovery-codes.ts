import { hash, randomBytes } from "node:crypto";
import { replaceRecoveryCodes } from "@findersfee/database/identity/second-factors";
import type { Connection } from "@findersfee/database/postgres/connect";
import { base32 } from "./totp.ts";

const CODES = 10;
/** 80 bits, so a fast hash protects them. */
const CODE_BYTES = 10;
const CODE = /^[A-Z2-7]{16}$/;

/** Replaces a user's recovery codes; returns the new ones, which are shown once. */
export async function renewRecoveryCodes(sql: Connection, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)));
  await replaceRecoveryCodes(
    sql,
    user_id,
    codes.map((code) => hashRecoveryCode(user_id, code)),
  );
  return codes.map((code) => code.replace(/^(.{4})(.{4})(.{4})(.{4})$/, "$1-$2-$3-$4").toLowerCase());
}

/** A recovery code as typed, in its stored form; null: it is none. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return CODE.test(code) ? code : null;
}

export function hashRecoveryCode(user_id: string, code: string): Buffer {
  return hash("sha256", `${user_id}:${code}`, "buffer");
}
