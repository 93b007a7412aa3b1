import type { DueDelivery } from "@findersfee/database/webhooks/pending-deliveries";
import type { EndpointQueue } from "../../src/webhooks/endpoint-queue.ts";
import {
  EndpointScheduler,
  SCHEDULER_LIMITS,
  type SchedulerLimits,
} from "../../src/webhooks/endpoint-scheduler.ts";
import type { Verdict } from "../../src/webhooks/outcome.ts";

export const SHARD = 7;

/** An attempt in flight. */
interface Attempt {
  queue: EndpointQueue;
  delivery: DueDelivery;
  end: (verdict: Verdict) => void;
}

/** A scheduler with attempts that the test ends. */
export class Trial {
  /** Attempts in flight, oldest first. */
  readonly attempts: Attempt[] = [];
  /** The endpoint of each attempt, in the order of their starts. */
  readonly started: string[] = [];
  readonly scheduler: EndpointScheduler;
  #events = 0;

  constructor(limits: Partial<SchedulerLimits>) {
    // Fresh and slow attempts depend on time, so they are unlimited here.
    this.scheduler = new EndpointScheduler((queue, delivery) => this.#send(queue, delivery), {
      ...SCHEDULER_LIMITS,
      recent_starts: 1_000_000,
      slow_milliseconds: Number.POSITIVE_INFINITY,
      ...limits,
    });
  }

  /** Adds deliveries to an endpoint; `a1` is an endpoint of organization `a`. */
  add(endpoint_id: string, count: number): EndpointQueue {
    const key = { organization_id: endpoint_id.charAt(0), endpoint_id };
    const queue = this.scheduler.open({ shard: SHARD, ...key });
    for (let number = 0; number < count; number++) {
      this.#events += 1;
      this.scheduler.add(queue, {
        ...key,
        event_id: String(this.#events),
        attempts: 0,
        failures: 0,
        manual: false,
        body: "{}",
        traceparent: null,
      });
    }
    return queue;
  }

  /** The number of attempts in flight, optionally of an organization or an endpoint. */
  count(prefix = ""): number {
    return this.attempts.filter(({ queue }) => queue.endpoint_id.startsWith(prefix)).length;
  }

  /** Ends the oldest attempt, optionally of an organization or an endpoint, and records it. */
  async end(succeeded: boolean, prefix = ""): Promise<void> {
    const index = this.attempts.findIndex(({ queue }) => queue.endpoint_id.startsWith(prefix));
    const [attempt] = index === -1 ? [] : this.attempts.splice(index, 1);
    if (attempt === undefined) throw new Error("there is no such attempt");
    attempt.end(succeeded ? "succeeded" : "failed");
    // The scheduler handles the end of an attempt in a promise.
    await new Promise((resolve) => setImmediate(resolve));
    this.scheduler.recorded(attempt.queue, attempt.delivery.event_id);
  }

  #send(queue: EndpointQueue, delivery: DueDelivery): Promise<Verdict> {
    this.started.push(queue.endpoint_id);
    return new Promise((end) => this.attempts.push({ queue, delivery, end }));
  }
}

/** Ids of the first endpoints of an organization. */
export function endpoints(organization: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${organization}${number}`);
}
