import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { disableFailingEndpoints } from "@findersfee/domain/webhooks/endpoints/disable-failing";
import { expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";
import { ProxyServer } from "./proxy-server.ts";
import { afterTest } from "./sending.ts";

it("delivers through the proxy and logs why the proxy rejects a tunnel", async () => {
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

it.runIf(FULL_TESTS)("does not count an outage of the proxy as failures of endpoints", async () => {
  const test = await createTestDatabase();
  afterTest(() => test.close());
  const receiver = await Receiver.start();
  afterTest(() => receiver.close());
  const proxy = await ProxyServer.start();
  afterTest(() => proxy.close());
  const organization_id = await makeOrganization(test.database);
  await subscribe(test.database, organization_id, receiver.url());
  const worker = await startTestWorker(test, {
    proxy: { origin: proxy.origin, authorization: null, resolves_names: false },
  });
  afterTest(() => worker.stop());
  const failing_seconds = async () => {
    const text = await worker.registry.metrics();
    return Number(/^findersfee_webhook_proxy_failing_seconds (\S+)$/m.exec(text)?.[1]);
  };
  const failures = async () => [...(await test.database`select failures from endpoint_health`)];

  // One more failure, and it would have failed for 6 days.
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    select organization_id, id, 1, now() - interval '6 days', now() - interval '4 days' from endpoints`;
  proxy.refusal = () => (socket) => socket.destroy();
  await makeEvents(test.database, organization_id, 20);
  // As many as would mark an endpoint as failing.
  await eventually(async () => {
    const failed = await test.database`select from attempts where error_code = 'proxy'`;
    expect(failed.length).toBeGreaterThanOrEqual(5);
  });
  expect(await failing_seconds()).toBeGreaterThan(0);
  expect(await failures()).toEqual([{ failures: 1 }]);
  expect(await disableFailingEndpoints(test.database)).toBe(0);

  proxy.refusal = null;
  await eventually(async () => {
    await test.database`update pending_deliveries set due_at = now() where due_at > now()`;
    const left = await test.database`select from pending_deliveries`;
    expect(left).toHaveLength(0);
  });
  expect(new Set(receiver.ids()).size).toBe(20);
  expect(await failures()).toEqual([{ failures: 0 }]);
  expect(await failing_seconds()).toBe(0);
});
