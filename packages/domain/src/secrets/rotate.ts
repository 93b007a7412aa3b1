import type { Database } from "@findersfee/database/postgres/connect";
import { replacePlacedSecret } from "@findersfee/database/stored-secrets";
import { DomainError } from "../errors.ts";
import { beginKeyChange, endKeyChange } from "./key.ts";
import { isReadable, openSecret, type SecretsKey, sealSecret } from "./secrets.ts";
import { type NamedSecret, nameStored, ownerOfStored, storedSecrets } from "./stored.ts";

/** Secrets that were written during a pass are found by the next one. */
const MAX_PASSES = 5;
const NAMED = 1000;

/** The result of a rotation. */
export interface RotationReport {
  /** Secrets that this call encrypted with the new key. */
  re_encrypted: number;
  /** The number of secrets that only the former key decrypts, because they were written during the call. */
  left: number;
  /** How many secrets neither key decrypts; they are left unchanged. */
  damaged: number;
  /** The first 1,000 of these. */
  unreadable: NamedSecret[];
  /** Whether processes start without the former key now. */
  is_finished: boolean;
}

/**
 * Encrypts every stored secret with the new key instead of the former one. Each secret is changed by a
 * statement of its own, and only if nobody changed it since it was read. So the call can be repeated after
 * any interruption, and a secret that is written during it stays. From the first statement on, only processes
 * with both keys start. `finish` ends that when no secret is left.
 *
 * @throws DomainError `invalid_request` when the database belongs to neither key
 */
export async function rotateSecrets(
  database: Database,
  { key, former }: { key: SecretsKey; former: SecretsKey },
  { finish }: { finish: boolean },
): Promise<RotationReport> {
  if (key.equals(former)) {
    throw new DomainError("invalid_request", {
      message: "SECRETS_KEY and SECRETS_KEY_FORMER are the same key. Nothing was changed.",
    });
  }
  if (!(await beginKeyChange(database, { key, former }))) {
    throw new DomainError("invalid_request", {
      message: "Neither SECRETS_KEY nor SECRETS_KEY_FORMER is the key of this database. Nothing was changed.",
    });
  }
  let re_encrypted = 0;
  for (let pass = 0; ; pass++) {
    const found = await reEncrypt(database, { key, former });
    re_encrypted += found.changed;
    const is_last = found.changed + found.left === 0 || pass === MAX_PASSES;
    if (!is_last) continue;
    const is_finished = finish && found.left === 0 && (await endKeyChange(database, { key, former }));
    return {
      re_encrypted,
      left: found.left,
      damaged: found.damaged,
      unreadable: found.unreadable,
      is_finished,
    };
  }
}

interface Pass {
  changed: number;
  left: number;
  damaged: number;
  unreadable: NamedSecret[];
}

async function reEncrypt(
  database: Database,
  { key, former }: { key: SecretsKey; former: SecretsKey },
): Promise<Pass> {
  const pass: Pass = { changed: 0, left: 0, damaged: 0, unreadable: [] };
  for await (const secret of storedSecrets(database)) {
    const owner = ownerOfStored(secret);
    if (isReadable(key, owner, secret.sealed)) continue;
    if (!isReadable(former, owner, secret.sealed)) {
      pass.damaged += 1;
      if (pass.unreadable.length < NAMED) pass.unreadable.push(nameStored(secret));
      continue;
    }
    const replacement = sealSecret(key, owner, openSecret(former, owner, secret.sealed));
    const is_replaced = await replacePlacedSecret(database, secret.place, { ...secret, replacement });
    if (is_replaced) pass.changed += 1;
    else pass.left += 1;
  }
  return pass;
}
