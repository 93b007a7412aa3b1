import type { Database } from "@findersfee/database/connect";
import {
  type ClaimedDelivery,
  claimDue,
  claimWaiting,
  giveBack,
  lineUp,
} from "@findersfee/database/delivery-claims";
import { cancelClaimed } from "@findersfee/database/delivery-settlement";
import { endLine, lookAgain, takeLines, takeProbe } from "@findersfee/database/endpoint-health";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { Logger } from "pino";
import { readEndpoints } from "./endpoint.ts";
import type { Lane } from "./lane.ts";
import { probeSeconds } from "./lane.ts";
import type { Lanes } from "./lanes.ts";
import type { Lease } from "./lease.ts";
import { Pace } from "./pace.ts";

/** Deliveries claimed by one statement, at most. */
const CLAIM = 400;
const LINES = 50;
/** A line is looked at again after so long even if the worker that knows of it dies. */
const LINE_SECONDS = 5;

export interface DispatcherParts {
  database: Database;
  log: Logger;
  lease: Lease;
  lanes: Lanes;
  secrets_key: SecretsKey;
}

/**
 * Brings due deliveries from the database to the lanes of their endpoints, as many as there is room for:
 * what a lane has no room for waits in the endpoint's line, out of the way of the others.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #pace = new Pace();
  #running: Promise<void> | null = null;
  #stopping = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    parts.lanes.onRoom = (lane) => this.#onRoom(lane);
  }

  /** Tells that something may be due. */
  wake(): void {
    this.#pace.wake();
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Claims nothing any more, and gives back what has not been begun. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pace.wake();
    await this.#running;
    const { database, lanes, lease, log } = this.#parts;
    const held = lanes.takeQueued();
    if (held.length === 0 || lease.id === null) return;
    await giveBack(database, { worker_id: lease.id, deliveries: held }).catch((error: unknown) =>
      log.warn({ err: error }, "deliveries could not be given back; they are taken over with the lease"),
    );
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const claimed = await this.#claim();
        await this.#pace.pause({ claimed, full: claimed >= CLAIM });
      } catch (error) {
        this.#parts.log.error({ err: error }, "deliveries could not be claimed");
        await this.#pace.pauseAfterError();
      }
    }
  }

  /** Returns how many deliveries were claimed. */
  async #claim(): Promise<number> {
    const { database, lanes, lease } = this.#parts;
    const worker_id = lease.id;
    const limit = Math.min(CLAIM, lanes.room);
    if (worker_id === null) return 0;
    let claimed = 0;
    if (this.#pace.linesAreDue()) {
      await this.#relieve(worker_id);
      if (limit > 0) claimed += await this.#claimLines(worker_id);
    }
    if (limit === 0) return 0;
    const deliveries = await claimDue(database, { worker_id, limit });
    await this.#accept(worker_id, deliveries);
    return claimed + deliveries.length;
  }

  /** Puts claimed deliveries into their lanes, and the rest where it belongs. */
  async #accept(worker_id: string, deliveries: ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { database, lanes, lease } = this.#parts;
    await this.#readEndpoints(deliveries);
    // The claim took longer than the lease: others have what we claimed.
    if (lease.id !== worker_id) return;
    const canceled: ClaimedDelivery[] = [];
    const beyond: ClaimedDelivery[] = [];
    const failing = new Map<Lane, ClaimedDelivery[]>();
    for (const delivery of deliveries) {
      const lane = lanes.of(delivery);
      lane.failures = Math.max(lane.failures, delivery.endpoint_failures);
      if (lane.endpoint?.enabled !== true) canceled.push(delivery);
      else if (lane.is_failing) failing.set(lane, [...(failing.get(lane) ?? []), delivery]);
      else if (lanes.roomOf(lane) > 0) lanes.add(lane, delivery);
      else beyond.push(delivery);
    }
    for (const [lane, waiting] of failing) beyond.push(...(await this.#probe(lane, waiting)));
    if (canceled.length > 0) await cancelClaimed(database, { worker_id, deliveries: canceled });
    if (beyond.length > 0) await this.#lineUp(worker_id, beyond);
  }

  /** Reads those of the endpoints that we do not know as they are now. */
  async #readEndpoints(deliveries: ClaimedDelivery[]): Promise<void> {
    const { database, lanes, secrets_key } = this.#parts;
    const changed = new Set<Lane>();
    for (const delivery of deliveries) {
      const lane = lanes.of(delivery);
      if (delivery.endpoint_version === null) lane.endpoint = null;
      else if (lane.endpoint?.version !== delivery.endpoint_version) changed.add(lane);
    }
    if (changed.size > 0) await readEndpoints(database, secrets_key, [...changed]);
  }

  /** Sends one of a failing endpoint's deliveries if it is time for a probe; returns those that wait. */
  async #probe(lane: Lane, deliveries: ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
    const [first, ...rest] = deliveries;
    if (first === undefined || !lane.is_idle) return deliveries;
    const next_probe_at = inSeconds(probeSeconds(lane.failures));
    if (!(await takeProbe(this.#parts.database, lane, next_probe_at))) return deliveries;
    this.#parts.lanes.add(lane, first);
    return rest;
  }

  async #lineUp(worker_id: string, deliveries: ClaimedDelivery[]): Promise<void> {
    const { database, lanes } = this.#parts;
    for (const delivery of deliveries) lanes.of(delivery).has_line = true;
    await lineUp(database, { worker_id, deliveries, look_again_at: inSeconds(LINE_SECONDS) });
  }

  /** Looks at the lines that nobody has looked at for a while. */
  async #claimLines(worker_id: string): Promise<number> {
    const { database, lanes } = this.#parts;
    const lines = await takeLines(database, { limit: LINES, look_again_at: inSeconds(LINE_SECONDS) });
    let claimed = 0;
    for (const line of lines) {
      const lane = lanes.of(line);
      lane.failures = line.failures === 0 ? 0 : Math.max(lane.failures, line.failures);
      claimed += await this.#claimLine(worker_id, lane);
    }
    return claimed;
  }

  /** Claims from an endpoint's line what its lane has room for; of a failing endpoint, one for a probe. */
  async #claimLine(worker_id: string, lane: Lane): Promise<number> {
    const { database, lanes } = this.#parts;
    if (lane.is_failing) await lookAgain(database, lane, inSeconds(probeSeconds(lane.failures)));
    if (lane.is_failing && !lane.is_idle) return 0;
    const limit = lane.is_failing ? 1 : Math.min(CLAIM, lanes.roomOf(lane), lanes.room);
    if (limit === 0) return 0;
    const deliveries = await claimWaiting(database, lane, { worker_id, limit });
    if (deliveries.length < limit) {
      lane.has_line = false;
      await endLine(database, lane);
    }
    await this.#acceptLine(worker_id, { lane, deliveries });
    return deliveries.length;
  }

  async #acceptLine(
    worker_id: string,
    { lane, deliveries }: { lane: Lane; deliveries: ClaimedDelivery[] },
  ): Promise<void> {
    const { database, lanes, lease } = this.#parts;
    if (deliveries.length === 0) return;
    await this.#readEndpoints(deliveries);
    if (lease.id !== worker_id) return;
    if (lane.endpoint?.enabled === true) {
      for (const delivery of deliveries) lanes.add(lane, delivery);
      return;
    }
    await cancelClaimed(database, { worker_id, deliveries });
    await lookAgain(database, lane, new Date());
  }

  /** What an endpoint that has stopped answering does not get now waits in its line, not with us. */
  async #relieve(worker_id: string): Promise<void> {
    const stalled = this.#parts.lanes.takeStalled();
    if (stalled.length > 0) await this.#lineUp(worker_id, stalled);
  }

  /** A lane has run dry and more waits in its line. */
  #onRoom(lane: Lane): void {
    const worker_id = this.#parts.lease.id;
    if (this.#stopping || worker_id === null || !lane.has_line || lane.is_failing) {
      return;
    }
    lane.has_line = false;
    this.#claimLine(worker_id, lane).then(
      (claimed) => {
        if (claimed > 0) lane.has_line = true;
      },
      (error: unknown) => this.#parts.log.error({ err: error }, "a line could not be claimed"),
    );
  }
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
