import { observe } from "@findersfee/database/postgres/connect";
import { createTestDatabase } from "@findersfee/database/testing";
import { canMount, SmallDisk } from "@findersfee/database/testing/small-disk";
import { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { samplesOf } from "@findersfee/telemetry/testing/lint";
import { afterAll, beforeAll, expect, it } from "vitest";
import { surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, serveTestDatabase, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  // Pages of a database that others have used have space for rows.
  const test = await createTestDatabase({ fresh: true });
  const metrics = new ProcessMetrics("1.2.3");
  observe(test.database, metrics);
  service = await serveTestDatabase(test, { registries: [metrics.registry] });
  organization = await service.organization();
});

afterAll(() => service.close());

async function create(surface: (typeof surfaces)[number]): Promise<ApiResponse> {
  if (surface === "rest") return await organization.rest("POST", "/campaigns", CAMPAIGN);
  const response = await fetch(`${service.url}/v1/trpc/campaigns.create`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.api_key}`, "content-type": "application/json" },
    body: JSON.stringify(CAMPAIGN),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The number of statements that failed for lack of a resource, by the metric. */
async function lacks(): Promise<number> {
  const samples = samplesOf(await (await fetch(`${service.url}/metrics`)).text());
  return [...samples]
    .filter(([name]) => /^findersfee_database_errors_total\{.*class="resources"/.test(name))
    .reduce((sum, [, count]) => sum + count, 0);
}

async function expectUnavailable(): Promise<void> {
  for (const surface of surfaces) {
    const answer = await create(surface);
    expect(answer.status).toBe(503);
    expect(responseError(surface, answer).code).toBe("unavailable");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

it.skipIf(!canMount())("answers unavailable while the disk is full, and recovers", async () => {
  const { database } = service;
  const disk = await SmallDisk.mount(database);
  try {
    await database.unsafe(`alter table campaigns set tablespace ${disk.tablespace}`);
    await disk.fill();
    const lacked = await lacks();
    await expectUnavailable();
    // What the alert about resources reads.
    expect(await lacks()).toBeGreaterThanOrEqual(lacked + surfaces.length);
    await disk.clear();
    for (const surface of surfaces) expect((await create(surface)).status).toBe(200);
    expect(await database`select from campaigns`).toHaveLength(surfaces.length);
  } finally {
    await database`alter table campaigns set tablespace pg_default`;
    await disk.unmount();
  }
});

it.each([
  ["disk full", "53100", true],
  ["out of memory", "53200", true],
  ["I/O error", "58030", true],
  ["statement timeout", "57014", false],
  ["a deadlock that persists", "40P01", false],
])("answers unavailable for %s (%s), which is a lack of resources: %s", async (_name, state, is_lack) => {
  const { database } = service;
  await database.unsafe(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '${state}', message = 'injected'; end $$;
    create trigger fail before insert on campaigns for each row execute function fail();`);
  const lacked = await lacks();
  try {
    await expectUnavailable();
    expect((await lacks()) - lacked > 0).toBe(is_lack);
  } finally {
    await database`drop function fail cascade`;
  }
});
