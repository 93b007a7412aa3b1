import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { customHeaderIssues } from "@findersfee/domain/webhooks/endpoints/custom-headers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { answer, attempt, send, sender, server } from "./sending.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

it("sends the exact body and headers", async () => {
  let request = "";
  const target = await server((socket, text) => {
    request = text;
    socket.write("HTTP/1.1 204 No Content\r\n\r\n");
  });
  const secrets = [5, 6].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`);
  const timestamp = Math.floor(Date.now() / 1000);
  const message = { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", timestamp, body: '{"type":"a","data":"ü"}' };
  const outcome = await sender().send({
    url: `http://127.0.0.1:${target.port}/hooks?x=1#part`,
    ...message,
    signature: signWebhook(message, secrets.map(signatureKey)),
  });
  expect(outcome).toMatchObject({ delivered: true, status: 204, error_code: null });
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [line, ...lines] = head.split("\r\n");
  expect(line).toBe("POST /hooks?x=1 HTTP/1.1");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Findersfee-Webhooks/1.2.3",
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
  });
  const bytes = Buffer.from(body, "latin1");
  expect(bytes.toString("utf8")).toBe(message.body);
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(bytes, headers)).toEqual({ type: "a", data: "ü" });
  }
});

describe("custom headers", () => {
  /** The head of a request with these headers. */
  async function headWith(headers: Record<string, string>): Promise<string> {
    let head = "";
    const target = await server((socket, request) => {
      head = request.slice(0, request.indexOf("\r\n\r\n"));
      socket.write(OK);
    });
    const outcome = await send(sender(), `http://127.0.0.1:${target.port}/`, { headers });
    expect(outcome).toMatchObject({ delivered: true });
    return head.replace(`:${target.port}`, "");
  }

  it("are sent unchanged", async () => {
    const headers = { Authorization: "Bearer a b", "X-Tenant": "t", cookie: "a=1; b=2", accept: "*/*" };
    expect(customHeaderIssues(headers)).toEqual([]);
    const lines = (await headWith(headers)).split("\r\n");
    for (const [name, value] of Object.entries(headers)) expect(lines).toContain(`${name}: ${value}`);
  });

  it("never replace the headers of the sender or the connection", async () => {
    const reserved = [
      ..."Host Connection Content-Length Content-Type Transfer-Encoding User-Agent Upgrade Expect".split(" "),
      ..."Keep-Alive TE Trailer Proxy-Authorization Content-Encoding X-Forwarded-For".split(" "),
      ..."Webhook-Id WEBHOOK-TIMESTAMP webhook-signature webhook-other".split(" "),
    ];
    const headers = Object.fromEntries(reserved.map((name) => [name, "7"]));
    expect(customHeaderIssues(Object.fromEntries(Object.entries(headers).slice(0, 10)))).toHaveLength(10);
    expect(await headWith(headers)).toBe(await headWith({}));
  });
});

