import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { startApi } from "../../src/server.ts";
import { CAMPAIGN } from "../program.ts";
import { head, RawConnection, sendRaw } from "../raw-connection.ts";
import { responseError } from "../response-error.ts";
import {
  ENDPOINT_POLICY,
  QUIET,
  startTestService,
  type TestClient,
  type TestService,
} from "../test-service.ts";

let service: TestService;
/** The same with one-second timeouts. */
let hasty: Awaited<ReturnType<typeof startApi>>;
let organization: TestClient;

const HASTY = {
  ...LIMITS,
  headers_milliseconds: 300,
  handler_milliseconds: 400,
  request_milliseconds: 1_000,
};

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  hasty = await startApi(QUIET, service.database, { endpoint_policy: ENDPOINT_POLICY, limits: HASTY });
});

afterAll(async () => {
  await hasty.close();
  await service.close();
});

const BODY = JSON.stringify(CAMPAIGN);
const TEN_MEGABYTES = 10 * 1024 * 1024;

/** The head of a campaign's POST, with these headers replacing the usual ones. */
function postHead(headers: Record<string, string | null> = {}, path = "/v1/campaigns"): string {
  return head(`POST ${path} HTTP/1.1`, {
    authorization: `Bearer ${organization.api_key}`,
    "content-type": "application/json",
    "content-length": `${BODY.length}`,
    ...headers,
  });
}

async function campaigns(): Promise<number> {
  const page = await organization.trpc.campaigns.list.query({});
  return page.pagination.total_count ?? Number.NaN;
}

describe("malformed HTTP gets the common error body and closes the connection", () => {
  it.each([
    ["nonsense", "hello\r\n\r\n"],
    ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", head("FLY /v1/campaigns HTTP/1.1")],
    ["a method in lower case", head("get /v1/campaigns HTTP/1.1")],
    ["no path", head("GET HTTP/1.1")],
    ["an unknown version", head("GET /v1/campaigns HTTP/3.7")],
    ["white space in the path", head("GET /v1/cam paigns HTTP/1.1")],
    ["NUL in the path", head("GET /v1/cam\0paigns HTTP/1.1")],
    ["a raw byte in a header's name", head("GET /healthz HTTP/1.1", { "x\xff": "1" })],
    ["NUL in a header", head("GET /healthz HTTP/1.1", { "x-a": "a\0b" })],
    ["a header without a colon", "GET /healthz HTTP/1.1\r\nhost: x\r\nnothing\r\n\r\n"],
    ["white space before the colon", "GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n"],
    ["a folded header", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n 2\r\n\r\n"],
    ["headers of 20 KiB", head("GET /healthz HTTP/1.1", { "x-a": "x".repeat(20 * 1024) })],
    ["a path of 20 KiB", head(`GET /v1/${"x".repeat(20 * 1024)} HTTP/1.1`)],
    [
      "both lengths",
      `${head("POST /v1/campaigns HTTP/1.1", { "content-length": "5", "transfer-encoding": "chunked" })}0\r\n\r\n`,
    ],
    [
      "two lengths",
      "POST /v1/campaigns HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
    ],
    ["a negative length", head("POST /v1/campaigns HTTP/1.1", { "content-length": "-1" })],
    ["a length in words", head("POST /v1/campaigns HTTP/1.1", { "content-length": "ten" })],
    ["a length beyond all", head("POST /v1/campaigns HTTP/1.1", { "content-length": "9".repeat(30) })],
    ["an unknown transfer encoding", head("POST /v1/campaigns HTTP/1.1", { "transfer-encoding": "gzip" })],
    ["no header Host", head("GET /healthz HTTP/1.1", { host: null })],
  ])("%s", async (_name, text) => {
    const connection = await RawConnection.open(service.url);
    connection.write(text);
    const answer = await connection.answer();
    expect(answer).not.toBeNull();
    if (answer !== null) expect(responseError("rest", answer).code).toBe("invalid_request");
    connection.socket.end();
    expect(await connection.ended).toBeNull();
  });

  it("a chunk without a size, after the earlier responses", async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(postHead() + BODY);
    connection.write(`${postHead({ "content-length": null, "transfer-encoding": "chunked" })}zz\r\n`);
    expect((await connection.answer())?.status).toBe(200);
    const refused = await connection.answer();
    expect(refused?.body.error.code).toBe("invalid_request");
    expect(await connection.ended).toBeNull();
  });

  it("data after an oversized body", async () => {
    const connection = await RawConnection.open(service.url);
    const before = await campaigns();
    connection.write(`${postHead() + BODY}garbage\r\n\r\n`);
    expect((await connection.answer())?.status).toBe(200);
    expect((await connection.answer())?.body.error.code).toBe("invalid_request");
    expect(await connection.ended).toBeNull();
    expect(await campaigns()).toBe(before + 1);
  });
});

