import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OPERATOR } from "@findersfee/domain/actor";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import type { Context } from "@findersfee/domain/context";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, serviceEnvironment } from "../command-line.ts";

const CLIENTS = 16;
/** The number of acknowledged clicks before the process is killed. */
const BEFORE = FULL_TESTS ? 300 : 100;

let test: TestDatabase;
let api: CommandLine;
let url: string;
let organization_id: string;
let key: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const organization = { name: "Crash", currency: "USD", subscription_status: "active" } as const;
  const created = await createOrganization(test.database, organization);
  ({ organization_id, publishable_key: key } = created);
  const context: Context = {
    database: test.database,
    organization: { ...organization, id: organization_id },
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
  const rate = { commission_type: "percentage", commission_amount: 30 } as const;
  const page = { code_mode: "link", website_url: "https://example.com" } as const;
  await createCampaign(context, { name: "Crash", ...rate, ...page, is_default: true });
  await createAffiliate(context, { email: "jane@example.com", ref_code: "jane" });
  api = new CommandLine(
    ["api"],
    serviceEnvironment(test.url, { LOG_LEVEL: "fatal", TRACK_LIMIT_PER_MINUTE: "0" }),
  );
  url = await api.says(/served at (http:\S+)\/v1/);
});

afterAll(async () => {
  await api.end("SIGKILL");
  await test.close();
});

let visitors = 0;

/** Reports the click of a new visitor; null without a response. */
async function click(): Promise<string | null> {
  visitors += 1;
  const user_agent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.${visitors}.0 Safari/537.36`;
  const response = await fetch(`${url}/track/click`, {
    method: "POST",
    headers: { "user-agent": user_agent },
    body: JSON.stringify({ key, code: "jane" }),
  }).catch(() => null);
  const text = (await response?.text().catch(() => "")) ?? "";
  return text === "" ? null : JSON.parse(text).data.click_id;
}

it("keeps every acknowledged click when killed, and counts exactly the stored ones", async () => {
  const answered: string[] = [];
  let killed: Promise<unknown> | null = null;
  const make = async () => {
    for (;;) {
      const id = await click();
      if (id === null) return;
      answered.push(id);
      if (answered.length >= BEFORE) killed ??= api.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, make));
  await killed;
  expect(answered.length).toBeGreaterThanOrEqual(BEFORE);
  // Statements in progress at the kill are committed or rolled back once the connection is gone.
  await expect
    .poll(async () => {
      const rows = await test.database`
          select from pg_stat_activity
          where datname = current_database() and application_name = 'findersfee api'`;
      return rows.length;
    })
    .toBe(0);
  const rows = await test.database`select id from clicks where organization_id = ${organization_id}`;
  const stored = new Set(rows.map(({ id }) => id));
  expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  const [affiliate] = await test.database`
    select clicks::int as clicks from affiliates where organization_id = ${organization_id}`;
  expect(affiliate?.clicks).toBe(stored.size);
});
