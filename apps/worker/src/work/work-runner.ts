import type { Database } from "@findersfee/database/postgres/connect";
import type { WorkKind } from "@findersfee/database/work/due-work";
import type { WorkTopic } from "@findersfee/domain/work/notify-workers";
import type { Logger } from "pino";
import type { Consumer } from "./consumer.ts";
import { ConsumerLoop } from "./consumer-loop.ts";
import type { Shards, ShardUser } from "./shards/shards.ts";
import type { WorkMetrics } from "./work-metrics.ts";

/** Few events have a mail, and nobody waits for it by the second: many notifications cause one search. */
const EVENTS_APART_MILLISECONDS = 1_000;

export interface WorkRunnerDependencies {
  database: Database;
  log: Logger;
  shards: Shards;
  metrics: WorkMetrics;
}

/** Runs all work of the owned shards beside deliveries: one loop for each consumer. */
export class WorkRunner implements ShardUser {
  readonly #loops = new Map<WorkKind, ConsumerLoop>();

  constructor(consumers: readonly Consumer[], { database, log, shards, metrics }: WorkRunnerDependencies) {
    for (const consumer of consumers) {
      const { kind } = consumer;
      const onResult = metrics.count.bind(metrics, kind);
      this.#loops.set(kind, new ConsumerLoop(consumer, { database, log, shards, onResult }));
    }
  }

  start(): void {
    for (const loop of this.#loops.values()) loop.start();
  }

  /** Begins nothing more; resolves when the open turns have ended, 16 s later at most. */
  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  /** Work of this worker made work of another kind due, for the same organization. */
  offer(kind: WorkKind, organization_id: string): void {
    this.#loops.get(kind)?.offer(organization_id);
  }

  onMissed(): void {
    for (const loop of this.#loops.values()) loop.search(0);
  }

  onNotified(topic: WorkTopic, organization_ids: readonly string[]): void {
    if (topic === "events") this.#loops.get("mails")?.search(EVENTS_APART_MILLISECONDS);
    else for (const id of organization_ids) this.#loops.get(topic)?.notify(id);
  }

  async release(shard: number): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.release(shard)));
  }
}
