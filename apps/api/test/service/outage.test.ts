import type { Database } from "@findersfee/database/postgres/connect";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { FaultyPostgres, failRandomly } from "@findersfee/database/testing/faults/faulty-postgres";
import { seededRandom } from "@findersfee/database/testing/faults/seeded-random";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { startApi } from "../../src/server.ts";
import { surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, ENDPOINT_POLICY, QUIET } from "../test-service.ts";

const POOL = 5;
const HANDLER_MILLISECONDS = 2_000;
const LIMITED = { ...LIMITS, handler_milliseconds: HANDLER_MILLISECONDS };
/** The maximum response time, regardless of the database's state. */
const SECONDS_TO_ANSWER = 10;
const RECOVERY_MILLISECONDS = 30_000;

let postgres: OwnPostgres;
let proxy: FaultyPostgres;
let api_key: string;
/** One service connected directly to Postgres, and one through the proxy. */
let straight: Service;
let proxied: Service;

interface Service {
  url: string;
  database: Database;
  close(): Promise<void>;
}

async function startService(database_url: string): Promise<Service> {
  const database = openPool(database_url, POOL);
  const api = await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY, limits: LIMITED });
  const close = async () => {
    await api.close();
    await database.end({ timeout: 1 });
  };
  return { url: api.url, database, close };
}

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  proxy = await FaultyPostgres.before(postgres.url);
  straight = await startService(postgres.url);
  proxied = await startService(proxy.url);
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  api_key = (await createOrganization(straight.database, organization)).api_key;
});

afterAll(async () => {
  await straight.close();
  await proxied.close();
  await proxy.close();
  await postgres.remove();
});

async function ask({ url }: Service, path: string, init: RequestInit = {}): Promise<ApiResponse> {
  const started = performance.now();
  const response = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json", ...init.headers },
  });
  const body = await response.json();
  expect(performance.now() - started).toBeLessThan(SECONDS_TO_ANSWER * 1000);
  return { status: response.status, headers: response.headers, body };
}

const READS = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.list?input={}" };
const WRITES = { rest: "/v1/campaigns", trpc: "/v1/trpc/campaigns.create" };

type Surface = (typeof surfaces)[number];

function create(
  service: Service,
  surface: Surface,
  { name, key }: { name: string; key: string },
): Promise<ApiResponse> {
  const body = JSON.stringify({ ...CAMPAIGN, name });
  return ask(service, WRITES[surface], { method: "POST", body, headers: { "idempotency-key": key } });
}

async function expectUnavailable(service: Service): Promise<void> {
  const asked = surfaces.flatMap((surface) => [
    ...Array.from({ length: 10 }, async () => [surface, await ask(service, READS[surface])] as const),
    ...Array.from({ length: 10 }, async (_, index) => {
      const answer = await create(service, surface, { name: "Lost", key: `lost-${index}` });
      return [surface, answer] as const;
    }),
  ]);
  for (const [surface, answer] of await Promise.all(asked)) {
    expect(responseError(surface, answer).code).toBe("unavailable");
  }
  expect(responseError("rest", await ask(service, "/readyz")).code).toBe("unavailable");
  expect((await ask(service, "/healthz")).status).toBe(200);
  const started = performance.now();
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('findersfee_api_database_reads_up{reading="migrations"} 0');
  expect(metrics).toContain("findersfee_http_requests_total{");
  expect(performance.now() - started).toBeLessThan(SECONDS_TO_ANSWER * 1000);
}

/**
 * Checks that the service recovers on its own, on each of its connections. Earlier requests may still hold
 * their places.
 */
