import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { readingKeys, type SecretsKey } from "../secrets/secrets.ts";

const KEY_BYTES = 32;
const DIGITS = 6;

/** The table of the row that a code is for. */
export type CodeKind = "portal codes" | "payout email codes" | "sign-in codes of payout emails";

/**
 * The six digits that are mailed for a row of `portal_codes` or `payout_email_changes`: computed from its id, so that the worker can write the mail
 * although no table has the code.
 */
export function mailedCode(secrets_key: SecretsKey, id: string, kind: CodeKind = "portal codes"): string {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", `findersfee ${kind}`, KEY_BYTES));
  // 48 of the bits: the remainder favors no code by more than 1 in 10^8.
  const number = createHmac("sha256", key).update(id).digest().readUIntBE(0, 6);
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Whether a typed code is the mailed one, also of a process that still used the other key. */
export function isMailedCode(
  secrets_key: SecretsKey,
  { id, code, kind }: { id: string; code: string; kind?: CodeKind },
): boolean {
  return readingKeys(secrets_key).some((key) => isEqual(code, mailedCode(key, id, kind)));
}

function isEqual(sent: string, right: string): boolean {
  return sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right));
}
