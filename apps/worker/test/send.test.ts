import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/signature";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { createSender, type Sender, type SenderOptions } from "../src/webhooks/send.ts";
import { NameServer } from "./name-server.ts";
import { RawServer, type Script } from "./raw-server.ts";

/** Of the 15 s that an attempt has in earnest. */
const TIMEOUT = 400;
const OPEN = { allow_http: true, allow_private: true, user_agent_version: "1.2.3" };
const CLOSED = { ...OPEN, allow_private: false };

const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ ...OPEN, timeout_milliseconds: TIMEOUT, ...options });
  opened.push(() => made.close());
  return made;
}

async function server(
  script: Script,
  tls: { key: string; cert: string } | null = null,
  speaks_first = false,
): Promise<RawServer> {
  const started = await RawServer.start(script, tls);
  started.speaks_first = speaks_first;
  opened.push(() => started.close());
  return started;
}

function send(through: Sender, url: string) {
  return through.send({ url, id: "evt_1", timestamp: 1614265330, signature: "v1,abc", body: '{"a":1}' });
}

/** The outcome of one attempt at a server with this script; every connection is closed after it. */
async function attempt(script: Script, options: Partial<SenderOptions> = {}) {
  const target = await server(script);
  const through = sender(options);
  const outcome = await send(through, `http://127.0.0.1:${target.port}/hooks`);
  expect(outcome.duration_milliseconds).toBeLessThan(TIMEOUT + 400);
  await through.close();
  await target.isAlone();
  return outcome;
}

const answer =
  (head: string, body = ""): Script =>
  (socket) =>
    socket.write(`HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

it("sends exactly what is to be sent", async () => {
  let request = "";
  const target = await server((socket, text) => {
    request = text;
    socket.write("HTTP/1.1 204 No Content\r\n\r\n");
  });
  const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const message = { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", timestamp, body: '{"type":"a","data":"ü"}' };
  const outcome = await sender().send({
    url: `http://127.0.0.1:${target.port}/hooks?x=1`,
    ...message,
    signature: signWebhook(message, [signatureKey(secret)]),
  });
  expect(outcome).toMatchObject({ delivered: true, status: 204, error_code: null });
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [line, ...lines] = head.split("\r\n");
  expect(line).toBe("POST /hooks?x=1 HTTP/1.1");
  const headers = Object.fromEntries(lines.map((one) => one.split(/: (.*)/).slice(0, 2)));
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Findersfee-Webhooks/1.2.3",
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
  });
  const bytes = Buffer.from(body, "latin1");
  expect(bytes.toString("utf8")).toBe(message.body);
  expect(new Webhook(secret).verify(bytes, headers)).toEqual({ type: "a", data: "ü" });
});