async function expectRecovery(service: Service): Promise<void> {
  const reads = Array.from({ length: POOL * 4 }, (_, index) => READS[index % 2 === 0 ? "rest" : "trpc"]);
  await waitForResult(RECOVERY_MILLISECONDS, async () => {
    const answers = await Promise.all(reads.map((read) => ask(service, read)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      expect(responseError(index % 2 === 0 ? "rest" : "trpc", answer).code).toBe("unavailable");
      return null;
    }
    return answers;
  });
  expect((await ask(service, "/readyz")).status).toBe(200);
}

async function warmUp(service: Service): Promise<void> {
  const asked = Array.from({ length: POOL * 2 }, () => ask(service, READS.rest));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
}

async function countCampaigns(name: string): Promise<number> {
  const [row] = await straight.database<[{ count: bigint }]>`
    select count(*) from campaigns where name = ${name}`;
  return Number(row.count);
}

const STOPS = [
  ["crashes", "SIGKILL"],
  ["is stopped", "SIGINT"],
  ["is stopped at once", "SIGQUIT"],
] as const;

describe.each(FULL_TESTS ? STOPS : STOPS.slice(0, 1))("when the database %s", (_name, signal) => {
  it("reports it in each response until recovery", async () => {
    await Promise.all([warmUp(straight), warmUp(proxied)]);
    await postgres.end(signal);
    await Promise.all([expectUnavailable(straight), expectUnavailable(proxied)]);
    await postgres.startAgain();
    await Promise.all([expectRecovery(straight), expectRecovery(proxied)]);
  });
});

describe("when the database hangs", () => {
  afterEach(() => postgres.thaw());

  it("reports it in time in each response until recovery", async () => {
    await warmUp(straight);
    await postgres.freeze();
    await expectUnavailable(straight);
    postgres.thaw();
    await expectRecovery(straight);
  });

  it.each(FULL_TESTS ? surfaces : surfaces.slice(0, 1))(
    "makes a change over %s once after an unavailable response",
    async (surface) => {
      const campaign = { name: `Frozen ${surface}`, key: `frozen-${surface}` };
      await warmUp(straight);
      await postgres.freeze();
      const answer = await create(straight, surface, campaign);
      expect(responseError(surface, answer).code).toBe("unavailable");
      postgres.thaw();
      await createInTheEnd(straight, surface, campaign);
      expect(await countCampaigns(campaign.name)).toBe(1);
    },
  );

  it("limits the number of waiting requests", async () => {
    const database = openPool(postgres.url, POOL);
    const api = await startApi(QUIET, database, {
      endpoint_policy: ENDPOINT_POLICY,
      limits: { ...LIMITED, handler_milliseconds: 2 * HANDLER_MILLISECONDS, in_flight: 20 },
    });
    const service = { url: api.url, database, close: () => api.close() };
    try {
      await warmUp(service);
      await postgres.freeze();
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask(service, READS.rest)));
      const errors = answers.map((answer) => responseError("rest", answer));
      for (const { code } of errors) expect(code).toBe("unavailable");
      const refused = errors.filter(({ message }) => message.startsWith("The service is busy"));
      // 40, or 20 where requests arrive so slowly that the first ones have timed out before the last ones arrive.
      expect(refused.length).toBeGreaterThanOrEqual(20);
      postgres.thaw();
      await expectRecovery(service);
    } finally {
      postgres.thaw();
      await api.close();
      await database.end({ timeout: 1 });
    }
  });
});

/** Retries the same request until it succeeds, as clients should. */
async function createInTheEnd(
  service: Service,
  surface: Surface,
  campaign: { name: string; key: string },
): Promise<ApiResponse> {
  return await waitForResult(90_000, async () => {
    const answer = await create(service, surface, campaign);
    if (answer.status === 200) return answer;
    // A running change holds its key; otherwise only the database may fail.
    expect(["unavailable", "idempotency_conflict"]).toContain(responseError(surface, answer).code);
    return null;
  });
}

describe("when connections are cut in the middle of changes", () => {
  it("makes each change once, regardless of retries", async () => {
    const changes = Array.from({ length: FULL_TESTS ? 120 : 60 }, (_, index) => ({
      name: `Cut ${index}`,
      key: `cut-${index}`,
    }));
    await warmUp(proxied);
    // Cuts connections while connecting, during statements, and in between.
    proxy.follow(
      failRandomly(seededRandom(1), { rate: 0.05, kinds: ["cut_before", "cut_after", "error_after"] }),
    );
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (worker) => {
        const own = changes.filter((_change, index) => index % 6 === worker);
        const ids: string[] = [];
        for (const change of own) {
          const surface = worker % 2 === 0 ? "rest" : "trpc";
          const { body } = await createInTheEnd(proxied, surface, change);
          ids.push(surface === "rest" ? body.data.id : body.result.data.id);
        }
        return ids;
      }),
    );
    expect(proxy.failed.length).toBeGreaterThan(5);
    proxy.lift();
    const rows = await straight.database<{ id: string }[]>`
      select id from campaigns where name like 'Cut %' order by id`;
    expect(rows.map(({ id }) => id)).toEqual(answers.flat().sort());
    expect(rows).toHaveLength(changes.length);
    await expectRecovery(proxied);
  });
});
