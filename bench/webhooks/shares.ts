import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { OWN_SHARD, SHARDS } from "@findersfee/database/work/shards";

const LOOK_MILLISECONDS = 100;
const PATIENCE_MILLISECONDS = 120_000;

/** Resolves when this many workers own all shards, each its part. */
export async function areShared(sql: Database, workers: number): Promise<void> {
  const part = Math.ceil(SHARDS / workers);
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const owners = await sql<{ shards: number }[]>`
      select count(*)::int as shards from graphile_worker.jobs
      where task_identifier = ${OWN_SHARD} and locked_by is not null group by locked_by`;
    const owned = owners.reduce((sum, { shards }) => sum + shards, 0);
    if (owned === SHARDS && owners.length === workers && owners.every(({ shards }) => shards <= part)) return;
    if (performance.now() > deadline)
      throw new Error(`the shards are shared as ${owners.map(({ shards }) => shards).join(", ")}`);
    await delay(LOOK_MILLISECONDS);
  }
}
