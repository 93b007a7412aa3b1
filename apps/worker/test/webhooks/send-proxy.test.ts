import { setImmediate as turn } from "node:timers/promises";
import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import { describe, expect, it } from "vitest";
import type { Refusal } from "./proxy-server.ts";
import {
  ca,
  DELIVERED,
  FAILED,
  KEY,
  names,
  OK,
  PUBLIC,
  proxyServer,
  saying,
  through,
  VALID,
} from "./proxying.ts";
import { answer, CLOSED, send, server } from "./sending.ts";

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
    const other = await server(OK, { key: KEY, cert: readCertificate("wrong-host.pem") });
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
