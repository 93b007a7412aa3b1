import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Script } from "../raw-server.ts";
import { faultyAttempt, lateAttempt, send, sender, server } from "./sending.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Writes each character alone, as a slow network might split an answer. */
function inPieces(text: string): Script {
  return async (socket) => {
    for (const character of text) {
      if (socket.destroyed) return;
      socket.write(character, "latin1");
      await turn();
      await turn();
    }
  };
}

function atOnce(text: string): Script {
  return (socket) => socket.write(text, "latin1");
}

/** Sends one event to a server with this script, then, once its connection is free, another one. */
async function twice(script: Script) {
  const target = await server((socket, request) => {
    if (target.requests === 1) script(socket, request);
    else socket.write(OK);
  });
  const through = sender();
  const url = `http://127.0.0.1:${target.port}/`;
  const outcome = await send(through, url);
  await turn();
  await turn();
  const next = await send(through, url);
  return { outcome, next, connections: target.connections, requests: target.requests };
}

/** The first event is delivered, and the next one goes over the same connection. */
async function expectKept(script: Script, expected: object): Promise<void> {
  const { outcome, next, connections } = await twice(script);
  expect(outcome).toMatchObject({ delivered: true, error_code: null, error_message: null, ...expected });
  expect(next).toMatchObject({ delivered: true, status: 200, response: "ok" });
  expect(connections).toBe(1);
}

/** The first event counts as expected, and the next one goes over a connection of its own. */
async function expectClosed(script: Script, expected: object): Promise<void> {
  const { outcome, next, connections, requests } = await twice(script);
  expect(outcome).toMatchObject(expected);
  expect(next).toMatchObject({ delivered: true, status: 200, response: "ok" });
  expect({ connections, requests }).toEqual({ connections: 2, requests: 2 });
}

const DELIVERED = { delivered: true, error_code: null, error_message: null, status: 200 };
const BAD = { delivered: false, error_code: "bad_response" };

