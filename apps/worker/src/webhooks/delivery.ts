import type { Database } from "@findersfee/database/connect";
import { disableGoneEndpoint } from "@findersfee/domain/webhooks/disable-endpoints";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "../config.ts";
import { type AttemptParts, attempt } from "./attempt.ts";
import { DeliveryFigures } from "./figures.ts";
import type { Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { Lease } from "./lease.ts";
import { Listener } from "./listener.ts";
import { ProxyHealth } from "./proxy-health.ts";
import { Reader } from "./reader.ts";
import { Recorder } from "./recorder.ts";
import { createSender, type Sender } from "./send.ts";
import { ShardOwners } from "./shard-owners.ts";

/** An attempt that is still under way after so long is broken off, and so counts as failed. */
const DRAIN_MILLISECONDS = 16_000;

export interface DeliveryHooks {
  database: Database;
  log: Logger;
  queueWorkerIds: () => string[];
  /** Some organization has new events. */
  onEvents: () => void;
}

/** One worker's deliveries: the shards that it owns, read, sent and recorded. */
export class Delivery {
  readonly owners: ShardOwners;
  readonly #sender: Sender;
  readonly #recorder: Recorder;
  readonly #lease: Lease;
  readonly #lanes: Lanes;
  readonly #reader: Reader;
  readonly #listener: Listener;
  readonly #figures: DeliveryFigures;

  constructor(config: WorkerConfig, { database, log, queueWorkerIds, onEvents }: DeliveryHooks) {
    const { allow_http, allow_private, version, ca, lease_seconds, queue_url, secrets_key } = config;
    this.#sender = createSender({
      allow_http,
      allow_private,
      user_agent_version: version,
      proxy: config.proxy,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#recorder = new Recorder(database, log);
    this.#figures = new DeliveryFigures(database, {
      in_flight: () => this.#lanes.in_flight,
      shards: () => this.owners.tokens.size,
    });
    const parts = this.#attemptParts(database, log);
    this.#lanes = new Lanes((lane, delivery) => attempt(parts, { lane, delivery }));
    this.owners = new ShardOwners({
      database,
      log,
      onOwned: () => this.#reader.scan(),
      release: (shard) => this.#lanes.release(shard),
      isAlive: () => this.#lease.id !== null,
    });
    const { owners } = this;
    this.#lease = new Lease(database, log, {
      lease_seconds,
      queueWorkerIds,
      onRenewed: (workers) => owners.share(workers),
      onLost: () => owners.endAll(),
    });
    this.#reader = new Reader({
      database,
      log,
      lanes: this.#lanes,
      secrets_key,
      tokens: owners.tokens,
      onFenced: (shard) => owners.end(shard),
    });
    this.#listener = new Listener({
      database,
      log,
      url: queue_url,
      limits: config.queue_limits ?? null,
      onOrganizations: (ids) => {
        this.#reader.wake(ids);
        onEvents();
      },
      onMissed: () => this.#reader.scan(),
    });
  }

  get registry(): Registry {
    return this.#figures.registry;
  }

  /** Before the job queue, which runs the jobs that own shards. */
  async start(): Promise<void> {
    await this.#lease.start();
    this.#reader.start();
    this.#listener.start();
  }

  /** `others`: the jobs that own shards, and all others. The lease by which the worker holds them ends after them. */
  async stop(others: Promise<unknown>): Promise<void> {
    this.owners.endAll();
    await Promise.all([this.#reader.stop(), this.#listener.stop()]);
    const timer = setTimeout(() => {
      this.#sender.destroy();
      this.#recorder.hurry();
    }, DRAIN_MILLISECONDS);
    await others;
    clearTimeout(timer);
    await this.#lease.end();
    await this.#sender.close();
  }

  #attemptParts(database: Database, log: Logger): AttemptParts {
    return {
      log,
      sender: this.#sender,
      recorder: this.#recorder,
      figures: this.#figures,
      proxy_health: new ProxyHealth(this.#figures.registry, log),
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
    await disableGoneEndpoint(database, { organization_id, endpoint_id });
  } catch (error) {
    log.error({ err: error, organization_id, endpoint_id }, "an endpoint that is gone could not be disabled");
  }
}
