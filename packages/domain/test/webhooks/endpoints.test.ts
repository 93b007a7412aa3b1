import { randomUUID } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { openSecret } from "../../src/secrets/secrets.ts";
import { testEndpoint } from "../../src/webhooks/deliveries/send-test.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import { enableEndpoint } from "../../src/webhooks/endpoints/enable.ts";
import { expireEndpointSecret } from "../../src/webhooks/endpoints/expire-secret.ts";
import { getEndpoint, getEndpointSecret } from "../../src/webhooks/endpoints/get.ts";
import { listEndpoints } from "../../src/webhooks/endpoints/list.ts";
import { rotateEndpoint } from "../../src/webhooks/endpoints/rotate.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update.ts";
import { getEvent } from "../../src/webhooks/events/get.ts";
import { listEvents } from "../../src/webhooks/events/list.ts";
import { addEndpoint, makeContext, POLICY, recordEvents } from "../subscriber.ts";

let test: TestDatabase;
let context: Context & { woken: () => number };
let stranger: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  stranger = await makeContext(test.database);
});

afterAll(() => test.close());

async function stored(id: string) {
  const [row] = await test.database`select * from endpoints where id = ${id}`;
  return row;
}

it("creates an endpoint with an encrypted secret and returns the secret", async () => {
  const { secret, ...endpoint } = await addEndpoint(context, { event_types: ["commission.created"] });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const owner = { organization_id: context.organization.id, endpoint_id: endpoint.id };
  const [row] = await test.database`
    select secret_encrypted from endpoint_secrets where endpoint_id = ${endpoint.id}`;
  expect(openSecret(POLICY.secrets_key, owner, row?.secret_encrypted)).toBe(secret);
  expect(await getEndpoint(context, endpoint.id)).toEqual(endpoint);
  expect(await getEndpointSecret(context, POLICY, endpoint.id)).toEqual({ secret });
  expect(await listEndpoints(context)).toContainEqual(endpoint);
  expect(await listEndpoints(stranger)).toEqual([]);
});

it.each(["http://example.com/", "https://10.0.0.1/", "https://user@example.com/", "nonsense"])(
  "rejects a creation or update for %s",
  async (url) => {
    const refused = { code: "invalid_request", issues: [{ path: "url" }] };
    await expect(addEndpoint(context, { url })).rejects.toMatchObject(refused);
    const { id } = await addEndpoint(context);
    await expect(updateEndpoint(context, POLICY, { id, url })).rejects.toMatchObject(refused);
    expect((await stored(id))?.url).toBe("https://example.com/webhooks");
  },
);

it("allows 50 endpoints per organization, also with concurrent requests", async () => {
  const full = await makeContext(test.database);
  const made = await Promise.allSettled(Array.from({ length: 53 }, () => addEndpoint(full)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
  expect(await listEndpoints(full)).toHaveLength(50);
  await expect(addEndpoint(full)).rejects.toMatchObject({ code: "invalid_request" });
});

it("updates only the given fields", async () => {
  const { id, secret, ...before } = await addEndpoint(context, { description: "Ledger" });
  const url = "https://example.com/other";
  expect(await updateEndpoint(context, POLICY, { id, url })).toEqual({ id, ...before, url });
  const event_types = ["referral.created"] as ["referral.created"];
  expect(await updateEndpoint(context, POLICY, { id, event_types })).toMatchObject({ url, event_types });
  expect(await updateEndpoint(context, POLICY, { id, event_types: null })).toMatchObject({
    event_types: null,
  });
  expect(await getEndpoint(context, id)).toMatchObject({ description: "Ledger" });
  expect(await getEndpointSecret(context, POLICY, id)).toEqual({ secret });
});

it("creates no deliveries for a disabled endpoint, and enables it without failures", async () => {
  const own = await makeContext(test.database);
  const { id } = await addEndpoint(own);
  const disabled = await disableEndpoint(own, id);
  expect(disabled).toMatchObject({ enabled: false, disabled_reason: "operator" });
  expect(await disableEndpoint(own, id)).toEqual(disabled);
  await recordEvents(own, 2);
  expect(await test.database`select from deliveries where endpoint_id = ${id}`).toHaveLength(0);
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since)
    values (${own.organization.id}, ${id}, 9, now())`;
  expect(await enableEndpoint(own, { id, replay_missed: false }, POLICY)).toMatchObject({
    enabled: true,
    disabled_at: null,
    failing_since: null,
  });
  const [health] = await test.database`select failures from endpoint_health where endpoint_id = ${id}`;
  expect(health?.failures).toBe(0);
  expect(await test.database`select from replays where endpoint_id = ${id}`).toHaveLength(0);
});

it("sends test events, which the feed does not show", async () => {
  const own = await makeContext(test.database);
  const { id } = await addEndpoint(own, { event_types: ["referral.converted"] });
  await addEndpoint(own);
  const woken = own.woken();
  const delivery = await testEndpoint(own, { id });
  expect(delivery).toMatchObject({ endpoint_id: id, event_type: "referral.converted", state: "pending" });
  expect(own.woken()).toBe(woken + 1);
  const [event] = await test.database`select body from events where id = ${delivery.event_id}`;
  expect(JSON.parse(event?.body)).toMatchObject({
    type: "referral.converted",
    data: { email: "customer@example.com", affiliate: { first_name: "Jane" } },
  });
  expect(await test.database`select from deliveries where event_id = ${delivery.event_id}`).toHaveLength(1);
  const chosen = await testEndpoint(own, { id, type: "affiliate.approved" });
  expect(chosen).toMatchObject({ event_type: "affiliate.approved", state: "pending" });
  expect((await listEvents(own, { limit: 10, order: "oldest_first" })).data).toEqual([]);
  await expect(getEvent(own, delivery.event_id)).rejects.toMatchObject({ code: "not_found" });
});

it("deletes the pending deliveries of a deleted endpoint", async () => {
  const own = await makeContext(test.database);
  const { id } = await addEndpoint(own);
  await recordEvents(own, 2);
  await deleteEndpoint(own, id);
  expect(await stored(id)).toBeUndefined();
  const rows = await test.database`select state from deliveries where endpoint_id = ${id}`;
  expect(rows.map(({ state }) => state)).toEqual(["canceled", "canceled"]);
});

describe("another organization's", () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ["get", (id) => getEndpoint(stranger, id)],
    ["get the secret of", (id) => getEndpointSecret(stranger, POLICY, id)],
    ["update", (id) => updateEndpoint(stranger, POLICY, { id, description: "x" })],
    ["rotate", (id) => rotateEndpoint(stranger, POLICY, { id, overlap_seconds: 0 })],
    ["expire a secret of", (id) => expireEndpointSecret(stranger, { id, secret_id: id })],
    ["disable", (id) => disableEndpoint(stranger, id)],
    ["enable", (id) => enableEndpoint(stranger, { id, replay_missed: true }, POLICY)],
    ["test", (id) => testEndpoint(stranger, { id })],
    ["delete", (id) => deleteEndpoint(stranger, id)],
  ])("is not found by %s", async (_, operation) => {
    const { id } = await addEndpoint(context);
    const before = await stored(id);
    await expect(operation(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(operation(randomUUID())).rejects.toMatchObject({ code: "not_found" });
    expect(await stored(id)).toEqual(before);
  });
});
