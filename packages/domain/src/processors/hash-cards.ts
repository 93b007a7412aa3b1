import { createHmac, hkdfSync } from "node:crypto";
import { storesCards } from "@findersfee/database/campaigns/stored-cards";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { PaymentFact } from "../attribution/facts/payment-fact.ts";
import type { SecretsKey } from "../secrets/secrets.ts";

const KEY_BYTES = 32;
const HASH_BYTES = 16;

/**
 * The stored form of a card: a keyed hash of the processor's fingerprint, which the processor computes for one account. Without
 * the key, fingerprints cannot be tested against it, and those of two organizations cannot be compared.
 */
function hashCard(
  secrets_key: SecretsKey,
  { organization_id, fingerprint }: { organization_id: string; fingerprint: string },
): string {
  const key = Buffer.from(hkdfSync("sha256", secrets_key, "", "findersfee cards", KEY_BYTES));
  const digest = createHmac("sha256", key).update(`${organization_id}\n${fingerprint}`).digest();
  return digest.subarray(0, HASH_BYTES).toString("base64url");
}

/** Reported facts with hashes in place of cards' fingerprints; without cards where no campaign asks for them. */
export async function withHashedCards<Item extends { fact: PaymentFact }>(
  sql: Connection,
  { organization_id, secrets_key }: { organization_id: string; secrets_key: SecretsKey },
  reported: readonly Item[],
): Promise<readonly Item[]> {
  const are_stored = await storesCards(sql, organization_id);
  return reported.map((item) => {
    if (!("card" in item.fact) || item.fact.card === undefined) return item;
    const { card: fingerprint, ...fact } = item.fact;
    const card = are_stored && { card: hashCard(secrets_key, { organization_id, fingerprint }) };
    return { ...item, fact: { ...fact, ...card } };
  });
}
