import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { app_router } from "../../src/router.ts";
import { operations as api_operations, type Input } from "../operations.ts";
import { type StaffClient, startTestService, type TestService } from "../test-service.ts";
import { inputOf, type Known, makeKnown } from "./inputs.ts";

let service: TestService;
let ours: Known;
let theirs: Known;

beforeAll(async () => {
  service = await startTestService();
  ours = await makeKnown(service);
  theirs = await makeKnown(service);
});

afterAll(() => service.close());

interface Operation {
  name: string;
  type: string;
}

/** Every operation of the dashboard; new operations are included automatically. */
const operations: Operation[] = Object.entries(
  app_router._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([name]) => name.startsWith("dashboard."))
  .map(([name, procedure]) => ({ name, type: procedure._def.type }));

async function call(
  { url, headers }: Pick<StaffClient, "url" | "headers">,
  { name, type }: Operation,
  input: Input,
) {
  const text = encodeURIComponent(JSON.stringify(input));
  const response = await fetch(`${url}/trpc/${name}${type === "query" ? `?input=${text}` : ""}`, {
    method: type === "query" ? "GET" : "POST",
    headers: { ...headers, "content-type": "application/json" },
    ...(type === "query" ? {} : { body: JSON.stringify(input) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the bodies
  const body: any = await response.json();
  return { status: response.status, code: body.error?.data.code, data: body.result?.data };
}

async function rows(): Promise<string> {
  const tables = [
    "endpoints",
    "api_keys",
    "endpoint_secrets",
    "deliveries",
    "replays",
    "events",
    "processors",
    "processor_messages",
  ];
  const all = await Promise.all(
    tables.map((table) =>
      // A key's last use is stored once a minute, also of a rejected request.
      service.database.unsafe(`select to_jsonb(${table}) - 'last_used_at' as row from ${table} order by 1`),
    ),
  );
  return JSON.stringify(all);
}

const TAKES_NOTHING = [
  "dashboard.affiliates.tags",
  "dashboard.payout_runs.summary",
  "dashboard.campaigns.list",
  "dashboard.onboarding.status",
  "dashboard.attention.list",
  "dashboard.balances.totals",
  "dashboard.balances.converted",
  "dashboard.jobs.list",
  "dashboard.endpoints.list",
  "dashboard.endpoints.health",
  "dashboard.processors.list",
  "dashboard.processors.stripeSetup",
  "dashboard.settings.get",
  "dashboard.exchange_rates.list",
  "dashboard.security_policy.get",
  "dashboard.single_sign_on.get",
  "dashboard.organization.get",
  "dashboard.portal.get",
  "dashboard.health.get",
  "dashboard.health.local_mails",
  "dashboard.members.list",
  "dashboard.notifications.get",
  "dashboard.invitations.list",
];

describe.each(operations)("$name", (operation) => {
  const { name } = operation;

  it("is rejected with a key for the API", async () => {
    const before = await rows();
    const headers = { authorization: `Bearer ${ours.api_key}` };
    const answer = await call({ url: service.url, headers }, operation, inputOf(name, ours));
    expect(answer).toMatchObject({ status: 403, code: "insufficient_scope" });
    expect(await rows()).toBe(before);
  });

  it("rejects unknown fields", async () => {
    if (TAKES_NOTHING.includes(name)) return;
    const answer = await call(ours.staff, operation, { ...inputOf(name, ours), nonsense: 1 });
    expect(answer).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("treats another organization's ids like unknown ids", async () => {
    const before = await rows();
    const { staff: _staff, api_key: _api_key, ...ids } = theirs;
    for (const [field, id] of Object.entries(ids)) {
      const foreign = inputOf(name, { ...ours, [field]: id });
      if (JSON.stringify(foreign) === JSON.stringify(inputOf(name, ours))) continue;
      const nowhere = inputOf(name, { ...ours, [field]: randomUUID() });
      expect(await call(ours.staff, operation, foreign)).toMatchObject({ status: 404, code: "not_found" });
      expect(await call(ours.staff, operation, nowhere)).toMatchObject({ status: 404, code: "not_found" });
    }
    expect(await rows()).toBe(before);
  });

  it("has no REST path", async () => {
    const { rest } = service.client(ours.api_key);
    const { body } = await rest("GET", "/openapi.json");
    expect(JSON.stringify(body)).not.toContain("/endpoints");
    // The API has some of the resources itself.
    const path = `/${name.split(".")[1]}`;
    const taken = api_operations.filter((other) => other.path === path).map(({ method }) => method);
    for (const method of ["GET", "POST"].filter((other) => !taken.includes(other))) {
      const { status } = await rest(method, path, method === "GET" ? undefined : {});
      expect([404, 405]).toContain(status);
    }
  });
});

it("serves owners, who may use the API as well", async () => {
  const { endpoints, deliveries, replays } = ours.staff.trpc.dashboard;
  const { id, secret } = await endpoints.create.mutate({ url: "https://example.com/mine" });
  expect(await endpoints.get.query({ id })).toMatchObject({ id, enabled: true });
  expect(await endpoints.secret.query({ id })).toEqual({ secret });
  expect(await endpoints.update.mutate({ id, event_types: ["referral.created"] })).toMatchObject({
    event_types: ["referral.created"],
  });
  const rotated = await endpoints.rotate.mutate({ id });
  expect(rotated.secret).not.toBe(secret);
  const [current, former] = rotated.secrets;
  expect(Date.parse(former?.expires_at ?? "") - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const expired = await endpoints.expireSecret.mutate({ id, secret_id: former?.id ?? "" });
  expect(expired.secrets).toEqual([current]);
  const sent = await endpoints.test.mutate({ id });
  expect(sent.event_type).toBe("referral.created");
  expect((await deliveries.list.query({ endpoint_id: id })).data).toMatchObject([
    { event_id: sent.event_id },
  ]);
  expect(await deliveries.get.query({ endpoint_id: id, event_id: sent.event_id })).toMatchObject({
    attempt_log: [],
  });
  expect(await deliveries.ofEvent.query({ event_id: sent.event_id })).toHaveLength(1);
  expect(await deliveries.retry.mutate({ endpoint_id: id, event_id: sent.event_id })).toMatchObject({
    attempts: 0,
  });
  expect(await endpoints.disable.mutate({ id })).toMatchObject({ enabled: false });
  expect(await endpoints.enable.mutate({ id, replay_missed: true })).toMatchObject({ enabled: true });
  const [replay] = await replays.list.query({ endpoint_id: id });
  expect(await replays.get.query({ id: replay?.id ?? "" })).toMatchObject({ kind: "missed" });
  expect(await endpoints.delete.mutate({ id })).toMatchObject({ id });
  expect((await endpoints.list.query()).map((item) => item.id)).not.toContain(id);
  expect((await ours.staff.trpc.campaigns.list.query({})).data).toHaveLength(1);
});
