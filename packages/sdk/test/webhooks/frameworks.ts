import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import {
  expressHandler,
  fastifyPlugin,
  fetchHandler,
  type WebhookHandlerOptions,
} from "../../src/webhooks.ts";

/** A receiver built according to the README, on its own port. */
export interface RunningReceiver {
  /** The URL for deliveries. */
  url: string;
  close: () => Promise<void>;
}

type Start = (options: WebhookHandlerOptions) => Promise<RunningReceiver>;

/** A receiver in each framework. */
export const FRAMEWORKS: Record<string, Start> = {
  "node:http": (options) => listen(expressHandler(options)),
  Express: (options) => {
    const app = express();
    app.post("/hooks", expressHandler(options));
    app.use(express.json());
    return listen(app);
  },
  "Express behind express.raw()": (options) => {
    const app = express();
    app.post("/hooks", express.raw({ type: "*/*", limit: "10mb" }), expressHandler(options));
    return listen(app);
  },
  Fastify: async (options) => {
    const app = fastify();
    app.register(fastifyPlugin({ path: "/hooks", ...options }));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { url: urlOf(app.server.address()), close: () => app.close() };
  },
  Hono: (options) => {
    const app = new Hono();
    const handler = fetchHandler(options);
    app.post("/hooks", (context) => handler(context.req.raw));
    return serveFetch(app.fetch);
  },
  "a route handler": (options) => serveFetch(fetchHandler(options)),
};

export async function listen(listener: RequestListener): Promise<RunningReceiver> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server.address()),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Serves a `Request`/`Response` handler from Node, as Next and Hono do. */
export function serveFetch(
  answer: (request: Request) => Response | Promise<Response>,
): Promise<RunningReceiver> {
  return listen(async (incoming, outgoing) => {
    const { method = "", headers, url } = incoming;
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    const response = await answer(
      new Request(`http://localhost${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        ...(method === "POST" ? { body, duplex: "half" } : {}),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  });
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}/hooks`;
}
