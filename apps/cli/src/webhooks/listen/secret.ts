import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrCreateFile } from "@findersfee/database/embedded/private-file";
import { signatureKey } from "@findersfee/domain/webhooks/deliveries/signature";
import { z } from "zod";
import { makeStateFolder } from "./state-folder.ts";

const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The format that `signingSecret` accepts. */
export const SIGNING_SECRET = `whsec_ and the base64, with its padding, of ${MIN_BYTES} to ${MAX_BYTES} bytes`;

/**
 * A signing secret in the format of endpoints; a lenient decoder would derive a different key than the
 * receiver's.
 */
export function signingSecret(error: string) {
  return z.string().refine(isSigningSecret, { error });
}

function isSigningSecret(text: string): boolean {
  const base64 = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const { length } = signatureKey(text);
  return length >= MIN_BYTES && length <= MAX_BYTES;
}

/**
 * This machine's signing secret for an API key. It is stable, so that the receiver is configured once, and
 * cannot be derived from the key or the file alone.
 */
export async function listenSecret(folder: string, api_key: string): Promise<string> {
  await makeStateFolder(folder);
  const machine_key = await readOrCreateFile(
    join(folder, "listen.key"),
    () => `${randomBytes(32).toString("base64")}\n`,
  );
  const bytes = createHmac("sha256", Buffer.from(machine_key.trim(), "base64"));
  return `whsec_${bytes.update(`listen ${api_key}`).digest("base64")}`;
}
