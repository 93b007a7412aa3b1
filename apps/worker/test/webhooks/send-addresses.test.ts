import { NameServer } from "@findersfee/domain/testing/identity/address-server";
import { describe, expect, it } from "vitest";
import type { SenderOptions } from "../../src/webhooks/send.ts";
import { afterTest, answer, CLOSED, OPEN, send, sender, server, TIMEOUT } from "./sending.ts";

/** A server that must never see a connection, or always one. */
function canary() {
  return server(answer("200 OK"));
}

async function senderWithNames(
  answers: Parameters<typeof NameServer.start>[0],
  options: SenderOptions = CLOSED,
) {
  const started = await NameServer.start(answers);
  afterTest(() => started.close());
  return sender({ ...options, name_servers: [started.address] });
}

describe("blocks", () => {
  it.each([
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[::]",
    "0.0.0.0",
    "0",
    "localhost",
    "sub.localhost",
    "localhost.",
    "127.0.0.1.",
    "１２７.0.0.1",
  ])("%s", async (host) => {
    const target = await canary();
    expect(await send(sender(CLOSED), `http://${host}:${target.port}/`)).toMatchObject({
      delivered: false,
      error_code: "blocked_address",
    });
    expect(target.connections).toBe(0);
  });

  it("an http URL where http is not allowed", async () => {
    const target = await canary();
    const through = sender({ ...OPEN, allow_http: false });
    expect(await send(through, `http://127.0.0.1:${target.port}/`)).toMatchObject({ delivered: false });
    expect(target.connections).toBe(0);
  });

  it.each([["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["10.1.2.3"]])(
    "a name that resolves to %s",
    async (address) => {
      const target = await canary();
      const through = await senderWithNames(() => [address]);
      expect(await send(through, `http://inside.example:${target.port}/`)).toMatchObject({
        error_code: "blocked_address",
        error_message: expect.stringContaining("inside.example"),
      });
      expect(target.connections).toBe(0);
    },
  );

  it("a name with a private address among public ones", async () => {
    const target = await canary();
    const through = await senderWithNames(() => ["2d00::1", "127.0.0.1"]);
    expect(await send(through, `http://both.example:${target.port}/`)).toMatchObject({
      error_code: "blocked_address",
    });
    expect(target.connections).toBe(0);
  });

  it("a private address that a name resolves to later", async () => {
    const target = await canary();
    const through = await senderWithNames((_, { times }) => (times === 1 ? ["2d00::1"] : ["127.0.0.1"]), {
      ...CLOSED,
      timeout_milliseconds: 3 * TIMEOUT,
    });
    const url = `http://changing.example:${target.port}/`;
    // Nobody is at the first one, which was judged to be public.
    const first = await send(through, url);
    expect(["timeout", "refused"]).toContain(first.error_code);
    expect(await send(through, url)).toMatchObject({ error_code: "blocked_address" });
    expect(target.connections).toBe(0);
  });
});

describe("a name", () => {
  it("that does not exist fails with a DNS error", async () => {
    const through = await senderWithNames(() => null);
    expect(await send(through, "http://nowhere.example/")).toMatchObject({ error_code: "dns", status: null });
    const empty = await senderWithNames(() => []);
    expect(await send(empty, "http://nothing.example/")).toMatchObject({ error_code: "dns" });
  });

  it("with an unreachable name server fails with a DNS error", async () => {
    const closed = await NameServer.start(() => null);
    const { address } = closed;
    await closed.close();
    const through = sender({ ...CLOSED, name_servers: [address] });
    expect(await send(through, "http://nowhere.example/")).toMatchObject({ error_code: "dns" });
  });

  it.each([CLOSED, OPEN])("with a silent name server does not delay others: %j", async (options) => {
    const target = await canary();
    const through = await senderWithNames(
      (name) => (name.startsWith("silent") ? "silence" : name.startsWith("here") ? ["127.0.0.1"] : null),
      { ...options, timeout_milliseconds: 5 * TIMEOUT },
    );
    let ended = 0;
    const silent = Array.from({ length: 100 }, async (_, number) => {
      const outcome = await send(through, `http://silent${number}.example/`);
      ended += 1;
      return outcome;
    });
    // Refused where only public addresses are allowed; either way before the silent ones are given up.
    const here = await send(through, `http://here.example:${target.port}/`);
    const localhost = await send(through, `http://localhost:${target.port}/`);
    for (const outcome of [here, localhost]) {
      expect(outcome.error_code).toBe(options.allow_private ? null : "blocked_address");
    }
    expect(ended).toBe(0);
    for (const outcome of await Promise.all(silent)) {
      expect(outcome).toMatchObject({ error_code: "dns", delivered: false });
    }
  });

  it("with a name server that ignores IPv6 is reached by IPv4", async () => {
    const target = await canary();
    const through = await senderWithNames((_, { type }) => (type === "A" ? ["127.0.0.1"] : "silence"), OPEN);
    expect(await send(through, `http://here.example:${target.port}/`)).toMatchObject({ delivered: true });
  });

  // Elsewhere 127.0.0.2 is not of this machine.
  it.runIf(process.platform === "linux")("is tried at each of its addresses", async () => {
    const target = await canary();
    const through = await senderWithNames(() => ["127.0.0.2", "127.0.0.1"], OPEN);
    expect(await send(through, `http://here.example:${target.port}/`)).toMatchObject({ delivered: true });
    const nobody = await senderWithNames(() => ["127.0.0.2", "127.0.0.3"], OPEN);
    expect(await send(nobody, `http://here.example:${target.port}/`)).toMatchObject({
      error_code: "refused",
    });
  });
});
