import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@findersfee/database/testing/eventually";

const CHECK_MILLISECONDS = 50;

interface Target {
  url: string;
  agent: Agent;
  is_ready: boolean;
}

/**
 * A load balancer: it asks each server again and again whether it is ready, and sends requests in turn to those that are. A request
 * that a server did not accept goes to the next one; one that was sent is never repeated.
 */
export class Balancer {
  readonly #server: Server;
  readonly #targets: Target[] = [];
  readonly #stopped = new AbortController();
  #turn = 0;
  #refused = 0;

  private constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.#server.keepAliveTimeout = 0;
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many requests a server did not accept while it was taken for ready: it stopped listening without a warning. */
  get refused(): number {
    return this.#refused;
  }

  /** Adds a server, and resolves when it is ready. */
  async add(url: string): Promise<void> {
    const target = { url, agent: new Agent({ keepAlive: true }), is_ready: false };
    this.#targets.push(target);
    void this.#check(target);
    await eventually(() => {
      if (!target.is_ready) throw new Error(`${url} is not ready`);
    });
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    for (const { agent } of this.#targets) agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #check(target: Target): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const answer = await fetch(`${target.url}/readyz`, { signal }).catch((error: unknown) => String(error));
      target.is_ready = typeof answer !== "string" && answer.status === 200;
      if (typeof answer !== "string") await answer.arrayBuffer().catch((error: unknown) => String(error));
      await new Promise((resolve) => setTimeout(resolve, CHECK_MILLISECONDS));
    }
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const ready = this.#targets.filter(({ is_ready }) => is_ready);
    this.#turn += 1;
    const order = ready.map((_, index) => ready[(index + this.#turn) % ready.length] as Target);
    this.#send(order, { incoming, outgoing, body: Buffer.concat(chunks) });
  }

  #send(
    [target, ...others]: Target[],
    passed: { incoming: IncomingMessage; outgoing: ServerResponse; body: Buffer },
  ): void {
    const { incoming, outgoing, body } = passed;
    if (target === undefined) {
      outgoing.writeHead(502).end("No server is ready.");
      return;
    }
    const { method, headers } = incoming;
    const sent = request(`${target.url}${incoming.url}`, { method, headers, agent: target.agent });
    sent.on("response", (answer) => {
      const { connection: _connection, "keep-alive": _keep, ...own } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, own);
      answer.pipe(outgoing);
    });
    sent.on("error", (error) => {
      if ("code" in error && error.code === "ECONNREFUSED") {
        this.#refused += 1;
        this.#send(others, passed);
      } else outgoing.writeHead(502).end(String(error));
    });
    sent.end(body);
  }
}