describe("an answer of", () => {
  it.each([
    ["200 OK", { delivered: true, status: 200, error_code: null }],
    ["204 No Content", { delivered: true, status: 204, error_code: null }],
    ["299 Fine", { delivered: true, status: 299, error_code: null }],
    ["300 Multiple Choices", { delivered: false, status: 300, error_code: "http_status" }],
    ["404 Not Found", { delivered: false, status: 404, error_code: "http_status", gone: false }],
    ["410 Gone", { delivered: false, status: 410, error_code: "http_status", gone: true }],
    ["500 Oops", { delivered: false, status: 500, error_code: "http_status" }],
  ])("%s counts as what it is", async (head, expected) => {
    const body = head.startsWith("204") ? "" : "text";
    const script: Script = head.startsWith("204")
      ? (socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n")
      : answer(head, body);
    expect(await attempt(script)).toMatchObject({ ...expected, response: body, retry_after_seconds: null });
  });

  it("429 with seconds, and with a date, says when to come again", async () => {
    expect(await attempt(answer("429 Slow\r\nretry-after: 77"))).toMatchObject({ retry_after_seconds: 77 });
    const date = new Date(Date.now() + 600_000).toUTCString();
    const { retry_after_seconds } = await attempt(answer(`429 Slow\r\nretry-after: ${date}`));
    expect(retry_after_seconds).toBeGreaterThan(595);
    expect(retry_after_seconds).toBeLessThanOrEqual(600);
    expect(await attempt(answer("503 No\r\nretry-after: 99999"))).toMatchObject({
      retry_after_seconds: 7200,
    });
    expect(await attempt(answer("429 Slow\r\nretry-after: soon"))).toMatchObject({
      retry_after_seconds: null,
    });
    expect(await attempt(answer("500 No\r\nretry-after: 77"))).toMatchObject({ retry_after_seconds: null });
  });
});

describe("a receiver that", () => {
  const late = { delivered: false, error_code: "timeout" };
  const drip = (socket: Parameters<Script>[0], text: string) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(text[at++ % text.length] ?? "x");
    }, 20);
    socket.on("close", () => clearInterval(timer));
  };

  it("accepts and hangs is too late", async () => {
    expect(await attempt(() => {})).toMatchObject({ ...late, status: null });
  });

  it("drips its headers is too late", async () => {
    const head = `HTTP/1.1 200 OK\r\nx-drip: ${"y".repeat(1000)}`;
    expect(await attempt((socket) => drip(socket, head))).toMatchObject({ ...late, status: null });
  });

  it("drips its body is too late, whatever its status", async () => {
    const outcome = await attempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      drip(socket, "z");
    });
    expect(outcome).toMatchObject({ ...late, status: 200 });
    expect(outcome.response).toMatch(/^z+$/);
  });

  it("sends 1xx without end is too late", async () => {
    const outcome = await attempt((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 5);
      socket.on("close", () => clearInterval(timer));
    });
    expect(outcome).toMatchObject({ ...late, status: null });
  });

  it("resets before, inside and after its headers has reset", async () => {
    expect(await attempt((socket) => socket.resetAndDestroy())).toMatchObject({ error_code: "reset" });
    const inside: Script = (socket) => socket.write("HTTP/1.1 200 O", () => socket.resetAndDestroy());
    expect(await attempt(inside)).toMatchObject({ error_code: "reset", delivered: false });
    const after: Script = (socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    expect(await attempt(after)).toMatchObject({ error_code: "reset", delivered: false });
  });

  it("closes its half before it answered has reset", async () => {
    expect(await attempt((socket) => socket.end())).toMatchObject({ error_code: "reset", status: null });
  });

  it("answers without end is heard for 16 KiB", async () => {
    const outcome = await attempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `400\r\n${"e".repeat(1024)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once("drain", more);
      };
      more();
    });
    expect(outcome).toMatchObject({ delivered: true, status: 200 });
    expect(outcome.response).toBe("e".repeat(16 * 1024));
  });

  it("answers with 1 GB takes no memory", async () => {
    const before = process.memoryUsage.rss();
    const outcome = await attempt((socket) => {
      socket.write(`HTTP/1.1 500 Oops\r\ncontent-length: ${2 ** 30}\r\n\r\n`);
      const chunk = Buffer.alloc(64 * 1024, "g");
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once("drain", more);
      };
      more();
    });
    expect(outcome).toMatchObject({ delivered: false, status: 500, error_code: "http_status" });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
  });

  it("answers with a gzip bomb is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 2 ** 20));
    const outcome = await attempt((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(outcome).toMatchObject({ delivered: true, status: 200 });
    expect(outcome.response.length).toBeLessThanOrEqual(16 * 1024);
    expect(outcome.response).not.toContain("\0");
  });

  it.each([
    "HTTP/1.1 banana\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 99999 X\r\n\r\n",
    "\0\x01\x02\r\n\r\n",
  ])("answers %j has answered badly", async (text) => {
    expect(await attempt((socket) => socket.write(text))).toMatchObject({
      delivered: false,
      error_code: "bad_response",
    });
  });

  it("redirects is not followed", async () => {
    const canary = await server(answer("200 OK"));
    const outcome = await attempt(answer(`302 Found\r\nlocation: http://127.0.0.1:${canary.port}/`));
    expect(outcome).toMatchObject({ delivered: false, status: 302, error_code: "http_status" });
    expect(canary.connections).toBe(0);
  });

  it("refuses the connection has refused", async () => {
    const closed = await RawServer.start(answer("200 OK"));
    const { port } = closed;
    await closed.close();
    expect(await send(sender(), `http://127.0.0.1:${port}/`)).toMatchObject({ error_code: "refused" });
  });

  it("closes a kept connection under us gets the delivery over a new one", async () => {
    let answered = 0;
    const target = await server((socket) => {
      answered += 1;
      if (answered === 2) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
    const through = sender();
    const url = `http://127.0.0.1:${target.port}/`;
    expect(await send(through, url)).toMatchObject({ delivered: true });
    expect(await send(through, url)).toMatchObject({ delivered: true });
    expect(answered).toBe(3);
    expect(target.connections).toBe(2);
  });
});

describe("TLS", () => {
  const read = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url), "utf8");
  const ca = read("ca.pem");
  const start = (certificate: string) =>
    server(answer("200 OK", "ok"), { key: read("server.key"), cert: read(`${certificate}.pem`) });

  it("with a certificate that an authority has signed is trusted", async () => {
    const { port } = await start("valid");
    expect(await send(sender({ ca }), `https://localhost:${port}/`)).toMatchObject({ delivered: true });
  });

  it.each(["expired", "self-signed", "wrong-host"])(
    "with a certificate that is %s is refused",
    async (name) => {
      const target = await start(name);
      const outcome = await send(sender({ ca }), `https://localhost:${target.port}/`);
      expect(outcome).toMatchObject({ delivered: false, status: null, error_code: "tls" });
      expect(target.requests).toBe(0);
    },
  );

  it("that the receiver does not speak is a failure of TLS", async () => {
    const plain = await server((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), null, true);
    expect(await send(sender({ ca }), `https://localhost:${plain.port}/`)).toMatchObject({
      error_code: "tls",
    });
  });
});

