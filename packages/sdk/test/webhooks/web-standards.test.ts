import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { BODY, SECRET, signedDelivery } from "./signed-delivery.ts";

/** The globals that Node, Bun, Deno and workers share. */
const STANDARDS = {
  TextEncoder,
  TextDecoder,
  Request,
  Response,
  Headers,
  atob,
  btoa,
  console,
};

it("needs only web standards, imports no module, and is at most 8 kB", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/../../src/webhooks.ts`],
    bundle: true,
    minify: true,
    platform: "neutral",
    format: "iife",
    globalName: "webhooks",
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  expect(gzipSync(code).length).toBeLessThan(8 * 1024);
  const { headers, body } = signedDelivery();
  const context = createContext({ ...STANDARDS, given: { body, headers, secret: SECRET } });
  const answers = runInContext(
    `${code};
    (async () => {
      const { body, headers, secret } = given;
      const { event } = await webhooks.verify(body, headers, secret);
      const handler = webhooks.fetchHandler({ secret, onEvent: () => {} });
      const request = new Request("https://example.com/hooks", { method: "POST", headers, body });
      return JSON.stringify([event, (await handler(request)).status]);
    })()`,
    context,
  );
  expect(JSON.parse(await answers)).toEqual([JSON.parse(BODY), 204]);
});
