import express, { type RequestHandler } from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Deduplication,
  expressHandler,
  fastifyPlugin,
  fetchHandler,
  memoryDeduplication,
  type WebhookHandlerOptions,
} from "../../src/webhooks.ts";
import { listen, type RunningReceiver, serveFetch } from "./frameworks.ts";
import { post } from "./post.ts";
import { BODY, SECRET, signedDelivery } from "./signed-delivery.ts";

const receivers: RunningReceiver[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** Sends a delivery to a receiver, which is closed after the test. */
async function postTo(starting: Promise<RunningReceiver>, delivery = signedDelivery()) {
  const receiver = await starting;
  receivers.push(receiver);
  return await post(receiver.url, delivery);
}

function recordingOptions(changes: Partial<WebhookHandlerOptions> = {}) {
  const onEvent = vi.fn();
  const onError = vi.fn();
  return { onEvent, onError, options: { secret: SECRET, onEvent, onError, ...changes } };
}

describe("Express", () => {
  function behind(middleware: RequestHandler, options: WebhookHandlerOptions): Promise<RunningReceiver> {
    const app = express();
    app.use(middleware);
    app.use("/hooks", expressHandler(options));
    return listen(app);
  }

  it("explains mounting order behind express.json()", async () => {
    const { onEvent, onError, options } = recordingOptions();
    expect(await postTo(behind(express.json(), options))).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^parsed_body: .*before express\.json\(\)/),
    });
    expect(onError.mock.calls).toMatchObject([[{ code: "parsed_body" }, null]]);
    expect(onEvent).not.toHaveBeenCalled();
  });

  it("explains when the stream was already read", async () => {
    const drain: RequestHandler = (request, _, next) => void request.resume().once("end", () => next());
    const { options } = recordingOptions();
    expect(await postTo(behind(drain, options))).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^body_used: /),
    });
  });

  it("uses the body from express.text() or the platform", async () => {
    const keep: RequestHandler[] = [
      express.text({ type: "*/*" }),
      express.json({
        verify: (request, _, bytes) => {
          Object.assign(request, { rawBody: bytes });
        },
      }),
    ];
    for (const middleware of keep) {
      const { onEvent, options } = recordingOptions();
      expect(await postTo(behind(middleware, options))).toMatchObject({ status: 204 });
      expect(onEvent).toHaveBeenCalledWith(JSON.parse(BODY), expect.anything());
    }
  });

  it("reads the body itself when a parser leaves an empty object, as in Express 4", async () => {
    const leave: RequestHandler = (request, _, next) => {
      request.body = {};
      next();
    };
    expect(await postTo(behind(leave, recordingOptions().options))).toMatchObject({ status: 204 });
  });
});

describe("Fastify", () => {
  it("parses the bodies of other routes as before", async () => {
    const app = fastify();
    const { onEvent, options } = recordingOptions();
    app.post("/before", async (request) => request.body);
    app.register(fastifyPlugin({ path: "/hooks", ...options }), { prefix: "/in" });
    app.post("/behind", async (request) => request.body);
    const { body, headers } = signedDelivery();
    const inject = (url: string) => app.inject({ method: "POST", url, headers, payload: body });
    for (const url of ["/before", "/behind"]) expect((await inject(url)).json()).toEqual(JSON.parse(BODY));
    expect((await inject("/in/hooks")).statusCode).toBe(204);
    expect(onEvent).toHaveBeenCalledTimes(1);
    await app.close();
  });

  it("logs errors when there is no onError", async () => {
    const lines: string[] = [];
    const app = fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } });
    app.register(fastifyPlugin({ path: "/hooks", secret: SECRET, onEvent: () => Promise.reject("no luck") }));
    const { body, headers } = signedDelivery({ id: "event-3" });
    const { statusCode } = await app.inject({ method: "POST", url: "/hooks", headers, payload: body });
    expect(statusCode).toBe(500);
    const logged = lines.map((line) => JSON.parse(line)).find(({ event_id }) => event_id === "event-3");
    expect(logged).toMatchObject({ level: 50, err: "no luck" });
    await app.close();
  });
});

describe("Hono and route handlers", () => {
  it("explain when middleware already read the body", async () => {
    const app = new Hono();
    const { options, onError } = recordingOptions();
    const handler = fetchHandler(options);
    app.use(async (context, next) => {
      await context.req.text();
      await next();
    });
    app.post("/hooks", (context) => handler(context.req.raw));
    expect(await postTo(serveFetch(app.fetch))).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^body_used: .*before it reached this handler/),
    });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("explain when another reader has locked the body", async () => {
    const request = new Request("http://localhost/hooks", { method: "POST", ...signedDelivery() });
    request.body?.getReader();
    const answer = await fetchHandler(recordingOptions().options)(request);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringMatching(/^body_used: /)]);
  });

  it("respond 405 to methods other than POST, and 400 to a POST without a body", async () => {
    const handler = fetchHandler(recordingOptions().options);
    const got = await handler(new Request("http://localhost/hooks"));
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const { headers } = signedDelivery();
    const posted = await handler(new Request("http://localhost/hooks", { method: "POST", headers }));
    expect(posted.status).toBe(400);
  });
});

describe("errors", () => {
  const request = () => new Request("http://localhost/hooks", { method: "POST", ...signedDelivery() });
  const failing = () => Promise.reject(new Error("no luck"));

  it("go to the console without onError, or when onError fails", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const { status } = await fetchHandler({ secret: SECRET, onEvent: failing })(request());
    expect(status).toBe(500);
    expect(written).toHaveBeenCalledTimes(1);
    await fetchHandler({ secret: SECRET, onEvent: failing, onError: failing })(request());
    expect(written).toHaveBeenCalledTimes(3);
  });

  it("from onRefused do not change the response", async () => {
    const { options, onError } = recordingOptions({ onRefused: failing });
    const { status } = await fetchHandler(options)(
      new Request("http://localhost", { method: "POST", body: "{}" }),
    );
    expect(status).toBe(400);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("from a claim reject the delivery; errors after handling do not", async () => {
    const store = memoryDeduplication();
    const attempts: [Partial<Deduplication>, number, number][] = [
      [{ claim: failing as never }, 500, 0],
      [{ claim: (() => true) as never }, 500, 0],
      [{ complete: failing }, 204, 1],
    ];
    for (const [broken, status, handled] of attempts) {
      const { options, onError, onEvent } = recordingOptions({ deduplication: { ...store, ...broken } });
      expect((await fetchHandler(options)(request())).status).toBe(status);
      expect(onError).toHaveBeenCalledTimes(1);
      expect(onEvent).toHaveBeenCalledTimes(handled);
    }
    const { options, onError } = recordingOptions({
      onEvent: failing,
      deduplication: { ...store, release: failing },
    });
    expect((await fetchHandler(options)(request())).status).toBe(500);
    expect(onError).toHaveBeenCalledTimes(2);
  });
});
