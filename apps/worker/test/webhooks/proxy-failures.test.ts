import { eventually } from "@findersfee/database/testing/eventually";
import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import { describe, expect, it } from "vitest";
import type { SenderOptions } from "../../src/webhooks/send.ts";
import { isAlone } from "../raw-server.ts";
import { ProxyServer } from "./proxy-server.ts";
import { ca, DELIVERED, FAILED, KEY, OK, proxyServer, saying, through } from "./proxying.ts";
import { OPEN, send, server, TIMEOUT } from "./sending.ts";

describe("a proxy that", () => {
  const SHORT = { timeout_milliseconds: TIMEOUT };

  /** One attempt at a receiver that must not be reached. */
  async function attemptThrough(
    proxy: { origin: string },
    scheme = "http",
    options: Partial<SenderOptions> = {},
  ) {
    const target = await server(OK);
    const outcome = await send(
      through(proxy, {}, { ca, ...options }),
      `${scheme}://localhost:${target.port}/`,
    );
    expect(target.connections).toBe(0);
    return outcome;
  }

  it.each([
    ["400 Bad Request", "proxy"],
    ["403 Forbidden", "proxy"],
    ["407 Proxy Authentication Required", "proxy"],
    ["410 Gone", "proxy"],
    ["429 Too Many Requests\r\nretry-after: 60", "proxy"],
    ["500 Internal Server Error", "proxy"],
    ["302 Found\r\nlocation: http://127.0.0.1/", "proxy"],
    ["502 Bad Gateway", "refused"],
    ["503 Service Unavailable", "refused"],
    ["504 Gateway Timeout", "timeout"],
    ["503 Service Unavailable\r\nx-squid-error: ERR_CONNECT_FAIL 111", "refused"],
    ["502 Bad Gateway\r\nx-smokescreen-error: Failed to resolve remote hostname", "refused"],
    ["502 Bad Gateway\r\nproxy-status: proxy; error=destination_unavailable", "refused"],
    ["502 Bad Gateway\r\nproxy-status: proxy; error=proxy_internal_error", "proxy"],
    ["503 Service Unavailable\r\nretry-after: 120", "proxy"],
  ])("responds with %s delivers nothing", async (line, error_code) => {
    for (const scheme of ["http", "https"]) {
      const proxy = await saying(`HTTP/1.1 ${line}\r\ncontent-length: 6\r\n\r\nsecret`);
      const outcome = await attemptThrough(proxy, scheme);
      const [status] = line.split("\r\n");
      expect(outcome).toMatchObject({
        ...FAILED,
        error_code,
        error_message: expect.stringContaining(`the webhook proxy answered ${status} to CONNECT `),
      });
      await isAlone(proxy);
    }
  });

  it.each([
    ["", "UND_ERR_SOCKET"],
    ["nonsense\r\n\r\n", "its answer is not HTTP"],
    ["HTTP/1.1 20", "UND_ERR_SOCKET"],
    [`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}`, "UND_ERR_HEADERS_OVERFLOW"],
  ])("responds with %j fails", async (text, why) => {
    const proxy = await saying(text);
    expect(await attemptThrough(proxy)).toMatchObject({
      ...FAILED,
      error_code: "proxy",
      error_message: expect.stringMatching(
        new RegExp(`^the webhook proxy opened no tunnel to \\S+:\\d+: ${why}$`),
      ),
    });
    await isAlone(proxy);
  });

  it("is down fails without revealing its address", async () => {
    const proxy = await ProxyServer.start();
    const { origin } = proxy;
    await proxy.close();
    const outcome = await attemptThrough({ origin });
    expect(outcome).toMatchObject({
      ...FAILED,
      error_code: "proxy",
      error_message: expect.stringMatching(/: ECONNREFUSED$/),
    });
    expect(outcome.error_message).not.toContain(new URL(origin).port);
    expect(
      await attemptThrough({ origin: "http://no-such-proxy.invalid:3128" }, "http", SHORT),
    ).toMatchObject({
      ...FAILED,
      error_code: "proxy",
    });
  });

  it("recovers is used again", async () => {
    const proxy = await saying("HTTP/1.1 500 Oops\r\n\r\n");
    const target = await server(OK);
    const sending = through(proxy);
    const url = `http://127.0.0.1:${target.port}/`;
    expect(await send(sending, url)).toMatchObject({ error_code: "proxy" });
    proxy.refusal = null;
    expect(await send(sending, url)).toMatchObject(DELIVERED);
  });

  it("waits for one receiver and serves others times out only that receiver", async () => {
    const proxy = await proxyServer();
    const [silent, target] = [await server(OK), await server(OK)];
    proxy.refusal = (authority) => (authority.endsWith(`:${silent.port}`) ? () => {} : null);
    const sending = through(proxy, {}, { timeout_milliseconds: 3 * TIMEOUT });
    const outcome = send(sending, `http://127.0.0.1:${silent.port}/`);
    await eventually(() => expect(proxy.asked).toHaveLength(1));
    expect(await send(sending, `http://127.0.0.1:${target.port}/`)).toMatchObject(DELIVERED);
    expect(await outcome).toMatchObject({ ...FAILED, error_code: "timeout" });
  });

  it("hangs is timed out without leaving connections", async () => {
    const proxy = await proxyServer();
    proxy.refusal = () => () => {};
    expect(await attemptThrough(proxy, "http", SHORT)).toMatchObject({
      ...FAILED,
      error_code: "proxy",
      error_message: expect.stringMatching(
        /^the webhook proxy opened no tunnel to \S+: no answer within 667 ms$/,
      ),
    });
    await isAlone(proxy);
  });

  it("opens a hanging tunnel is timed out without leaving connections", async () => {
    const proxy = await proxyServer();
    proxy.refusal = () => (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n");
    for (const scheme of ["http", "https"]) {
      expect(await attemptThrough(proxy, scheme, SHORT)).toMatchObject({ ...FAILED, error_code: "timeout" });
      await isAlone(proxy);
    }
  });

  it("closes a tunnel during the handshake fails with a TLS error", async () => {
    const proxy = await proxyServer();
    proxy.refusal = () => (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n");
    expect(await attemptThrough(proxy, "https")).toMatchObject({ ...FAILED, error_code: "tls" });
  });

  it("has an untrusted certificate fails", async () => {
    for (const cert of ["expired", "self-signed", "wrong-host"] as const) {
      const proxy = await proxyServer({ key: KEY, cert: readCertificate(`${cert}.pem`) });
      expect(await attemptThrough(proxy, "https")).toMatchObject({ ...FAILED, error_code: "proxy" });
      expect(proxy.asked).toEqual([]);
    }
  });

  it("hangs in its own TLS handshake fails", async () => {
    const silent = await server(() => {});
    const outcome = await attemptThrough({ origin: `https://localhost:${silent.port}` }, "http", SHORT);
    expect(outcome).toMatchObject({ delivered: false, status: null });
    expect(["proxy", "timeout"]).toContain(outcome.error_code);
    await silent.isAlone();
  });
});

it("aborts an opening tunnel when it is destroyed", async () => {
  const proxy = await proxyServer();
  proxy.refusal = () => () => {};
  const sending = through(proxy, {}, { ...OPEN, timeout_milliseconds: 60_000 });
  const sent = send(sending, "http://127.0.0.1:8080/");
  await eventually(() => expect(proxy.asked).toHaveLength(1));
  await sending.close();
  expect(await sent).toMatchObject({ delivered: false });
  await isAlone(proxy);
});