describe("a response with", () => {
  it.each([
    ["200 OK", { delivered: true, status: 200, error_code: null }],
    ["299 Fine", { delivered: true, status: 299, error_code: null }],
    ["300 Multiple Choices", { delivered: false, status: 300, error_code: "http_status" }],
    ["404 Not Found", { delivered: false, status: 404, error_code: "http_status", gone: false }],
    ["410 Gone", { delivered: false, status: 410, error_code: "http_status", gone: true }],
    ["500 Oops", { delivered: false, status: 500, error_code: "http_status" }],
  ])("%s sets the outcome", async (head, expected) => {
    expect(await attempt(answer(head, "text"))).toMatchObject({
      ...expected,
      response: "text",
      retry_after_seconds: null,
    });
  });

  it("204 No Content is a success", async () => {
    expect(await attempt((socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"))).toMatchObject({
      delivered: true,
      status: 204,
      response: "",
    });
  });

  it("a body until the end of the connection is complete", async () => {
    expect(await attempt((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nold"))).toMatchObject({
      delivered: true,
      response: "old",
    });
  });

  it("binary data is stored as text", async () => {
    const script = answer("200 OK", "a\0b");
    expect(await attempt(script)).toMatchObject({ response: "a\ufffdb" });
    expect(
      await attempt((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n");
        socket.write(Buffer.from([0x61, 0xff, 0xc3]));
      }),
    ).toMatchObject({ delivered: true, response: "a\ufffd\ufffd" });
  });

  it.each([
    ["429", "77", 77],
    ["502", " 77 ", 77],
    ["503", "99999", 7200],
    ["504", "-5", 0],
    ["429", "soon", null],
    ["429", "1.5", null],
    ["429", "2 days", null],
    ["500", "77", null],
    ["200", "77", null],
  ])("%s and Retry-After: %s sets the next attempt", async (status, value, expected) => {
    const { retry_after_seconds } = await attempt(answer(`${status} X\r\nretry-after: ${value}`));
    expect(retry_after_seconds).toBe(expected);
  });

  it("429 and a Retry-After date sets the next attempt", async () => {
    const in_ten_minutes = new Date(Date.now() + 600_000).toUTCString();
    const [day, date, month, year, time] = in_ten_minutes.replace(",", "").split(" ");
    for (const text of [in_ten_minutes, `${day} ${month} ${date} ${time} ${year}`]) {
      const { retry_after_seconds } = await attempt(answer(`429 Slow\r\nretry-after: ${text}`));
      expect(retry_after_seconds).toBeGreaterThan(590);
      expect(retry_after_seconds).toBeLessThanOrEqual(600);
    }
    const past = await attempt(answer("429 Slow\r\nretry-after: Sun, 06 Nov 1994 08:49:37 GMT"));
    expect(past.retry_after_seconds).toBe(0);
  });
});

describe("a reused connection", () => {
  /** A server that answers, but to its second request does something else; and a sender that kept its connection. */
  async function kept(second: Parameters<typeof server>[0]) {
    const target = await server((socket, request) => {
      if (target.requests === 2) second(socket, request);
      else socket.write(OK);
    });
    const through = sender();
    const url = `http://127.0.0.1:${target.port}/`;
    expect(await send(through, url)).toMatchObject({ delivered: true });
    // Only then is the connection free again.
    await turn();
    await turn();
    expect(target.connections).toBe(1);
    return { target, again: () => send(through, url) };
  }

  it.each<[string, Parameters<typeof server>[0]]>([
    ["reset", (socket) => socket.resetAndDestroy()],
    ["closed", (socket) => socket.end()],
  ])("that is %s while idle causes no failure", async (_, second) => {
    const { target, again } = await kept(second);
    expect(await again()).toMatchObject({ delivered: true });
    expect(target.requests).toBe(3);
    expect(target.connections).toBe(2);
  });

  it("that breaks during the response is a failure", async () => {
    const { target, again } = await kept((socket) => socket.end("HTTP/1.1 2"));
    expect(await again()).toMatchObject({ delivered: false, error_code: "reset" });
    expect(target.requests).toBe(2);
  });

  it("does not lengthen the deadline", async () => {
    const target = await server((socket) => {
      if (target.requests === 1) socket.write(OK);
      else if (target.requests === 2) setTimeout(() => socket.resetAndDestroy(), 3_000);
    });
    const through = sender({ timeout_milliseconds: 6_000 });
    const url = `http://127.0.0.1:${target.port}/`;
    await send(through, url);
    await turn();
    await turn();
    const outcome = await send(through, url);
    expect(outcome).toMatchObject({ error_code: "timeout" });
    // A second deadline from the reset on would be over after 9 s.
    expect(outcome.duration_milliseconds).toBeLessThan(8_800);
    expect(target.requests).toBe(3);
  });

  it("is not used beyond the limit of connections", async () => {
    const through = sender({ max_idle_connections: 2 });
    const targets = await Promise.all([1, 2, 3, 4].map(() => server((socket) => socket.write(OK))));
    for (const { port } of targets) await send(through, `http://127.0.0.1:${port}/`);
    for (const target of targets.slice(2)) await target.isAlone();
    for (const target of targets.slice(0, 2)) expect(target.open).toBe(1);
  });
});

it("handles many concurrent requests", async () => {
  const target = await server((socket, request) => {
    const id = /webhook-id: (\S+)/.exec(request)?.[1] ?? "";
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 64\r\n\r\n${sha256(id)}`);
  });
  const through = sender({ timeout_milliseconds: 60_000 });
  const url = `http://127.0.0.1:${target.port}/`;
  const ids = Array.from({ length: 300 }, (_, number) => `id_${number}`);
  const outcomes = await Promise.all(
    ids.map((id) => through.send({ url, id, timestamp: 1, signature: "v1,a", body: "{}" })),
  );
  expect(outcomes.map(({ response }) => response)).toEqual(ids.map(sha256));
});

it.each(["", "nonsense", "https://", "ftp://example.com/", "https://a:b@example.com/", "http://x:99999/"])(
  "resolves for the URL %j",
  async (url) => {
    expect(await send(sender(), url)).toMatchObject({ delivered: false, error_code: "blocked_address" });
  },
);

it("aborts attempts in flight when it is destroyed", async () => {
  const target = await server(() => {});
  const through = sender({ timeout_milliseconds: 60_000 });
  const sent = send(through, `http://127.0.0.1:${target.port}/`);
  await target.hasRequests(1);
  through.destroy();
  expect(await sent).toMatchObject({ delivered: false, error_code: "reset" });
  await target.isAlone();
  expect(await send(through, `http://127.0.0.1:${target.port}/`)).toMatchObject({ delivered: false });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
