import type { Database } from "@findersfee/database/connect";
import { disableGoneEndpoint } from "@findersfee/domain/webhooks/disable-endpoints";
import type { WorkTopic } from "@findersfee/domain/work/notify-workers";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "../config.ts";
import type { Shards, ShardUser } from "../shards/shards.ts";
import { type AttemptParts, attempt } from "./attempt.ts";
import { DeliveryMetrics } from "./delivery-metrics.ts";
import type { Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { ProxyHealth } from "./proxy-health.ts";
import { Reader } from "./reader.ts";
import { Recorder } from "./recorder.ts";
import { createSender, type Sender } from "./send.ts";

/** An attempt that is still under way after so long is broken off, and so counts as failed. */
const DRAIN_MILLISECONDS = 16_000;

export interface DeliveryWorkerDependencies {
  database: Database;
  log: Logger;
  shards: Shards;
}

/** One worker's deliveries: those of the owned shards, read, sent and recorded. */
export class DeliveryWorker implements ShardUser {
  readonly #sender: Sender;
  readonly #recorder: Recorder;
  readonly #lanes: Lanes;
  readonly #reader: Reader;
  readonly #metrics: DeliveryMetrics;

  constructor(config: WorkerConfig, { database, log, shards }: DeliveryWorkerDependencies) {
    const { allow_http, allow_private, version, ca, secrets_key } = config;
    this.#sender = createSender({
      allow_http,
      allow_private,
      user_agent_version: version,
      proxy: config.proxy,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#recorder = new Recorder(database, log);
    this.#metrics = new DeliveryMetrics(() => this.#lanes.in_flight);
    const parts = this.#attemptParts(database, log);
    this.#lanes = new Lanes((lane, delivery) => attempt(parts, { lane, delivery }));
    this.#reader = new Reader({
      database,
      log,
      lanes: this.#lanes,
      secrets_key,
      tokens: shards.tokens,
      onFenced: (shard) => shards.lost(shard),
    });
  }

  get registry(): Registry {
    return this.#metrics.registry;
  }

  start(): void {
    this.#reader.start();
  }

  onMissed(): void {
    this.#reader.scan();
  }

  onNotified(topic: WorkTopic, organization_ids: readonly string[]): void {
    if (topic === "events") this.#reader.wake(organization_ids);
  }

  /** Begins nothing more for a shard, and resolves when all its attempts are recorded. */
  async release(shard: number): Promise<void> {
    await this.#lanes.release(shard);
  }

  /** `released`: the end of the jobs that own shards. An attempt that takes longer than 16 s until then is broken off. */
  async stop(released: Promise<unknown>): Promise<void> {
    await this.#reader.stop();
    const timer = setTimeout(() => {
      this.#sender.destroy();
      this.#recorder.hurry();
    }, DRAIN_MILLISECONDS);
    await released;
    clearTimeout(timer);
    await this.#sender.close();
  }

  #attemptParts(database: Database, log: Logger): AttemptParts {
    return {
      log,
      sender: this.#sender,
      recorder: this.#recorder,
      metrics: this.#metrics,
      proxy_health: new ProxyHealth(this.#metrics.registry, log),
      onRecorded: (lane, { event_id, next_attempt_in }) => {
        if (next_attempt_in !== null) this.#reader.dueIn(lane, next_attempt_in);
        this.#lanes.recorded(lane, event_id);
      },
      onGone: (lane) => void disableGone(database, { lane, log }),
    };
  }
}

async function disableGone(database: Database, { lane, log }: { lane: Lane; log: Logger }): Promise<void> {
  const { organization_id, endpoint_id } = lane;
  try {
    const owners = await disableGoneEndpoint(database, { organization_id, endpoint_id });
    if (owners === 0) {
      log.warn(
        { organization_id, endpoint_id },
        "disabled an endpoint of an organization with no owner to notify",
      );
    }
  } catch (error) {
    log.error({ err: error, organization_id, endpoint_id }, "an endpoint that is gone could not be disabled");
  }
}
