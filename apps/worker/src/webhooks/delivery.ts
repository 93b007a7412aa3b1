import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/connect";
import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import { cancelClaimed } from "@findersfee/database/delivery-settlement";
import { disableGoneEndpoint } from "@findersfee/domain/webhooks/disable-endpoints";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "../config.ts";
import { attempt } from "./attempt.ts";
import { Dispatcher } from "./dispatcher.ts";
import { DeliveryFigures } from "./figures.ts";
import type { Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { Lease } from "./lease.ts";
import { createSender, type Sender } from "./send.ts";
import { Settler } from "./settler.ts";

/** What is still in flight after so long is broken off, and so counts as failed. */
const DRAIN_MILLISECONDS = 16_000;
/** As long as the database may be away: a delivery that stays claimed would wait for this process's end. */
const CANCEL_TRIES = 120;
const CANCEL_MILLISECONDS = 500;

export interface DeliveryHooks {
  database: Database;
  log: Logger;
  queueWorkerIds: () => string[];
}

/** One worker's deliveries: claim, send, settle. */
export class Delivery {
  readonly #sender: Sender;
  readonly #settler: Settler;
  readonly #lease: Lease;
  readonly #lanes: Lanes;
  readonly #dispatcher: Dispatcher;
  readonly #figures: DeliveryFigures;
  #stopping = false;

  constructor(config: WorkerConfig, { database, log, ...hooks }: DeliveryHooks) {
    const { allow_http, allow_private, version, ca } = config;
    this.#sender = createSender({
      allow_http,
      allow_private,
      user_agent_version: version,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#settler = new Settler(database, log);
    this.#lease = new Lease(database, log, { ...hooks, lease_seconds: config.lease_seconds });
    this.#figures = new DeliveryFigures(database, () => this.#lanes.in_flight);
    const parts = {
      log,
      sender: this.#sender,
      settler: this.#settler,
      figures: this.#figures,
      onDisabled: async (delivery: ClaimedDelivery) => {
        const { worker_id } = delivery;
        for (let tries_left = CANCEL_TRIES; tries_left > 0 && !this.#stopping; tries_left--) {
          try {
            await cancelClaimed(database, { worker_id, deliveries: [delivery] });
            return;
          } catch (error) {
            log.error({ err: error, event_id: delivery.event_id }, "a delivery could not be canceled");
            await delay(CANCEL_MILLISECONDS);
          }
        }
      },
      onGone: (lane: Lane) => {
        lane.endpoint = null;
        const { organization_id, endpoint_id } = lane;
        disableGoneEndpoint(database, { organization_id, endpoint_id }).catch((error: unknown) =>
          log.error(
            { err: error, organization_id, endpoint_id },
            "an endpoint that is gone could not be disabled",
          ),
        );
      },
    };
    this.#lanes = new Lanes(async (lane, delivery) => {
      // The lease has ended meanwhile: others have it.
      if (this.#lease.id !== delivery.worker_id) return false;
      return await attempt(parts, { lane, delivery });
    });
    this.#dispatcher = new Dispatcher({
      database,
      log,
      lease: this.#lease,
      lanes: this.#lanes,
      secrets_key: config.secrets_key,
    });
  }

  get registry(): Registry {
    return this.#figures.registry;
  }

  async start(): Promise<void> {
    await this.#lease.start();
    this.#dispatcher.start();
  }

  /** Tells that something may be due. */
  wake(): void {
    this.#dispatcher.wake();
  }

  /** Its lease, by which the worker holds jobs, too, ends when `others` are over. */
  async stop(others: Promise<void>): Promise<void> {
    this.#stopping = true;
    await this.#dispatcher.stop();
    const timer = setTimeout(() => this.#sender.destroy(), DRAIN_MILLISECONDS);
    await this.#lanes.whenIdle();
    clearTimeout(timer);
    await this.#settler.stop();
    await others;
    await this.#lease.end();
    await this.#sender.close();
  }
}
