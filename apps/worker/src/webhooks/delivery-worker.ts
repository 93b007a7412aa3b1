import type { Database } from "@findersfee/database/postgres/connect";
import { disableGoneEndpoint } from "@findersfee/domain/webhooks/endpoints/disable-failing";
import type { WorkTopic } from "@findersfee/domain/work/notify-workers";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "../config.ts";
import type { Shards, ShardUser } from "../work/shards/shards.ts";
import { type AttemptDependencies, attempt } from "./attempt.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { DeliveryLoader } from "./delivery-loader.ts";
import { DeliveryMetrics } from "./delivery-metrics.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { EndpointScheduler } from "./endpoint-scheduler.ts";
import { ProxyHealth } from "./proxy-health.ts";
import { createSender, type Sender } from "./send.ts";

/** An attempt that is still in flight after this long is aborted and counts as failed. */
const DRAIN_MILLISECONDS = 16_000;

export interface DeliveryWorkerDependencies {
  database: Database;
  log: Logger;
  shards: Shards;
}

/** Loads, sends and records the deliveries of the shards that this worker owns. */
export class DeliveryWorker implements ShardUser {
  readonly #sender: Sender;
  readonly #recorder: AttemptRecorder;
  readonly #scheduler: EndpointScheduler;
  readonly #loader: DeliveryLoader;
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
    this.#recorder = new AttemptRecorder(database, log);
    this.#metrics = new DeliveryMetrics(() => this.#scheduler.in_flight);
    const dependencies = this.#attemptDependencies(database, log);
    this.#scheduler = new EndpointScheduler((queue, delivery) => attempt(dependencies, { queue, delivery }));
    this.#loader = new DeliveryLoader({
      database,
      log,
      scheduler: this.#scheduler,
      secrets_key,
      tokens: shards.tokens,
      onFenced: (shard) => shards.lost(shard),
    });
  }

  get registry(): Registry {
    return this.#metrics.registry;
  }

  start(): void {
    this.#loader.start();
  }

  onMissed(): void {
    this.#loader.requestScan();
  }

  onNotified(topic: WorkTopic, organization_ids: readonly string[]): void {
    if (topic === "events") this.#loader.notify(organization_ids);
  }

  /** Starts no more attempts of a shard. Resolves when the results of its attempts are recorded. */
  async release(shard: number): Promise<void> {
    await this.#scheduler.release(shard);
  }

  /** `released`: resolves when the jobs that own shards have ended. Attempts that take longer than 16 s are aborted. */
  async stop(released: Promise<unknown>): Promise<void> {
    await this.#loader.stop();
    const timer = setTimeout(() => {
      this.#sender.destroy();
      this.#recorder.stopRetrying();
    }, DRAIN_MILLISECONDS);
    await released;
    clearTimeout(timer);
    await this.#sender.close();
  }

  #attemptDependencies(database: Database, log: Logger): AttemptDependencies {
    return {
      log,
      sender: this.#sender,
      recorder: this.#recorder,
      metrics: this.#metrics,
      proxy_health: new ProxyHealth(this.#metrics.registry, log),
      onRecorded: (queue, { event_id, next_attempt_in }) => {
        if (next_attempt_in !== null) this.#loader.addDue(queue, next_attempt_in);
        this.#scheduler.recorded(queue, event_id);
      },
      onGone: (queue) => void disableGone(database, { queue, log }),
    };
  }
}

async function disableGone(
  database: Database,
  { queue, log }: { queue: EndpointQueue; log: Logger },
): Promise<void> {
  const { organization_id, endpoint_id } = queue;
  try {
    const owners = await disableGoneEndpoint(database, { organization_id, endpoint_id });
    if (owners === 0) {
      log.warn(
        { organization_id, endpoint_id },
        "disabled an endpoint of an organization without owners to notify",
      );
    }
  } catch (error) {
    log.error(
      { err: error, organization_id, endpoint_id },
      "failed to disable an endpoint that responded with 410",
    );
  }
}