describe.concurrent("incomplete requests time out", () => {
  it("silence, without an answer that a browser would take for the one to its next request", async ({
    expect,
  }) => {
    const connection = await RawConnection.open(hasty.url);
    expect(await connection.answer()).toBeNull();
    expect(await connection.ended).toBeNull();
  });

  it("silence after a part of a request", async ({ expect }) => {
    const connection = await RawConnection.open(hasty.url);
    connection.write("G");
    expect((await connection.answer())?.body.error.message).toBe("The request did not arrive in time.");
    expect(await connection.ended).toBeNull();
  });

  it("headers that never end", async ({ expect }) => {
    const connection = await RawConnection.open(hasty.url);
    connection.write("GET /healthz HTTP/1.1\r\nhost: x\r\n");
    const drip = setInterval(() => connection.write("x-a: 1\r\n"), 50);
    expect((await connection.answer())?.body.error.code).toBe("invalid_request");
    clearInterval(drip);
    await connection.ended;
  });

  it.each([
    ["a body shorter than its Content-Length", { "content-length": "1000" }, BODY],
    ["no body", {}, ""],
    ["chunks without an end", { "content-length": null, "transfer-encoding": "chunked" }, "1\r\n{\r\n"],
    ["a body promised", { expect: "100-continue" }, ""],
  ])("%s", async (_name, headers, body) => {
    const before = await campaigns();
    const connection = await RawConnection.open(hasty.url);
    connection.write(postHead(headers) + body);
    const answer = await connection.answer();
    expect(answer?.body.error).toMatchObject({
      code: "invalid_request",
      message: "The body did not arrive in time.",
    });
    await connection.ended;
    expect(await campaigns()).toBe(before);
  });

  it("a slowly dripping body", async ({ expect }) => {
    const connection = await RawConnection.open(hasty.url);
    connection.write(postHead({ "content-length": "100000" }));
    const drip = setInterval(() => connection.write(" "), 20);
    expect((await connection.answer())?.body.error.code).toBe("invalid_request");
    await connection.ended;
    clearInterval(drip);
  });

  it.each([
    ["with its length", { "content-length": `${TEN_MEGABYTES}` }, ""],
    ["in chunks", { "content-length": null, "transfer-encoding": "chunked" }, "a00000\r\n"],
  ])("rejects a slow 10 MB body %s at once and closes", async (_name, headers, start) => {
    const connection = await RawConnection.open(hasty.url);
    connection.write(postHead(headers) + start);
    connection.write(Buffer.alloc(300_000));
    expect((await connection.answer())?.body.error.code).toBe("payload_too_large");
    const drip = setInterval(() => connection.write(" "), 20);
    await connection.ended;
    clearInterval(drip);
    expect(await connection.answer()).toBeNull();
  });

  it("an announced 10 MB body", async ({ expect }) => {
    const connection = await RawConnection.open(hasty.url);
    connection.write(postHead({ "content-length": `${TEN_MEGABYTES}`, expect: "100-continue" }));
    expect((await connection.answer())?.body.error.code).toBe("payload_too_large");
    await connection.ended;
  });

  it("a body with a disconnecting client", async ({ expect }) => {
    const before = await campaigns();
    const connection = await RawConnection.open(hasty.url);
    connection.write(postHead({ "content-length": "1000" }) + BODY);
    connection.close();
    await connection.ended;
    expect(await campaigns()).toBe(before);
  });
});

