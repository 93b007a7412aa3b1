import { openPool } from "@findersfee/database/testing/own-postgres";
import { alignEventClock } from "@findersfee/database/webhooks/event-clock";
import { makeFirstSetupLink } from "@findersfee/domain/identity/setup/links";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CAMPAIGN } from "../program.ts";
import { ENDPOINT_POLICY, type StaffClient, serveTestDatabase, type TestClient } from "../test-service.ts";
import { type Replicated, startReplicated } from "./replicated.ts";

let running: Replicated;
let organization: TestClient;
let staff: StaffClient;

beforeAll(async () => {
  running = await startReplicated();
  await claimDatabase(running.database, ENDPOINT_POLICY.secrets_key);
  const [service] = running.services;
  organization = await service.organization();
  await organization.trpc.campaigns.create.mutate(CAMPAIGN);
  staff = await service.staff(organization.organization_id);
  await running.used();
});

afterAll(() => running.close());

it("answers reads on a standby alone, rejects changes, and takes them once it is promoted", async () => {
  await running.postgres.end("SIGINT");
  const database = openPool(running.standby.url, 5);
  // As `findersfee api` starts.
  expect(await claimDatabase(database, ENDPOINT_POLICY.secrets_key)).toBe(true);
  await alignEventClock(database);
  expect(await makeFirstSetupLink(database)).toBeNull();
  const close = () => database.end({ timeout: 1 });
  const service = await serveTestDatabase({ database, url: running.standby.url, close }, {});
  onTestFinished(() => service.close());
  const { rest } = service.client(organization.api_key);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await rest("GET", "/campaigns")).body.data).toHaveLength(1);
  const list = await fetch(`${service.url}/trpc/dashboard.affiliates.list?input=%7B%7D`, {
    headers: { ...staff.headers, origin: service.url },
  });
  expect(list.status).toBe(200);
  const refused = await rest("POST", "/campaigns", { ...CAMPAIGN, name: "Second" });
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).not.toBeNull();
  await running.standby.promote();
  await expect
    .poll(async () => (await rest("POST", "/campaigns", { ...CAMPAIGN, name: "Second" })).status)
    .toBe(200);
  expect((await rest("GET", "/campaigns")).body.data).toHaveLength(2);
});
