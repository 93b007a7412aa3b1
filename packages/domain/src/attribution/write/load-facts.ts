import { listPaymentFacts, type PaymentFactRow } from "@findersfee/database/attribution/facts";
import type { Connection } from "@findersfee/database/postgres/connect";
import {
  type FactSource,
  factSources,
  readSnapshot,
  readStoredFact,
  type StoredFact,
} from "../facts/stored-fact.ts";

/** The facts reported earlier. */
export async function loadFacts(
  sql: Connection,
  organizationId: string,
  customer_ids: string[],
): Promise<Map<string, StoredFact[]>> {
  const rows = await listPaymentFacts(sql, organizationId, customer_ids);
  const facts = new Map(customer_ids.map((id) => [id, [] as StoredFact[]]));
  for (const row of rows) facts.get(row.customer_id)?.push(storedFact(row));
  return facts;
}

function storedFact({ processor, message_id, data, snapshot, lookup }: PaymentFactRow): StoredFact {
  return {
    processor: readSource(processor),
    message_id,
    fact: readStoredFact(data),
    snapshot: readSnapshot(snapshot),
    lookup,
  };
}

function readSource(name: string): FactSource {
  const known = factSources.find((item) => item === name);
  if (known === undefined) throw new Error(`stored payment fact has an unknown source: ${name}`);
  return known;
}
