import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { eventually } from "@findersfee/database/testing/eventually";
import { describe, expect, it } from "vitest";
import type { ProxyConfig } from "../src/webhooks/proxy.ts";
import type { SenderOptions } from "../src/webhooks/send.ts";
import { NameServer } from "./name-server.ts";
import { ProxyServer, type Refusal } from "./proxy-server.ts";
import { isAlone } from "./raw-server.ts";
import { afterTest, answer, CLOSED, OPEN, send, sender, server } from "./sending.ts";

const read = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url), "utf8");
const ca = read("ca.pem");
const KEY = read("server.key");
const VALID = { key: KEY, cert: read("valid.pem") };
const PUBLIC = "93.184.216.34";
const OK = answer("200 OK", "ok");
const DELIVERED = { delivered: true, status: 200, response: "ok", error_code: null };
/** What the owner of an endpoint sees of a failed proxy. */
const FAILED = { delivered: false, status: null, response: "", gone: false, retry_after_seconds: null };

async function proxyServer(tls: { key: string; cert: string } | null = null): Promise<ProxyServer> {
  const started = await ProxyServer.start(tls);
  afterTest(() => started.close());
  return started;
}

/** A sender that delivers through a proxy. */
function through(
  { origin }: { origin: string },
  changes: Partial<ProxyConfig> = {},
  options: Partial<SenderOptions> = {},
) {
  return sender({ proxy: { origin, authorization: null, resolves_names: false, ...changes }, ...options });
}

async function names(answers: Parameters<typeof NameServer.start>[0]): Promise<string[]> {
  const started = await NameServer.start(answers);
  afterTest(() => started.close());
  return [started.address];
}

/** A proxy that answers every CONNECT with the same bytes. */
async function saying(text: string): Promise<ProxyServer> {
  const proxy = await proxyServer();
  proxy.refusal = () => (socket) => socket.end(text);
  return proxy;
}

