import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestClient } from "@findersfee/api/testing/test-service";
import { transformWithOxc } from "vite";

const SDK = new URL("../../../packages/sdk/src/embed.ts", import.meta.url);

/** An organization's own product: a site with a backend that makes portal tokens. */
export interface Product {
  origin: string;
  /** Tokens to hand out before new ones. */
  prepared: { token: string; url: string }[];
  /** How many tokens its page has asked for. */
  asked: () => number;
  close: () => Promise<void>;
}

const HELPER = "/embed.js";

/** The page as the documentation shows it; its parameters are further options of `embedPortal`. */
const PAGE = `
import { embedPortal } from ${JSON.stringify(HELPER)};
globalThis.failures = [];
const settings = Object.fromEntries(new URL(location.href).searchParams);
globalThis.portal = embedPortal({
  element: document.querySelector("#portal"),
  getToken: async () => (await fetch("/portal-token", { method: "POST" })).json(),
  onError: (error) => failures.push(String(error)),
  ...settings,
});
`;

const HTML = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Product</title><meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,"></head>
  <body><h1>Your account</h1><div id="portal"></div><script type="module" src="/page.js"></script></body>
</html>`;

/** A page that sends a token to the first frame of the page around it. */
const MEDDLER = `
const token = location.hash.slice(1);
parent.frames[0].postMessage({ type: "findersfee:token", token }, "*");
`;

export async function startProduct(
  { trpc }: TestClient,
  { affiliate_id, service_origin }: { affiliate_id: string; service_origin: string },
): Promise<Product> {
  const embed = (await transformWithOxc(await readFile(SDK, "utf8"), "embed.ts")).code;
  let asked = 0;
  const prepared: Product["prepared"] = [];
  const answers: Record<string, (response: ServerResponse) => void | Promise<void>> = {
    "/": (response) => {
      const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; frame-src ${service_origin} http://localhost:*`;
      response.setHeader("content-security-policy", policy);
      send(response, "text/html", HTML);
    },
    "/page.js": (response) => send(response, "text/javascript", PAGE),
    "/meddler": (response) =>
      send(response, "text/html", '<script type="module" src="/meddler.js"></script>'),
    "/meddler.js": (response) => send(response, "text/javascript", MEDDLER),
    [HELPER]: (response) => send(response, "text/javascript", embed),
    "/portal-token": async (response) => {
      asked += 1;
      const token = prepared.shift() ?? (await trpc.portal_tokens.create.mutate({ affiliate_id }));
      send(response, "application/json", JSON.stringify(token));
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split("?")[0] ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else void answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Another site than the service's 127.0.0.1, not only another origin.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, prepared, asked: () => asked, close: () => closeServer(server) };
}

function send(response: ServerResponse, type: string, body: string): void {
  response.setHeader("content-type", type).end(body);
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
