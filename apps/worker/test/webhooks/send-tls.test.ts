import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import { expect, it } from "vitest";
import type { Script } from "../raw-server.ts";
import { answer, send, sender, server, TIMEOUT } from "./sending.ts";

const ca = readCertificate("ca.pem");
const FAILED = { delivered: false, status: null, error_code: "tls" };

function start(certificate: "valid" | "expired" | "self-signed" | "wrong-host") {
  return server(answer("200 OK", "ok"), {
    key: readCertificate("server.key"),
    cert: readCertificate(`${certificate}.pem`),
  });
}

/** A server that does something else than TLS at the first bytes of a handshake. */
async function plain(script: Script) {
  const started = await server(script);
  started.speaks_first = true;
  return started;
}

it("trusts a certificate of a known authority", async () => {
  const { port } = await start("valid");
  expect(await send(sender({ ca }), `https://localhost:${port}/`)).toMatchObject({
    delivered: true,
    response: "ok",
  });
});

it("rejects a certificate of an unknown authority", async () => {
  const { port } = await start("valid");
  expect(await send(sender(), `https://localhost:${port}/`)).toMatchObject(FAILED);
});

it.each(["expired", "self-signed", "wrong-host"] as const)(
  "rejects a certificate that is %s",
  async (name) => {
    const target = await start(name);
    expect(await send(sender({ ca }), `https://localhost:${target.port}/`)).toMatchObject(FAILED);
    expect(target.requests).toBe(0);
    await target.isAlone();
  },
);

it("rejects a certificate for a name at an address", async () => {
  const target = await start("valid");
  expect(await send(sender({ ca }), `https://127.0.0.1:${target.port}/`)).toMatchObject(FAILED);
});

it("reports a server that does not speak TLS or aborts the handshake", async () => {
  const scripts: Script[] = [
    (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    (socket) => socket.end(),
  ];
  for (const script of scripts) {
    const target = await plain(script);
    expect(await send(sender({ ca }), `https://localhost:${target.port}/`)).toMatchObject(FAILED);
    await target.isAlone();
  }
});

it("times out a stalled TLS handshake and leaves no connection", async () => {
  const target = await plain(() => {});
  expect(
    await send(sender({ ca, timeout_milliseconds: TIMEOUT }), `https://localhost:${target.port}/`),
  ).toMatchObject({
    error_code: "timeout",
  });
  await target.isAlone();
});
