import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

async function get(path: string) {
  const response = await fetch(service.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The samples of a metric, as `labels` -> value. */
async function samplesOf(metric: string): Promise<Map<string, number>> {
  const { text } = await get("/metrics");
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === metric) samples.set(labels, Number(value));
  }
  return samples;
}

const REQUESTS = "findersfee_http_requests_total";

describe("/metrics", () => {
  it("is Prometheus text", async () => {
    // Only requested routes are measured.
    await get("/healthz");
    const { status, headers, text } = await get("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of text.split("\n").filter((each) => each !== "")) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)*\})? (\S+))$/);
    }
    expect(text).toContain("findersfee_migrations_pending 0\n");
    expect(text).toContain("findersfee_http_request_duration_seconds_bucket{");
  });

  it("counts requests by route, regardless of ids", async () => {
    const { rest, trpc } = await service.organization();
    for (let index = 0; index < 5; index++) await rest("GET", `/campaigns/${randomUUID()}`);
    await rest("GET", "/campaigns");
    await trpc.campaigns.list.query({});
    const samples = await samplesOf(REQUESTS);
    expect(samples.get('method="GET",route="/v1/campaigns/:id",status="404"')).toBe(5);
    expect(samples.get('method="GET",route="/v1/campaigns",status="200"')).toBe(1);
    expect(samples.get('method="GET",route="/v1/trpc/:path",status="200"')).toBe(1);
  });

  it("creates no labels for unknown paths", async () => {
    const before = await samplesOf(REQUESTS);
    const paths = ["/x", "/v1/x", "/%", "/v1/campaigns/%ff", "/trpc/a/b", "/v1/trpc/a/b"];
    for (let index = 0; index < 20; index++) paths.push(`/${randomUUID()}`, `/v1/${randomUUID()}/x`);
    for (const path of paths) await get(path);
    const fresh = [...(await samplesOf(REQUESTS)).keys()].filter((labels) => !before.has(labels));
    for (const labels of fresh) expect(labels).toMatch(/route="(unknown|\/metrics)"/);
    expect(fresh.length).toBeLessThanOrEqual(3);
  });
});

describe("/healthz and /readyz", () => {
  it("report success", async () => {
    expect(await get("/healthz")).toMatchObject({
      status: 200,
      text: '{"status":"ok","version":"unreleased"}',
    });
    expect(await get("/readyz")).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  });

  it("query the database once for concurrent probes", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => get("/readyz")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it("report a schema mismatch", async () => {
    const other = await startTestService();
    try {
      await other.database`
        insert into schema_migrations (number, name, checksum) values (99, '0099_future', 'x')`;
      const response = await fetch(`${other.url}/readyz`);
      const answer = { status: response.status, headers: response.headers, body: await response.json() };
      expect(responseError("rest", answer).code).toBe("unavailable");
      expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
      await other.database`delete from schema_migrations where number = 99`;
      expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});
