import { Writable } from "node:stream";
import fastify from "fastify";
import { expect, it } from "vitest";
import { createTlsWarning } from "../../src/admission/tls-warning.ts";

/** Sends requests with these headers one after the other; returns the warnings that each one caused. */
async function warningsOf(requests: Record<string, string>[]): Promise<number[]> {
  let warnings = 0;
  const stream = new Writable({
    write: (line, _encoding, done) => {
      if (String(line).includes("Set PUBLIC_URL")) warnings += 1;
      done();
    },
  });
  const app = fastify({ logger: { stream } });
  app.addHook("onRequest", createTlsWarning());
  app.get("/", async () => ({}));
  const counts: number[] = [];
  for (const headers of requests) {
    const before = warnings;
    await app.inject({ url: "/", headers });
    counts.push(warnings - before);
  }
  await app.close();
  return counts;
}

it("warns once that a proxy serves the service by https without PUBLIC_URL", async () => {
  const plain = { "x-forwarded-proto": "http" };
  const https = { "x-forwarded-proto": "https, http" };
  expect(await warningsOf([{}, plain, https, https])).toEqual([0, 0, 1, 0]);
  expect(await warningsOf([{ forwarded: "for=192.0.2.1;proto=http" }])).toEqual([0]);
  expect(await warningsOf([{ forwarded: 'for=192.0.2.1;proto="https"' }])).toEqual([1]);
});