describe("delivers, and reuses the connection, after a response with", () => {
  it.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["100 Continue with headers", "HTTP/1.1 100 Continue\r\nserver: x\r\nconnection: keep-alive\r\n\r\n"],
    ["100 Continue of HTTP/1.0", "HTTP/1.0 100 Continue\r\nconnection: keep-alive\r\n\r\n"],
    [
      "all kinds of 1xx",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nlink: a\r\n\r\n",
    ],
    ["empty lines", "\r\n\r\n"],
  ])("%s before it", async (_, before) => {
    for (const script of [atOnce(before + OK), inPieces(before + OK)]) {
      await expectKept(script, { status: 200, response: "ok" });
    }
  });

  it("100 Continue long before it", async () => {
    const script: Script = (socket) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      setTimeout(() => socket.write("HTTP/1.1 204 No Content\r\n\r\n"), 200);
    };
    await expectKept(script, { status: 204 });
  });

  it.each([
    ["no reason phrase", "HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok"],
    ["an empty reason phrase", "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok"],
    ["lines that end without CR", "HTTP/1.1 200 OK\nx-a: b\ncontent-length: 2\n\nok"],
    ["a folded header", "HTTP/1.1 200 OK\r\nx-a: b\r\n  c\r\ncontent-length: 2\r\n\r\nok"],
    ["a space before a colon", "HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\nok"],
    ["NUL and other control characters", "HTTP/1.1 200 OK\r\nx-a: b\0\x01\r\ncontent-length: 2\r\n\r\nok"],
    ["headers in capitals", "HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\nok"],
    [
      "an offer to upgrade",
      "HTTP/1.1 200 OK\r\nupgrade: h2c\r\nconnection: upgrade\r\ncontent-length: 2\r\n\r\nok",
    ],
    ["HTTP/1.0 that keeps", "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok"],
    ["padded chunk sizes", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2  \r\nok\r\n0\r\n\r\n"],
    ["chunk extensions", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n"],
    ["trailers", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-a: b\r\n\r\n"],
  ])("%s", async (_, text) => {
    for (const script of [atOnce(text), inPieces(text)]) {
      await expectKept(script, { status: 200, response: "ok" });
    }
  });

  it("204 and a length of 0, or 205 and a body", async () => {
    await expectKept(atOnce("HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n"), { status: 204 });
    const reset = "HTTP/1.1 205 Reset Content\r\ncontent-length: 2\r\n\r\nok";
    await expectKept(atOnce(reset), { status: 205, response: "ok" });
  });
});

describe("delivers, and closes the connection, after a response with", () => {
  it.each([
    ["a length", "content-length: 5\r\n\r\n"],
    ["a body", "content-length: 5\r\n\r\nhello"],
    ["a body without length", "\r\nhello"],
    ["an empty chunked body", "transfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a transfer-encoding and nothing after it", "transfer-encoding: chunked\r\n\r\n"],
  ])("204 and %s", async (_, rest) => {
    const text = `HTTP/1.1 204 No Content\r\n${rest}`;
    const expected = { ...DELIVERED, status: 204, response: "" };
    for (const script of [atOnce(text), inPieces(text)]) await expectClosed(script, expected);
  });

  it.each([
    [
      "a chunked body and a length",
      "content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ],
    [
      "a length and a chunked body",
      "transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ],
    ["two transfer codings and a length", "transfer-encoding: identity\r\ncontent-length: 2\r\n\r\nok"],
  ])("%s, of which no body is read", async (_, rest) => {
    const text = `HTTP/1.1 200 OK\r\n${rest}`;
    for (const script of [atOnce(text), inPieces(text)]) {
      await expectClosed(script, { ...DELIVERED, response: "" });
    }
  });

  it.each([
    ["the same length twice", "content-length: 2\r\ncontent-length: 2\r\n\r\nok"],
    ["the same length twice in one header", "content-length: 2, 2\r\n\r\nok"],
    ["a header name with a space", "x a: b\r\ncontent-length: 2\r\n\r\nok"],
    ["a header name with brackets", "x[a]: b\r\n\r\n"],
    ["a space before a colon", "x-a : b\r\n\r\n"],
    ["a line that is no header", "nonsense\r\ncontent-length: 2\r\n\r\nok"],
    ["a header without a name", ": nonsense\r\n\r\n"],
    ["CR inside a header", "x-a: b\rc\r\n\r\n"],
  ])("%s", async (_, rest) => {
    await expectClosed(atOnce(`HTTP/1.1 200 OK\r\n${rest}`), { ...DELIVERED, response: "" });
    const after_continue = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${rest}`;
    await expectClosed(atOnce(after_continue), { ...DELIVERED, response: "" });
  });

  it.each([
    ["more than its length", `${OK}more`],
    ["a second answer behind it", `${OK}HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n`],
    [
      "more after it said that it closes",
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nokmore",
    ],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
  ])("%s", async (_, text) => {
    await expectClosed(atOnce(text), { ...DELIVERED, response: "ok" });
  });

  it("more data while the connection is idle", async () => {
    const script: Script = (socket) => socket.write(OK, () => setTimeout(() => socket.write(OK), 50));
    const target = await server(script);
    const through = sender();
    expect(await send(through, `http://127.0.0.1:${target.port}/`)).toMatchObject(DELIVERED);
    await target.isAlone();
    expect(target.requests).toBe(1);
  });
});

describe("fails by the status of a response with", () => {
  it.each([
    ["a header name with a space", "x a: b\r\n\r\n"],
    ["the same length twice", "content-length: 2\r\ncontent-length: 2\r\n\r\nok"],
    ["a chunked body and a length", "content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ])("%s", async (_, rest) => {
    const expected = { delivered: false, error_code: "http_status", error_message: null };
    await expectClosed(atOnce(`HTTP/1.1 503 Later\r\n${rest}`), { ...expected, status: 503, gone: false });
    await expectClosed(atOnce(`HTTP/1.1 410 Gone\r\n${rest}`), { ...expected, status: 410, gone: true });
  });

  it("304, which has no body, and a length", async () => {
    const text = "HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n";
    await expectClosed(atOnce(text), { delivered: false, status: 304, error_code: "http_status" });
  });
});

describe("rejects, and closes the connection, after a response with", () => {
  it.each([
    ["101, which nobody asked for", "101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
    ["101 without its headers", "101 Switching Protocols\r\n\r\n"],
    ["a status of four digits", "2000 OK\r\n\r\n"],
    ["a status below 100", "099 OK\r\n\r\n"],
    ["two lengths that differ", "200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok"],
    ["two lengths that differ in one header", "200 OK\r\ncontent-length: 2, 3\r\n\r\nok"],
    ["a length that is no number", "200 OK\r\ncontent-length: two\r\n\r\nok"],
    ["a negative length", "200 OK\r\ncontent-length: -2\r\n\r\nok"],
    ["an empty length", "200 OK\r\ncontent-length:\r\n\r\nok"],
    ["lines that end without LF", "200 OK\rcontent-length: 2\r\rok"],
    ["a broken header and no end", "200 OK\r\nx a: b\r\n"],
    ["a chunk size that is no number", "200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n"],
    [
      "a chunk that is longer than its size",
      "200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n",
    ],
    ["a chunk size without bound", `200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"f".repeat(17)}\r\n`],
  ])("%s", async (_, rest) => {
    await expectClosed(atOnce(`HTTP/1.1 ${rest}`), BAD);
  });

  it("named by its headers, not by the body that its length announces", async () => {
    const text = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok";
    const error_message = expect.stringContaining("does not match the HTTP/1.1 protocol");
    await expectClosed(atOnce(text), { ...BAD, error_message });
  });

  it.each([
    "http/1.1 200 OK\r\n\r\n",
    "HTTP/3.0 200 OK\r\n\r\n",
    "ICY 200 OK\r\n\r\n",
    "HTTP/1.1  200 OK\r\n\r\n",
  ])("%j", async (text) => {
    await expectClosed(atOnce(text), { ...BAD, status: null });
  });
});

it("times out after 100 Continue without a response", async () => {
  const only = "HTTP/1.1 100 Continue\r\n\r\n";
  const silent = await lateAttempt((socket) => socket.write(only));
  expect(silent).toMatchObject({ delivered: false, status: null, error_code: "timeout" });
  const closed = await faultyAttempt((socket) => socket.end(only));
  expect(closed).toMatchObject({ delivered: false, status: null, error_code: "reset" });
});
