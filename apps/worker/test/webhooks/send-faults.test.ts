import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { RawServer, type Script } from "../raw-server.ts";
import { answer, faultyAttempt, lateAttempt, send, sender, server } from "./sending.ts";

/** Writes a text one character at a time, over and over. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at++ % text.length] ?? "x");
  }, 20);
  socket.on("close", () => clearInterval(timer));
}

/** Writes a chunk as fast as it is taken, for ever. */
function flood(socket: Socket, chunk: string | Buffer): void {
  while (!socket.destroyed && socket.write(chunk));
  if (!socket.destroyed) socket.once("drain", () => flood(socket, chunk));
}

describe("times out a receiver that", () => {
  const late = { delivered: false, error_code: "timeout" };

  it("accepts a connection and hangs", async () => {
    expect(await lateAttempt(() => {})).toMatchObject({ ...late, status: null });
  });

  it("sends its headers slowly", async () => {
    const head = `HTTP/1.1 200 OK\r\nx-drip: ${"y".repeat(1000)}`;
    expect(await lateAttempt((socket) => drip(socket, head))).toMatchObject({ ...late, status: null });
  });

  it("sends its body slowly", async () => {
    const outcome = await lateAttempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nz");
      drip(socket, "z");
    });
    expect(outcome).toMatchObject({ ...late, status: 200 });
    expect(outcome.response).toMatch(/^z+$/);
  });

  it("sends 1xx responses repeatedly", async () => {
    const outcome = await lateAttempt((socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), 100);
      socket.on("close", () => clearInterval(timer));
    });
    expect(outcome).toMatchObject({ ...late, status: null });
  });

  it("sends an endless chunk extension", async () => {
    const outcome = await lateAttempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;");
      const timer = setInterval(() => socket.write("x".repeat(10_000)), 5);
      socket.on("close", () => clearInterval(timer));
    });
    expect(outcome).toMatchObject({ ...late, status: 200, response: "" });
  });
});

describe("fails by an error status if its body", () => {
  const gone = { delivered: false, status: 410, error_code: "http_status", gone: true };
  const head = "HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nabc";

  it("never ends", async () => {
    expect(await lateAttempt((socket) => socket.write(head))).toMatchObject({ ...gone, response: "abc" });
  });

  it("is reset", async () => {
    const script: Script = (socket) =>
      socket.write(head, () => setTimeout(() => socket.resetAndDestroy(), 50));
    expect(await faultyAttempt(script)).toMatchObject({ ...gone, response: "abc" });
  });

  it("hangs, and respects Retry-After", async () => {
    const text = "HTTP/1.1 429 Slow\r\nretry-after: 60\r\ncontent-length: 9\r\n\r\n";
    expect(await lateAttempt((socket) => socket.write(text))).toMatchObject({ retry_after_seconds: 60 });
  });
});

describe("reports a reset by a receiver that", () => {
  it("resets before, inside and after its headers", async () => {
    const before: Script = (socket) => socket.resetAndDestroy();
    const inside: Script = (socket) => socket.write("HTTP/1.1 200 O", () => socket.resetAndDestroy());
    const after: Script = (socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    for (const script of [before, inside, after]) {
      expect(await faultyAttempt(script)).toMatchObject({ error_code: "reset", delivered: false });
    }
  });

  it("closes its half before the response", async () => {
    expect(await faultyAttempt((socket) => socket.end())).toMatchObject({
      error_code: "reset",
      status: null,
    });
  });

  it("closes anywhere before the end of the response", async () => {
    const text = "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\ncontent-length: 5\r\n\r\nhello";
    for (let length = 0; length < text.length; length++) {
      const outcome = await faultyAttempt((socket) => socket.end(text.slice(0, length)));
      expect(outcome.delivered).toBe(false);
      expect(["reset", "bad_response"]).toContain(outcome.error_code);
    }
  });
});

describe("reads at most 16 KiB of", () => {
  it("an endless response", async () => {
    const outcome = await faultyAttempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      flood(socket, `400\r\n${"e".repeat(1024)}\r\n`);
    });
    expect(outcome).toMatchObject({ delivered: true, status: 200 });
    expect(outcome.response).toBe("e".repeat(16 * 1024));
  });

  it.each([200, 500])("1 GB with status %i, without using memory", async (status) => {
    const before = process.memoryUsage.rss();
    const outcome = await faultyAttempt((socket) => {
      socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: ${2 ** 30}\r\n\r\n`);
      flood(socket, Buffer.alloc(64 * 1024, "g"));
    });
    expect(outcome).toMatchObject({ delivered: status === 200, status, response: "g".repeat(16 * 1024) });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
  });

  it("a gzip bomb, without unpacking it", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 2 ** 20));
    const outcome = await faultyAttempt((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(outcome).toMatchObject({ delivered: true, status: 200 });
    expect(outcome.response.length).toBeLessThanOrEqual(16 * 1024);
    expect(outcome.response).not.toContain("\0");
  });
});

describe("rejects", () => {
  it.each([
    "HTTP/1.1 banana\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 99999 X\r\n\r\n",
    "\0\x01\x02\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  ])("%j", async (text) => {
    expect(await faultyAttempt((socket) => socket.write(text))).toMatchObject({
      delivered: false,
      error_code: "bad_response",
    });
  });

  it("a thousand 1xx responses, after the first few", async () => {
    for (const line of ["100 Continue", "102 Processing"]) {
      const hints = `HTTP/1.1 ${line}\r\n\r\n`.repeat(1000);
      const outcome = await faultyAttempt((socket) => socket.write(hints));
      expect(outcome).toMatchObject({ delivered: false, status: null, error_code: "bad_response" });
    }
  });

  it("endless headers", async () => {
    const outcome = await faultyAttempt((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      flood(socket, `x-more: ${"h".repeat(1000)}\r\n`);
    });
    expect(outcome).toMatchObject({ delivered: false, error_code: "bad_response" });
  });
});

it("does not follow redirects", async () => {
  const canary = await server(answer("200 OK"));
  const target = await server(answer(`302 Found\r\nlocation: http://127.0.0.1:${canary.port}/`));
  const outcome = await send(sender(), `http://127.0.0.1:${target.port}/`);
  expect(outcome).toMatchObject({ delivered: false, status: 302, error_code: "http_status" });
  expect(canary.connections).toBe(0);
});

it("reports a refused connection", async () => {
  const closed = await RawServer.start(answer("200 OK"));
  const { port } = closed;
  await closed.close();
  expect(await send(sender(), `http://127.0.0.1:${port}/`)).toMatchObject({ error_code: "refused" });
});
