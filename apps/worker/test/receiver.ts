import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@findersfee/database/testing/eventually";

/** A request that a receiver got. */
export interface Received {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A subscriber's server that stores requests; it responds 204 by default. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (_, response) => response.writeHead(204).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  url(path = "/webhooks"): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  /** The ids of the events that were received, on a path if one is named. */
  ids(path?: string): string[] {
    return this.received.filter((request) => path === undefined || request.path === path).map(({ id }) => id);
  }

  /** Resolves when this many requests have arrived. */
  async has(count: number): Promise<void> {
    await eventually(
      () => {
        if (this.received.length < count)
          throw new Error(`${this.received.length} of ${count} deliveries have come`);
      },
      { interval: 5 },
    );
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const received: Received = {
      path: request.url ?? "",
      id: headers["webhook-id"] ?? "",
      headers,
      body: Buffer.concat(chunks).toString("utf8"),
      at: Date.now(),
    };
    this.received.push(received);
    this.answer(received, response);
  }
}