describe("a body of 10 MB", () => {
  const megabytes = Buffer.alloc(TEN_MEGABYTES, " ");

  it("is rejected by Content-Length, and the connection stays usable", async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(postHead({ "content-length": `${TEN_MEGABYTES}` }));
    connection.write(megabytes);
    expect((await connection.answer())?.body.error.code).toBe("payload_too_large");
    connection.write(head("GET /healthz HTTP/1.1"));
    expect((await connection.answer())?.status).toBe(200);
    connection.close();
  });

  it("is rejected in chunks, and the connection stays usable", async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(postHead({ "content-length": null, "transfer-encoding": "chunked" }));
    connection.write(`${TEN_MEGABYTES.toString(16)}\r\n`);
    connection.write(megabytes);
    connection.write("\r\n0\r\n\r\n");
    expect((await connection.answer())?.body.error.code).toBe("payload_too_large");
    connection.write(head("GET /healthz HTTP/1.1"));
    expect((await connection.answer())?.status).toBe(200);
    connection.close();
  });

  it.each([
    ["/v1/nothing", {}, "not_found"],
    ["/healthz", {}, "method_not_allowed"],
    ["/v1/campaigns", { authorization: null }, "unauthorized"],
    ["/v1/campaigns", { "content-type": "text/plain" }, "unsupported_media_type"],
  ])("is skipped on paths without a body: %s %o", async (path, headers, code) => {
    const connection = await RawConnection.open(service.url);
    connection.write(postHead({ "content-length": `${TEN_MEGABYTES}`, ...headers }, path));
    connection.write(megabytes);
    expect((await connection.answer())?.body.error.code).toBe(code);
    connection.write(head("GET /healthz HTTP/1.1"));
    expect((await connection.answer())?.status).toBe(200);
    connection.close();
  });
});

describe("unusual but valid HTTP", () => {
  it("answers pipelined requests in order", async () => {
    const connection = await RawConnection.open(service.url);
    const authorization = `Bearer ${organization.api_key}`;
    const paths = ["/v1/campaigns", "/nothing", "/healthz", "/v1/campaigns/x", "/v1/campaigns"];
    connection.write(paths.map((path) => head(`GET ${path} HTTP/1.1`, { authorization })).join(""));
    const statuses = [];
    for (const _path of paths) statuses.push((await connection.answer())?.status);
    expect(statuses).toEqual([200, 404, 200, 400, 200]);
    connection.close();
  });

  it("a body in chunks of one byte", async () => {
    const chunks = [...BODY].map((character) => `1\r\n${character}\r\n`).join("");
    const headers = { "content-length": null, "transfer-encoding": "chunked" };
    const answer = await sendRaw(service.url, `${postHead(headers)}${chunks}0\r\n\r\n`);
    expect(answer.status).toBe(200);
  });

  it("an announced body", async () => {
    expect((await sendRaw(service.url, postHead({ expect: "100-continue" }) + BODY)).status).toBe(200);
  });

  it("an unknown expectation", async () => {
    expect((await sendRaw(service.url, postHead({ expect: "the-unexpected" }) + BODY)).status).toBe(200);
  });

  it("an offer to upgrade", async () => {
    const headers = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    expect((await sendRaw(service.url, head("GET /healthz HTTP/1.1", headers))).status).toBe(200);
  });

  it("HTTP/1.0, without Host", async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(head("GET /healthz HTTP/1.0", { host: null }));
    expect((await connection.answer())?.body).toEqual({ status: "ok", version: "unreleased" });
    expect(await connection.ended).toBeNull();
  });
});
