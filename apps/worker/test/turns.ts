import type { Database } from "@findersfee/database/postgres/connect";
import { findDueOrganizations, NO_ORGANIZATION } from "@findersfee/database/work/due-work";
import { ALL_SHARDS, takeShard } from "@findersfee/database/work/shards";
import type { Consumer, TurnResult } from "../src/work/consumer.ts";

/** Takes all shards, as the only worker does. */
export async function ownAllShards(database: Database) {
  return await Promise.all(ALL_SHARDS.map((shard) => takeShard(database, shard)));
}

/**
 * Runs a consumer's turns until nothing is due, or those organizations wait that still have due work. Returns the results.
 */
export async function runTurns(
  database: Database,
  consumer: Consumer,
  signal: AbortSignal = new AbortController().signal,
): Promise<TurnResult[]> {
  const owners = await ownAllShards(database);
  const results: TurnResult[] = [];
  const waiting = new Set<string>();
  for (;;) {
    const options = { owners, after: NO_ORGANIZATION, limit: 100 };
    const { organization_ids } = await findDueOrganizations(database, consumer.kind, options);
    const due = organization_ids.filter((id) => !waiting.has(id));
    if (due.length === 0 || signal.aborted) return results;
    for (const organization_id of due) {
      const owner = owners[Number.parseInt(organization_id.slice(-2), 16) % owners.length];
      if (owner === undefined) throw new Error(`no shard for ${organization_id}`);
      const result = await consumer.run({ organization_id, owner, signal });
      results.push(result);
      if (typeof result.next === "object") waiting.add(organization_id);
    }
  }
}
