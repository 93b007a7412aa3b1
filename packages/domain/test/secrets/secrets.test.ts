import { randomUUID } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { openSecret } from "../../src/secrets/secrets.ts";
import { expireEndpointSecret } from "../../src/webhooks/endpoints/expire-secret.ts";
import { listEndpoints } from "../../src/webhooks/endpoints/list.ts";
import { rotateEndpoint } from "../../src/webhooks/endpoints/rotate.ts";
import { addEndpoint, makeContext, POLICY } from "../subscriber.ts";

const HOUR = 3600;

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
});

afterAll(() => test.close());

const rotate = (id: string, overlap_seconds = HOUR) =>
  rotateEndpoint(context, POLICY, { id, overlap_seconds });

/** The stored secrets of an endpoint in clear, the current one first. */
async function stored(endpoint_id: string): Promise<string[]> {
  const rows = await test.database<{ secret_encrypted: Buffer }[]>`
    select secret_encrypted from endpoint_secrets where endpoint_id = ${endpoint_id}
    order by expires_at desc nulls first`;
  const owner = { organization_id: context.organization.id, endpoint_id };
  return rows.map(({ secret_encrypted }) => openSecret(POLICY.secrets_key, owner, secret_encrypted));
}

async function listed(id: string) {
  return (await listEndpoints(context)).find((endpoint) => endpoint.id === id)?.secrets ?? [];
}

function secondsUntil(time: string | null | undefined): number {
  return (Date.parse(time ?? "") - Date.now()) / 1000;
}

it("keeps each former secret until it expires", async () => {
  const { id, secret: first } = await addEndpoint(context);
  const second = await rotate(id, 3 * HOUR);
  const third = await rotate(id, 2 * HOUR);
  const fourth = await rotate(id, HOUR);
  expect(await stored(id)).toEqual([fourth.secret, first, second.secret, third.secret]);
  expect(fourth.secrets.map(({ expires_at }) => expires_at === null)).toEqual([true, false, false, false]);
  for (const [index, hours] of [3, 2, 1].entries()) {
    const seconds = secondsUntil(fourth.secrets[index + 1]?.expires_at);
    expect(seconds).toBeGreaterThan(hours * HOUR - 60);
    expect(seconds).toBeLessThanOrEqual(hours * HOUR);
  }
  const { secret: _, ...endpoint } = fourth;
  expect(await listEndpoints(context)).toContainEqual(endpoint);
  expect(JSON.stringify(await listEndpoints(context))).not.toContain("whsec_");
});

it("replaces only the current secret at once without overlap", async () => {
  const { id, secret } = await addEndpoint(context);
  const leaked = await rotate(id);
  const replaced = await rotate(id, 0);
  expect(await stored(id)).toEqual([replaced.secret, secret]);
  expect(await stored(id)).not.toContain(leaked.secret);
});

it("expires a former secret now", async () => {
  const { id } = await addEndpoint(context);
  const second = await rotate(id);
  const third = await rotate(id);
  // The first secret: it was replaced before the second one, and so ends before it.
  const secret_id = third.secrets.at(-1)?.id ?? "";
  const { secrets } = await expireEndpointSecret(context, { id, secret_id: secret_id.toUpperCase() });
  expect(secrets).toEqual(third.secrets.slice(0, 2));
  expect(await stored(id)).toEqual([third.secret, second.secret]);
  for (const unknown of [secret_id, randomUUID()]) {
    await expect(expireEndpointSecret(context, { id, secret_id: unknown })).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

it("does not expire the current secret or one of another endpoint", async () => {
  const { id, secret } = await addEndpoint(context);
  const other = await addEndpoint(context);
  const [former] = (await rotate(other.id)).secrets.slice(1);
  const [current] = await listed(id);
  await expect(expireEndpointSecret(context, { id, secret_id: current?.id ?? "" })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "secret_id" }],
  });
  await expect(expireEndpointSecret(context, { id, secret_id: former?.id ?? "" })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await stored(id)).toEqual([secret]);
  expect(await stored(other.id)).toHaveLength(2);
});

it("allows at most ten valid secrets, also with concurrent rotations", async () => {
  const { id } = await addEndpoint(context);
  const rotations = await Promise.allSettled(Array.from({ length: 12 }, () => rotate(id)));
  expect(rotations.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
  const before = await stored(id);
  expect(before).toHaveLength(10);
  await expect(rotate(id)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("at most 10 valid secrets"),
  });
  expect(await stored(id)).toEqual(before);
  // A leaked secret can always be replaced.
  const replaced = await rotate(id, 0);
  expect(replaced.secrets).toHaveLength(10);
  await expireEndpointSecret(context, { id, secret_id: replaced.secrets.at(-1)?.id ?? "" });
  expect((await rotate(id)).secrets).toHaveLength(10);
});

it("does not count expired secrets, and deletes them in the next rotation", async () => {
  const { id } = await addEndpoint(context);
  for (let time = 0; time < 9; time++) await rotate(id);
  await test.database`
    update endpoint_secrets set expires_at = now() - interval '1 second'
    where endpoint_id = ${id} and expires_at is not null`;
  expect(await listed(id)).toHaveLength(1);
  await rotate(id);
  expect(await stored(id)).toHaveLength(2);
});
