import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { app_router } from "../src/router.ts";
import { inputOf, type Known, makeKnown } from "./dashboard-inputs.ts";
import { operations as api_operations, type Input } from "./operations.ts";
import { type StaffClient, startTestService, type TestService } from "./test-service.ts";

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

/** A valid input, with the ids of one organization. */
function inputOf(name: string, known: Known): Input {
  const { endpoint_id, event_id, replay_id, affiliate_id, message_id, decision_id, commission_id } = known;
  const { run_id, payout_id, secret_id, user_id, invitation_id, key_id } = known;
  switch (name.slice("dashboard.".length)) {
    case "endpoints.list":
      return {};
    case "endpoints.create":
      return { url: "https://example.com/hooks" };
    case "endpoints.update":
      return { id: endpoint_id, description: "Ledger" };
    case "endpoints.health":
    case "api_keys.list":
    case "events.list":
      return {};
    case "api_keys.create":
      return { name: "Reports", scopes: ["view"] };
    case "api_keys.rotate":
    case "api_keys.revoke":
      return { id: key_id };
    case "endpoints.expireSecret":
      return { id: endpoint_id, secret_id };
    case "endpoints.get":
    case "endpoints.secret":
    case "endpoints.rotate":
    case "endpoints.test":
    case "endpoints.disable":
    case "endpoints.enable":
    case "endpoints.delete":
      return { id: endpoint_id };
    case "deliveries.list":
    case "deliveries.counts":
      return { endpoint_id };
    case "deliveries.retryMany":
      return { deliveries: [{ endpoint_id, event_id }] };
    case "deliveries.ofEvent":
      return { event_id };
    case "deliveries.get":
    case "deliveries.retry":
      return { endpoint_id, event_id };
    case "events.get":
      return { id: event_id };
    case "events.send":
      return { id: event_id, endpoint_id };
    case "replays.create":
    case "replays.estimate":
      return { endpoint_id, ...RANGE };
    case "replays.get":
    case "replays.stop":
      return { id: replay_id };
    case "replays.list":
      return { endpoint_id };
    case "payment_decisions.list":
    case "payment_decisions.counts":
      return {};
    case "payments.list":
    case "commissions.list":
      return { affiliate_id };
    case "commissions.story":
      return { id: commission_id };
    case "commissions.void":
    case "commissions.restore":
      return { ids: [commission_id] };
    case "payment_decisions.previewRerun":
    case "payment_decisions.rerunMany":
      return { ids: [decision_id] };
    case "payment_decisions.explain":
    case "payment_decisions.get":
    case "payment_decisions.rerun":
      return { id: decision_id };
    case "payment_decisions.dryRun":
      return { revenue_amount: 10 };
    case "affiliates.list":
    case "processors.list":
    case "changes.list":
    case "processor_messages.list":
    case "processor_messages.counts":
    case "processor_messages.rerunParked":
      return {};
    case "processor_lookups.list":
    case "processor_lookups.retry":
      return {};
    case "processors.checkEvents":
    case "processors.reconcile":
    case "processors.connect":
    case "processors.update":
    case "processors.rotate":
    case "processors.disconnect":
      return { name: "generic" };
    case "processor_messages.get":
    case "processor_messages.body":
    case "processor_messages.rerun":
      return { processor: "generic", id: message_id };
    case "promo_codes.list":
    case "promo_codes.retry":
      return { affiliate_id };
    case "promo_codes.link":
      return { affiliate_id, code: "JANE" };
    case "campaigns.list":
    case "onboarding.status":
      return {};
    case "campaigns.get":
      return { id: known.campaign_id };
    case "campaigns.update":
      return { version: "1", change: { id: known.campaign_id, name: "Partners" } };
    case "campaigns.simulate":
      return {
        draft: { commission_type: "percentage", commission_amount: 30 },
        payments: [{ paid_at: RANGE.events_from, revenue_amount: 49 }],
      };
    case "onboarding.dismiss":
      return { dismissed: true };
    case "onboarding.play_sale":
    case "onboarding.test_sale":
      return { id: NOWHERE };
    case "onboarding.remove_test_data":
      return { organization_id: NOWHERE };
    case "analytics.overview":
      return { from: "2026-11-01", until: "2026-12-01" };
    case "erasures.members":
      return {};
    case "erasures.affiliate":
    case "balances.list":
    case "ledger.list":
      return { affiliate_id };
    case "payout_runs.get":
    case "payout_runs.files":
      return { id: run_id };
    case "payouts.open":
      return { run_id };
    case "payouts.explain":
      return { id: payout_id };
    case "attention.list":
    case "balances.totals":
    case "payout_runs.start":
    case "payout_runs.list":
    case "payout_runs.summary":
    case "payout_runs.preview":
    case "payouts.list":
    case "settings.get":
    case "settings.update":
      return {};
    case "payouts.move":
      return { ids: [payout_id], status: "processing" };
    case "settings.rotateSignupSecret":
    case "health.get":
    case "health.check_ledger":
    case "organization.get":
    case "organization.update":
    case "members.list":
    case "invitations.list":
      return {};
    case "health.retry_mails":
      return { ids: [payout_id] };
    case "members.change":
      return { user_id, role: "admin" };
    case "members.remove":
      return { user_id };
    case "invitations.create":
      return { email: "joe@example.com", role: "viewer" };
    case "invitations.revoke":
      return { id: invitation_id };
    default:
      throw new Error(`add an input for ${name} here`);
  }
}

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
    tables.map((table) => service.database.unsafe(`select ${table}::text as row from ${table} order by 1`)),
  );
  return JSON.stringify(all);
}

const TAKES_NOTHING = [
  "dashboard.payout_runs.summary",
  "dashboard.campaigns.list",
  "dashboard.onboarding.status",
  "dashboard.attention.list",
  "dashboard.balances.totals",
  "dashboard.jobs.list",
  "dashboard.endpoints.list",
  "dashboard.endpoints.health",
  "dashboard.processors.list",
  "dashboard.settings.get",
  "dashboard.organization.get",
  "dashboard.health.get",
  "dashboard.members.list",
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

  const ids = [
    "endpoint_id",
    "secret_id",
    "event_id",
    "replay_id",
    "affiliate_id",
    "campaign_id",
    "message_id",
    "decision_id",
    "commission_id",
    "run_id",
    "payout_id",
    "user_id",
    "invitation_id",
    "key_id",
    "referral_id",
    "job_id",
  ];

  it("treats another organization's ids like unknown ids", async () => {
    const before = await rows();
    for (const field of ids) {
      const foreign = inputOf(name, { ...ours, [field]: theirs[field as "endpoint_id"] });
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
