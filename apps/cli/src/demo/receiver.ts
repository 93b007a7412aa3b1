import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expressHandler, memoryDeduplication, type WebhookEvent } from "@findersfee/sdk/webhooks";

export interface ReceivedEvent {
  /** The `webhook-id`. */
  id: string;
  event: WebhookEvent;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A small webhook receiver, as a subscriber would write it with the SDK. */
export class Receiver {
  /** Verified events, without duplicates. */
  readonly received: ReceivedEvent[] = [];
  /** The reasons of rejected deliveries. */
  readonly refused: string[] = [];
  readonly url: string;
  readonly #server: Server;
  #handler: Handler | null = null;
  #endpoint_id: string | null = null;

  private constructor(server: Server, { port }: AddressInfo) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/webhooks`;
    server.on("request", (request, response) => this.#answer(request, response));
  }

  /** Listens on a free port of this machine. */
  static async listen(): Promise<Receiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the receiver has no port");
    return new Receiver(server, address);
  }

  /** The endpoint that sends to this receiver; null before it exists. */
  get endpoint_id(): string | null {
    return this.#endpoint_id;
  }

  /** Starts accepting deliveries of an endpoint. */
  expect({ id, secret }: { id: string; secret: string }): void {
    this.#endpoint_id = id;
    this.#handler = expressHandler({
      secret,
      onEvent: (event, { id }) => {
        this.received.push({ id, event });
      },
      deduplication: memoryDeduplication(),
      onRefused: ({ message }) => {
        this.refused.push(message);
      },
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#handler === null) response.writeHead(503).end();
    else void this.#handler(request, response);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