describe("through a proxy", () => {
  it("an http receiver gets an unchanged request in a tunnel", async () => {
    const proxy = await proxyServer();
    let request = "";
    const target = await server((socket, text) => {
      request = text;
      socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    });
    const outcome = await send(through(proxy), `http://127.0.0.1:${target.port}/hooks?x=1`);
    expect(outcome).toMatchObject({ delivered: true, status: 204 });
    expect(proxy.asked).toEqual([`127.0.0.1:${target.port}`]);
    expect(request).toMatch(/^POST \/hooks\?x=1 HTTP\/1\.1\r\n/);
    expect(request).toContain(`\r\nhost: 127.0.0.1:${target.port}\r\n`);
    expect(request.toLowerCase()).not.toContain("proxy");
  });

  it.each([null, VALID])("an https receiver needs a certificate for its name", async (tls) => {
    const proxy = await proxyServer(tls);
    const target = await server(OK, VALID);
    const sending = through(proxy, {}, { ca });
    expect(await send(sending, `https://localhost:${target.port}/`)).toMatchObject(DELIVERED);
    expect(proxy.asked).toEqual([expect.stringMatching(/^(127\.0\.0\.1|\[::1\]):\d+$/)]);
    expect(await send(sending, `https://127.0.0.1:${target.port}/`)).toMatchObject({ error_code: "tls" });
    const other = await server(OK, { key: KEY, cert: read("wrong-host.pem") });
    expect(await send(sending, `https://localhost:${other.port}/`)).toMatchObject({ error_code: "tls" });
    expect(other.requests).toBe(0);
  });

  it("one tunnel serves many requests", async () => {
    const proxy = await proxyServer();
    for (const tls of [null, VALID]) {
      const target = await server(OK, tls);
      const url = `${tls === null ? "http" : "https"}://localhost:${target.port}/`;
      const sending = through(proxy, {}, { ca });
      for (let number = 0; number < 5; number++) {
        expect(await send(sending, url)).toMatchObject(DELIVERED);
        await turn();
        await turn();
      }
      expect(target.requests).toBe(5);
      expect(target.connections).toBe(1);
    }
    expect(proxy.asked).toHaveLength(2);
  });

  it("concurrent receivers get one tunnel each", async () => {
    const proxy = await proxyServer();
    const targets = await Promise.all(
      Array.from({ length: 40 }, (_, number) => server(answer("200 OK", `n${number}`))),
    );
    const sending = through(proxy, {}, { timeout_milliseconds: 10_000 });
    const outcomes = await Promise.all(targets.map(({ port }) => send(sending, `http://127.0.0.1:${port}/`)));
    expect(outcomes.map(({ response }) => response)).toEqual(targets.map((_, number) => `n${number}`));
    expect(new Set(proxy.asked).size).toBe(40);
  });

  it("a closed idle tunnel causes no failure", async () => {
    const proxy = await proxyServer();
    const target = await server((socket) => {
      if (target.requests === 2) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const sending = through(proxy);
    for (let number = 0; number < 2; number++) {
      expect(await send(sending, `http://127.0.0.1:${target.port}/`)).toMatchObject(DELIVERED);
      await turn();
      await turn();
    }
    expect(target.requests).toBe(3);
    expect(proxy.asked).toHaveLength(2);
  });

  it("credentials go to the proxy only", async () => {
    const proxy = await proxyServer();
    const authorization = "Basic dXNlcjpwYXNz";
    proxy.refusal = () =>
      proxy.authorizations.at(-1) === authorization
        ? null
        : (socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let request = "";
    const target = await server((socket, text) => {
      request = text;
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const url = `http://127.0.0.1:${target.port}/`;
    expect(await send(through(proxy, { authorization }), url)).toMatchObject(DELIVERED);
    expect(request.toLowerCase()).not.toMatch(/proxy|dxnl/);
    expect(await send(through(proxy), url)).toMatchObject({
      ...FAILED,
      error_code: "proxy",
      error_message: `the webhook proxy answered 407 Proxy Authentication Required to CONNECT 127.0.0.1:${target.port}`,
    });
    expect(target.requests).toBe(1);
  });
});

describe("the proxy gets", () => {
  const receiver = (port: number) => `http://receiver.example:${port}/`;

  it("the resolved address instead of the name", async () => {
    const proxy = await proxyServer();
    const target = await server(OK);
    const name_servers = await names((_, { type }) => (type === "A" ? [PUBLIC] : ["2606:4700::1"]));
    const sending = through(proxy, {}, { ...CLOSED, name_servers });
    expect(await send(sending, receiver(target.port))).toMatchObject(DELIVERED);
    expect(proxy.asked).toEqual([`${PUBLIC}:${target.port}`]);
  });

  it("an IPv6 address in brackets", async () => {
    const proxy = await proxyServer();
    const target = await server(OK);
    const name_servers = await names(() => ["2606:4700::1"]);
    const sending = through(proxy, {}, { ...CLOSED, name_servers });
    expect(await send(sending, receiver(target.port))).toMatchObject(DELIVERED);
    expect(proxy.asked).toEqual([`[2606:4700::1]:${target.port}`]);
  });

  it.each([["127.0.0.1"], ["10.1.2.3"], ["169.254.169.254"], ["::1"]])(
    "no name with the private address %s",
    async (address) => {
      const proxy = await proxyServer();
      const name_servers = await names(() => [PUBLIC, address]);
      const sending = through(proxy, {}, { ...CLOSED, name_servers });
      expect(await send(sending, receiver(80))).toMatchObject({
        ...FAILED,
        error_code: "blocked_address",
        error_message: expect.stringContaining("receiver.example"),
      });
      expect(proxy.open).toBe(0);
    },
  );

  it("no private address from a URL", async () => {
    const proxy = await proxyServer();
    for (const resolves_names of [false, true]) {
      for (const host of ["127.0.0.1", "169.254.169.254", "[::1]", "localhost", "2130706433"]) {
        const outcome = await send(through(proxy, { resolves_names }, CLOSED), `http://${host}:8080/`);
        expect(outcome).toMatchObject({ ...FAILED, error_code: "blocked_address" });
      }
    }
    expect(proxy.open).toBe(0);
  });

  it("no private name if it resolves names", async () => {
    const proxy = await proxyServer();
    for (const host of ["vault", "vault.", "metadata.google.internal", "printer.local", "a.HOME.arpa."]) {
      const outcome = await send(through(proxy, { resolves_names: true }, CLOSED), `http://${host}:8080/`);
      expect(outcome).toMatchObject({ ...FAILED, error_code: "blocked_address" });
    }
    expect(proxy.open).toBe(0);
  });

  it("no unknown name", async () => {
    const proxy = await proxyServer();
    const sending = through(proxy, {}, { ...CLOSED, name_servers: await names(() => null) });
    expect(await send(sending, receiver(80))).toMatchObject({ ...FAILED, error_code: "dns" });
    expect(proxy.open).toBe(0);
  });

  it("the name if it resolves names", async () => {
    const proxy = await proxyServer();
    const target = await server(OK);
    const name_servers = await names(() => {
      throw new Error("a name was looked up");
    });
    const sending = through(proxy, { resolves_names: true }, { ...CLOSED, name_servers });
    expect(await send(sending, receiver(target.port))).toMatchObject(DELIVERED);
    expect(proxy.asked).toEqual([`receiver.example:${target.port}`]);
  });

  it("the default ports", async () => {
    const proxy = await saying("HTTP/1.1 403 Forbidden\r\n\r\n");
    const sending = through(proxy, { resolves_names: true }, CLOSED);
    await send(sending, "http://receiver.example/");
    await send(sending, "https://receiver.example/");
    expect(proxy.asked).toEqual(["receiver.example:80", "receiver.example:443"]);
  });

  it("the next address if one is unreachable, at most three", async () => {
    const proxy = await proxyServer();
    const target = await server(OK);
    const addresses = [PUBLIC, "93.184.216.35", "93.184.216.36", "93.184.216.37"];
    const name_servers = await names((_, { type }) => (type === "A" ? addresses : []));
    const unreachable =
      (status: number): Refusal =>
      (socket) =>
        socket.end(`HTTP/1.1 ${status} X\r\n\r\n`);
    proxy.refusal = (authority) => (authority.startsWith(`${PUBLIC}:`) ? unreachable(503) : null);
    const sending = through(proxy, {}, { ...CLOSED, name_servers });
    expect(await send(sending, receiver(target.port))).toMatchObject(DELIVERED);
    expect(proxy.asked).toEqual([`${PUBLIC}:${target.port}`, `93.184.216.35:${target.port}`]);
    proxy.refusal = () => unreachable(504);
    const other = receiver(target.port).replace("receiver.example", "other.example");
    expect(await send(sending, other)).toMatchObject({ ...FAILED, error_code: "timeout" });
    expect(proxy.asked).toHaveLength(2 + 3);
  });
});

describe("a proxy that", () => {
  /** One attempt at a receiver that must not be reached. */
  async function attemptThrough(proxy: { origin: string }, scheme = "http") {
    const target = await server(OK);
    const outcome = await send(through(proxy, {}, { ca }), `${scheme}://localhost:${target.port}/`);
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
    expect(await attemptThrough({ origin: "http://no-such-proxy.invalid:3128" })).toMatchObject({
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
    const sending = through(proxy);
    const outcome = send(sending, `http://127.0.0.1:${silent.port}/`);
    await eventually(() => expect(proxy.asked).toHaveLength(1));
    expect(await send(sending, `http://127.0.0.1:${target.port}/`)).toMatchObject(DELIVERED);
    expect(await outcome).toMatchObject({ ...FAILED, error_code: "timeout" });
  });

  it("hangs is timed out without leaving connections", async () => {
    const proxy = await proxyServer();
    proxy.refusal = () => () => {};
    expect(await attemptThrough(proxy)).toMatchObject({
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
      expect(await attemptThrough(proxy, scheme)).toMatchObject({ ...FAILED, error_code: "timeout" });
      await isAlone(proxy);
    }
  });

  it("closes a tunnel during the handshake fails with a TLS error", async () => {
    const proxy = await proxyServer();
    proxy.refusal = () => (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n");
    expect(await attemptThrough(proxy, "https")).toMatchObject({ ...FAILED, error_code: "tls" });
  });

  it("has an untrusted certificate fails", async () => {
    for (const cert of ["expired", "self-signed", "wrong-host"]) {
      const proxy = await proxyServer({ key: KEY, cert: read(`${cert}.pem`) });
      expect(await attemptThrough(proxy, "https")).toMatchObject({ ...FAILED, error_code: "proxy" });
      expect(proxy.asked).toEqual([]);
    }
  });

  it("hangs in its own TLS handshake fails", async () => {
    const silent = await server(() => {});
    const outcome = await attemptThrough({ origin: `https://localhost:${silent.port}` });
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