describe("addresses", () => {
  async function canary(): Promise<RawServer> {
    return await server(answer("200 OK"));
  }

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
    "0.0.0.0",
    "localhost",
    "127.0.0.1.",
  ])("%s is never connected to", async (host) => {
    const target = await canary();
    expect(await send(sender(CLOSED), `http://${host}:${target.port}/`)).toMatchObject({
      delivered: false,
      error_code: "blocked_address",
    });
    expect(target.connections).toBe(0);
  });

  it("without TLS are refused where http is not allowed", async () => {
    const target = await canary();
    const through = sender({ allow_http: false });
    expect(await send(through, `http://127.0.0.1:${target.port}/`)).toMatchObject({ delivered: false });
    expect(target.connections).toBe(0);
  });

  async function names(answers: Parameters<typeof NameServer.start>[0]) {
    const started = await NameServer.start(answers);
    opened.push(() => started.close());
    return { through: sender({ ...CLOSED, name_servers: [started.address] }), started };
  }

  it("of a name that resolves to a private one are never connected to", async () => {
    const target = await canary();
    const { through } = await names(() => ["127.0.0.1"]);
    expect(await send(through, `http://inside.example:${target.port}/`)).toMatchObject({
      error_code: "blocked_address",
      error_message: expect.stringContaining("127.0.0.1"),
    });
    expect(target.connections).toBe(0);
  });

  it("of a name with a private one among them are never connected to", async () => {
    const target = await canary();
    const { through } = await names(() => ["2d00::1", "127.0.0.1"]);
    expect(await send(through, `http://both.example:${target.port}/`)).toMatchObject({
      error_code: "blocked_address",
    });
    expect(target.connections).toBe(0);
  });

  it("of a name that changes its answer are judged each time", async () => {
    const target = await canary();
    const { through } = await names((_, times) => (times === 1 ? ["2d00::1"] : ["127.0.0.1"]));
    const first = await send(through, `http://changing.example:${target.port}/`);
    expect(first.delivered).toBe(false);
    const second = await send(through, `http://changing.example:${target.port}/`);
    expect(second).toMatchObject({ error_code: "blocked_address" });
    expect(target.connections).toBe(0);
  });

  it("of a name that does not exist, or whose server keeps silent, fail for that", async () => {
    const { through } = await names((name) => (name.startsWith("silent") ? "silence" : null));
    expect(await send(through, "http://nowhere.example/")).toMatchObject({ error_code: "dns" });
    const silent = Array.from({ length: 50 }, (_, number) =>
      send(through, `http://silent${number}.example/`),
    );
    const nowhere = await send(through, "http://nowhere.example/");
    expect(nowhere).toMatchObject({ error_code: "dns" });
    expect(nowhere.duration_milliseconds).toBeLessThan(TIMEOUT / 2);
    for (const outcome of await Promise.all(silent)) {
      expect(["dns", "timeout"]).toContain(outcome.error_code);
      expect(outcome.duration_milliseconds).toBeLessThan(TIMEOUT + 400);
    }
  });
});

it("is not confused by many at once", async () => {
  const target = await server((socket, request) => {
    const id = /webhook-id: (\S+)/.exec(request)?.[1] ?? "";
    const digest = createHash("sha256").update(id).digest("hex");
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 64\r\n\r\n${digest}`);
  });
  const through = sender({ timeout_milliseconds: 5_000 });
  const url = `http://127.0.0.1:${target.port}/`;
  const ids = Array.from({ length: 300 }, (_, number) => `id_${number}`);
  const outcomes = await Promise.all(
    ids.map((id) => through.send({ url, id, timestamp: 1, signature: "v1,a", body: "{}" })),
  );
  for (const [index, { response }] of outcomes.entries()) {
    expect(response).toBe(
      createHash("sha256")
        .update(ids[index] ?? "")
        .digest("hex"),
    );
  }
});
