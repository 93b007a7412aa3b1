import type { Delivery } from "@findersfee/contract/webhooks/deliveries";
import type { Context } from "@findersfee/domain/context";
import { makeContext, recordEvents } from "@findersfee/domain/testing/subscriber";
import { getDelivery } from "@findersfee/domain/webhooks/deliveries/get";
import { listDeliveries } from "@findersfee/domain/webhooks/deliveries/list";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import type { Received } from "../receiver.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import type { Answer, Stage } from "./stage.ts";

const POLICY = { secrets_key: SECRETS_KEY, allow_http: true, allow_private: true };
/** Events that are recorded at once. */
const AT_ONCE = 5;
const NOT_DONE = 3;

let subscribers = 0;

/** An organization with an endpoint, and the requests that the endpoint got. */
export class Subscriber {
  readonly context: Context;
  readonly endpoint_id: string;
  readonly requests: Received[];
  /** Events that it has to get. */
  readonly events: string[] = [];
  /** Deliveries that were found done, with their attempts logged. */
  readonly #done = new Set<string>();

  private constructor(context: Context, endpoint_id: string, requests: Received[]) {
    this.context = context;
    this.endpoint_id = endpoint_id;
    this.requests = requests;
  }

  /** By default the endpoint answers 204 at once. */
  static async create(
    stage: Stage,
    answer: Answer = (_, response) => response.writeHead(204).end(),
  ): Promise<Subscriber> {
    const context = { ...(await makeContext(stage.database)), notifyWorkers: stage.notifyWorkers };
    const requests: Received[] = [];
    subscribers += 1;
    const url = stage.receive(`/subscribers/${subscribers}`, (request, response) => {
      requests.push(request);
      answer(request, response);
    });
    const endpoint = await createEndpoint(context, POLICY, { url, event_types: null, description: "" });
    return new Subscriber(context, endpoint.id, requests);
  }

  async record(count: number): Promise<void> {
    const parts = Array.from({ length: AT_ONCE }, (_, part) => Math.ceil((count - part) / AT_ONCE));
    const ids = await Promise.all(parts.map((part) => recordEvents(this.context, part)));
    this.events.push(...ids.flat());
    this.context.notifyWorkers(this.context.organization.id);
  }

  /** Throws unless each event was delivered, and each request is in the log of its delivery's attempts. */
  async check(): Promise<void> {
    const listed = await this.#list();
    const missing = this.events.filter((id) => listed.get(id)?.state !== "delivered");
    if (missing.length > 0) throw new Error(`not delivered: ${this.#describe(missing, listed)}`);
    const unchecked = this.events.filter((id) => !this.#done.has(id));
    await Promise.all(unchecked.map((id) => this.#checkLog(id)));
  }

  async #checkLog(event_id: string): Promise<void> {
    const { endpoint_id } = this;
    const { attempts, attempt_log } = await getDelivery(this.context, { event_id, endpoint_id });
    const requests = this.requests.filter(({ id }) => id === event_id).length;
    const numbers = attempt_log.map(({ number }) => number);
    if (
      requests !== attempts ||
      numbers.join() !== Array.from({ length: attempts }, (_, n) => n + 1).join()
    ) {
      throw new Error(`${requests} requests, and attempts ${numbers.join()} of ${attempts} in the log`);
    }
    if (attempt_log.at(-1)?.status !== 204) throw new Error("the last attempt in the log did not succeed");
    this.#done.add(event_id);
  }

  async #list(): Promise<Map<string, Delivery>> {
    const listed = new Map<string, Delivery>();
    for (let cursor: string | undefined; ; ) {
      const { data, pagination } = await listDeliveries(this.context, {
        endpoint_id: this.endpoint_id,
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const delivery of data) listed.set(delivery.event_id, delivery);
      if (pagination.next_cursor === null) return listed;
      cursor = pagination.next_cursor;
    }
  }

  #describe(ids: string[], listed: Map<string, Delivery>): string {
    const first = ids.slice(0, NOT_DONE).map((id) => {
      const { state, attempts, next_attempt_at } = listed.get(id) ?? {};
      return `${id} is ${state} after ${attempts} attempts, next at ${next_attempt_at}`;
    });
    return `${ids.length} of ${this.events.length} (${first.join("; ")})`;
  }
}
