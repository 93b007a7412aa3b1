import { once } from "node:events";
import { connect } from "node:net";
import { eventually } from "@findersfee/database/testing/eventually";
import { newSigningSecret } from "@findersfee/domain/secrets/secrets";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  memoryDeduplication,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookVerificationError,
} from "../../src/webhooks.ts";
import { FRAMEWORKS, type RunningReceiver } from "./frameworks.ts";
import { post } from "./post.ts";
import { BODY, SECRET, signedDelivery } from "./signed-delivery.ts";

const receivers: RunningReceiver[] = [];

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** The events and errors that a receiver got. */
interface Calls {
  events: { event: WebhookEvent; delivery: WebhookDelivery }[];
  errors: unknown[];
  refused: WebhookVerificationError[];
}

describe.each(Object.entries(FRAMEWORKS))("%s", (_, startFramework) => {
  async function start(
    changes: Partial<WebhookHandlerOptions> = {},
  ): Promise<{ url: string; received: Calls }> {
    const received: Calls = { events: [], errors: [], refused: [] };
    const receiver = await startFramework({
      secret: SECRET,
      onEvent: (event, delivery) => received.events.push({ event, delivery }),
      onError: (error) => received.errors.push(error),
      onRefused: (error) => received.refused.push(error),
      ...changes,
    });
    receivers.push(receiver);
    return { url: receiver.url, received };
  }

  it("handles a delivery", async () => {
    const { url, received } = await start();
    const delivery = signedDelivery({ id: "event-1" });
    expect(await post(url, delivery)).toMatchObject({ status: 204, text: "" });
    expect(received.events).toEqual([
      { event: JSON.parse(BODY), delivery: { id: "event-1", timestamp: expect.any(Date) } },
    ]);
    const timestamp = received.events[0]?.delivery.timestamp.getTime() ?? 0;
    expect(String(timestamp / 1000)).toBe(delivery.headers["webhook-timestamp"]);
  });

  it("handles a body that arrives byte by byte, and a large one", async () => {
    const { url, received } = await start();
    expect(await post(url, signedDelivery(), { chunk_bytes: 1 })).toMatchObject({ status: 204 });
    const large = JSON.stringify({ type: "referral.created", data: { note: "✓".repeat(200_000) } });
    expect(await post(url, signedDelivery({ body: large }))).toMatchObject({ status: 204 });
    expect(await post(url, signedDelivery({ body: large }), { chunk_bytes: 70_001 })).toMatchObject({
      status: 204,
    });
    expect(received.events.map(({ event }) => event)).toEqual(
      [BODY, large, large].map((body) => JSON.parse(body)),
    );
  });

  it("rejects unverifiable requests with a reason", async () => {
    const { url, received } = await start();
    const { body, headers } = signedDelivery();
    const changed = await post(url, { body: body.replace("30.5", "99.5"), headers });
    expect(changed).toMatchObject({ status: 400, text: expect.stringMatching(/^no_match: /) });
    expect(changed.headers["content-type"]).toBe("text/plain; charset=utf-8");
    const old = signedDelivery({ timestamp: 1_700_000_000 });
    expect(await post(url, old)).toMatchObject({ text: expect.stringMatching(/^timestamp_too_old: /) });
    expect(await post(url, { body, headers: {} })).toMatchObject({ status: 400 });
    expect(await post(url, { body: "", headers })).toMatchObject({ status: 400 });
    expect(received.refused.map(({ code }) => code)).toEqual([
      "no_match",
      "timestamp_too_old",
      "missing_header",
      "invalid_body",
    ]);
    expect(received).toMatchObject({ events: [], errors: [] });
  });

  it("responds 500 when handling fails, so that the event is retried", async () => {
    const failure = new Error("database unavailable");
    const onEvent = vi.fn<() => unknown>().mockImplementationOnce(() => {
      throw failure;
    });
    onEvent.mockRejectedValueOnce(failure);
    const { url, received } = await start({ onEvent });
    const delivery = signedDelivery();
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, text } = await post(url, delivery);
      expect(status).toBe(500);
      expect(text).not.toContain("database");
    }
    expect(received.errors).toEqual([failure, failure]);
    expect(await post(url, delivery)).toMatchObject({ status: 204 });
  });

  it("responds 500 when its own secret is invalid", async () => {
    const { url, received } = await start({ secret: "" });
    expect(await post(url, signedDelivery())).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^invalid_secret: .*environment variable/),
    });
    expect(received.errors).toMatchObject([{ code: "invalid_secret" }]);
  });

  it("responds 413 to an oversized body, with or without Content-Length", async () => {
    const { url, received } = await start({ maxBodyBytes: 1000 });
    const large = signedDelivery({ body: JSON.stringify({ type: "x", data: "a".repeat(2000) }) });
    expect(await post(url, large)).toMatchObject({ status: 413 });
    expect(await post(url, large, { chunk_bytes: 900 })).toMatchObject({ status: 413 });
    expect(await post(url, signedDelivery())).toMatchObject({ status: 204 });
    expect(received.events).toHaveLength(1);
  });

  it("calls the function for each type and skips other types", async () => {
    const created = vi.fn();
    const { url } = await start({ onEvent: { "commission.created": created } });
    expect(await post(url, signedDelivery({ id: "event-2" }))).toMatchObject({ status: 204 });
    for (const type of ["affiliate.created", "payout.paid", "constructor", 5]) {
      const body = JSON.stringify({ type, data: {} });
      expect(await post(url, signedDelivery({ body }))).toMatchObject({ status: 204 });
    }
    expect(created.mock.calls).toEqual([[JSON.parse(BODY), expect.objectContaining({ id: "event-2" })]]);
  });

  it("accepts the old and the new secret during a rotation", async () => {
    const next = newSigningSecret();
    const { url, received } = await start({ secret: [SECRET, next] });
    for (const secrets of [[SECRET], [next, SECRET], [next]])
      expect(await post(url, signedDelivery({ secrets }))).toMatchObject({ status: 204 });
    expect(received.events).toHaveLength(3);
  });

  it("handles an event once, even with concurrent copies, and again after a failure", async () => {
    let fail = (_: Error) => {};
    const first_handling = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const onEvent = vi.fn(async () => await first_handling);
    const { url, received } = await start({ onEvent, deduplication: memoryDeduplication() });
    const delivery = signedDelivery();
    const first = post(url, delivery);
    await eventually(() => expect(onEvent).toHaveBeenCalledTimes(1));
    expect(await post(url, delivery)).toMatchObject({ status: 503, headers: { "retry-after": "10" } });
    fail(new Error("no luck"));
    expect(await first).toMatchObject({ status: 500 });
    onEvent.mockResolvedValue(undefined);
    for (let copy = 0; copy < 3; copy++) expect(await post(url, delivery)).toMatchObject({ status: 204 });
    expect(onEvent).toHaveBeenCalledTimes(2);
    expect(received.errors).toHaveLength(1);
  });

  it("survives a truncated body", async () => {
    const { url, received } = await start();
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("POST /hooks HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{");
    await eventually(() => expect(socket.bytesWritten).toBeGreaterThan(0));
    socket.resetAndDestroy();
    expect(await post(url, signedDelivery())).toMatchObject({ status: 204 });
    expect(received.events).toHaveLength(1);
  });
});
