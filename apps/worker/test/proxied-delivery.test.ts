import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { expect, it } from "vitest";
import { ProxyServer } from "./proxy-server.ts";
import { Receiver } from "./receiver.ts";
import { afterTest } from "./sending.ts";
import { makeEvents, makeOrganization, subscribe } from "./subscriptions.ts";
import { startTestWorker } from "./test-worker.ts";

it("a worker delivers through its proxy, and logs why the proxy refused", async () => {
  const test = await createTestDatabase();
  afterTest(() => test.close());
  const receiver = await Receiver.start();
  afterTest(() => receiver.close());
  const proxy = await ProxyServer.start();
  afterTest(() => proxy.close());
  const organization_id = await makeOrganization(test.database);
  await subscribe(test.database, organization_id, receiver.url());
  const authorization = "Basic dXNlcjpwYXNz";
  const worker = await startTestWorker(test, {
    proxy: { origin: proxy.origin, authorization, resolves_names: false },
  });
  afterTest(() => worker.stop());

  await makeEvents(test.database, organization_id, 3);
  await receiver.has(3);
  const { host } = new URL(receiver.url());
  expect(new Set(proxy.asked)).toEqual(new Set([host]));
  expect(new Set(proxy.authorizations)).toEqual(new Set([authorization]));

  proxy.refusal = () => (socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  // Tunnels that are open would serve it still.
  await eventually(() => expect(proxy.open).toBe(0));
  await makeEvents(test.database, organization_id, 1);
  await eventually(async () => {
    const failed = await test.database`
      select status, error_code, error_message from attempts where error_code is not null`;
    expect(failed).toEqual([
      {
        status: null,
        error_code: "proxy",
        error_message: `the webhook proxy answered 407 Proxy Authentication Required to CONNECT ${host}`,
      },
    ]);
  });
  expect(receiver.received).toHaveLength(3);
});
