/* The service asks for itself at a host name of links, on the way that visitors take. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createAskHost } from "../../src/portal/ask-host.ts";

const ID = "019aa0de-71a5-7000-8b2e-0e4d5a1c7f10";
const LOCAL = { allow_http: true, allow_private: true };

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (body: unknown): string => JSON.stringify(body);

it("knows itself by the organization that it serves there", async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.end(json({ success: true, data: { organization_id: ID } }));
  });
  const ask = createAskHost(LOCAL);
  expect(await ask(url, ID, "link")).toBe(true);
  expect(await ask(url, "019aa0de-71a5-7000-8b2e-0e4d5a1c7f11", "link")).toBe(false);
  expect(await ask(url, ID, "portal")).toBe(true);
  expect(asked).toEqual(["/track/host", "/track/host", "/portal/look"]);
});

it.each<[string, RequestListener]>([
  ["a page", (_, response) => response.end("<!doctype html>")],
  ["other JSON", (_, response) => response.end(json({ data: null }))],
  ["an error", (_, response) => response.writeHead(404).end(json({ data: { organization_id: ID } }))],
  ["a redirect", (_, response) => response.writeHead(302, { location: "/x" }).end()],
  [
    "a large answer",
    (_, response) => response.end(" ".repeat(300 * 1024) + json({ data: { organization_id: ID } })),
  ],
  ["a closed connection", (request) => request.socket.destroy()],
])("does not take %s for itself", async (_, answer) => {
  expect(await createAskHost(LOCAL)(await serve(answer), ID, "link")).toBe(false);
});

it("asks once more where a process does not know the name yet", async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 421 : 200).end(json({ data: { organization_id: ID } }));
  });
  expect(await createAskHost(LOCAL)(url, ID, "link")).toBe(true);
});

it("never asks for private addresses", async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.end(json({ data: { organization_id: ID } }));
  });
  expect(await createAskHost({ allow_http: true, allow_private: false })(url, ID, "link")).toBe(false);
  expect(await createAskHost({ allow_http: false, allow_private: true })(url, ID, "link")).toBe(false);
  expect(requests).toBe(0);
});
