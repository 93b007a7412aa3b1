import { randomUUID } from "node:crypto";
import { lowerPasswordCost } from "@findersfee/domain/testing/cheap-passwords";
import { lintMetrics, samplesOf } from "@findersfee/telemetry/testing/lint";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../browser.ts";
import { newPerson } from "../identity/people.ts";
import { startTestService, type TestService } from "../test-service.ts";

const PER_MINUTE = 6;
const QUOTA = 2;
const CAMPAIGN = {
  name: "Partners",
  website_url: "https://shop.test",
  commission_type: "percentage",
  commission_amount: 30,
  is_default: true,
};

let service: TestService;

beforeAll(async () => {
  lowerPasswordCost();
  service = await startTestService({
    rate_limit_per_minute: PER_MINUTE,
    quotas: { stored_answers: QUOTA, audit_log_entries: 0, mails_to_strangers: 0 },
  });
});

afterAll(() => service.close());

const readMetrics = async () => await (await fetch(`${service.url}/metrics`)).text();

/** How much the counters grow while `work` runs: other tests of this process count, too. */
async function growth(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = samplesOf(await readMetrics());
  await work();
  const grown = [...samplesOf(await readMetrics())]
    .filter(([name]) => /limited|failed_sign_ins|quota/.test(name))
    .map(([name, value]): [string, number] => [
      name.replace("findersfee_", ""),
      value - (before.get(name) ?? 0),
    ]);
  return Object.fromEntries(grown.filter(([, value]) => value > 0));
}

it("counts requests beyond a limit", async () => {
  const { rest } = await service.organization();
  const statuses: number[] = [];
  const grown = await growth(async () => {
    for (let sent = 0; sent < PER_MINUTE + 2; sent++) statuses.push((await rest("GET", "/campaigns")).status);
  });
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(grown).toEqual({ 'requests_limited_total{limit="requests_of_key"}': 2 });
});

it("counts wrong keys and passwords", async () => {
  const { email } = await newPerson(service);
  const grown = await growth(async () => {
    const { rest } = service.client(`ff_sk_${"x".repeat(43)}`);
    expect((await rest("GET", "/campaigns")).status).toBe(401);
    const answer = await openBrowser(service).post("/auth/sign-in", { email, password: "wrong password 1" });
    expect(answer.status).toBe(401);
  });
  expect(grown).toEqual({
    'failed_sign_ins_total{reason="credential"}': 1,
    'failed_sign_ins_total{reason="password"}': 1,
  });
});

it("counts rows of quotas and what they refuse, and names no organization", async () => {
  const { rest, organization_id } = await service.organization();
  await rest("POST", "/campaigns", CAMPAIGN);
  const codes: string[] = [];
  const grown = await growth(async () => {
    for (let sent = 0; sent < QUOTA + 2; sent++) {
      const body = { email: `${randomUUID()}@example.com` };
      const answer = await rest("POST", "/affiliates", body, { "idempotency-key": randomUUID() });
      codes.push(answer.body.error?.code ?? "created");
    }
  });
  // A quota can be exceeded by the rows of one count.
  const refused = codes.filter((code) => code === "quota_exceeded").length;
  expect(refused).toBeGreaterThan(0);
  expect(codes.filter((code) => code === "created")).toHaveLength(QUOTA + 2 - refused);
  expect(grown).toEqual({
    'quota_rows_total{quota="stored_answers"}': QUOTA + 2 - refused,
    'quota_refusals_total{quota="stored_answers"}': refused,
  });
  const text = await readMetrics();
  expect(lintMetrics(text)).toEqual([]);
  expect(text).not.toContain(organization_id);
});
