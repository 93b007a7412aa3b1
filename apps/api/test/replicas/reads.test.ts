import { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { portal_router } from "../../src/portal/router.ts";
import { PRIMARY_QUERIES } from "../../src/replicas/route-reads.ts";
import { app_router } from "../../src/router.ts";
import { inputOf, type Known, makeKnown } from "../dashboard/inputs.ts";
import { openFrame, openPortal } from "../portal/affiliate-browser.ts";
import { CAMPAIGN } from "../program.ts";
import type { ApiResponse } from "../test-service.ts";
import { type Replicated, startReplicated } from "./replicated.ts";

let running: Replicated;
let known: Known;

beforeAll(async () => {
  running = await startReplicated();
  known = await makeKnown(running.services[0]);
  await running.used();
});

afterAll(() => running.close());

type Answer = ApiResponse & { cookies: string[] };

/** A request to one of the processes, as a browser sends it. */
async function ask(
  process: 0 | 1,
  path: string,
  { body, headers }: { body?: unknown; headers: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(`${running.services[process].url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...headers,
      origin: running.services[process].url,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { status: response.status, headers: response.headers, body: await response.json(), cookies };
}

function pathOf(surface: string, name: string, input: unknown): string {
  return `${surface}/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
}

function queriesOf(router: { _def: { procedures: unknown } }): string[] {
  return Object.entries(router._def.procedures as Record<string, { _def: { type: string } }>)
    .filter(([, { _def }]) => _def.type === "query")
    .map(([name]) => name);
}

/** Those of the portal that both a browser and a frame may call, without an input. */
const PORTAL_QUERIES = [
  "me.get",
  "program.get",
  "home.get",
  "home.pulse",
  "earnings.list",
  "referrals.list",
  "payouts.list",
  "claims.list",
  "recruits.get",
  "tiers.get",
];

/** The number of reads of one of the processes so far. */
function counted(process: 0 | 1 = 0): { replica: number; primary: number } {
  return { ...running.replicas[process].reads };
}

describe("queries of people", () => {
  it.each(queriesOf(app_router).filter((name) => name.startsWith("dashboard.")))(
    "reads %s on the standby",
    async (name) => {
      await running.used();
      const before = counted();
      const answer = await ask(0, pathOf("/trpc", name, inputOf(name, known)), known.staff);
      // Of a sale that was not played: the primary is asked, too.
      const is_missing = name.endsWith(".test_sale");
      expect(answer.status, JSON.stringify(answer.body)).toBe(is_missing ? 404 : 200);
      if (PRIMARY_QUERIES.has(name)) return expect(counted()).toEqual(before);
      expect(counted()).toEqual(
        is_missing ? { ...before, primary: before.primary + 1 } : { ...before, replica: before.replica + 1 },
      );
    },
  );

  it("reads those of the portal on the standby, for a browser and for a frame", async () => {
    const { trpc } = running.services[0].client(known.api_key);
    const affiliate = await trpc.affiliates.create.mutate({
      campaign_id: known.campaign_id,
      email: "portal@example.com",
    });
    const browser = await openPortal(running.services[0], "portal@example.com");
    const frame = await openFrame(running.services[0], trpc, affiliate.id);
    // Without the position of the sign-in: it would send the first reads to the primary.
    browser.cookies.delete("findersfee_position");
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    await running.used();
    const senders = [
      { cookie, "findersfee-affiliate": affiliate.id },
      {
        "findersfee-portal-session": frame,
        "findersfee-affiliate": affiliate.id,
        "findersfee-position": "0/0",
      },
    ];
    for (const name of PORTAL_QUERIES) {
      expect(queriesOf(portal_router)).toContain(name);
      for (const headers of senders) {
        const before = counted();
        const answer = await ask(0, pathOf("/portal/trpc", name, {}), { headers });
        expect(answer.status, JSON.stringify([name, answer.body])).toBe(200);
        expect(counted(), name).toEqual({ ...before, replica: before.replica + 1 });
      }
    }
    // A frame without a position of its writes.
    const before = counted();
    await ask(0, pathOf("/portal/trpc", "me.get", {}), { headers: { "findersfee-portal-session": frame } });
    expect(counted()).toEqual(before);
  });
});

describe("queries with an API key", () => {
  it("read on the primary, at once what any process wrote", async () => {
    await running.used();
    await running.standby.pauseReplay();
    onTestFinished(() => running.standby.resumeReplay());
    const [first, second] = running.services;
    const { id } = await first.client(known.api_key).trpc.campaigns.create.mutate(CAMPAIGN);
    const before = counted(1);
    const found = await second.client(known.api_key).rest("GET", `/campaigns/${id}`);
    expect(found.status).toBe(200);
    expect(counted(1)).toEqual(before);
  });
});

describe("own writes", () => {
  const name = "dashboard.saved_views.list";
  const VIEW = { list: "affiliates", search: "status=waiting" };

  /** The names of the person's views, by one of the processes, with these cookies beside the session. */
  async function views(process: 0 | 1, cookies: string[]): Promise<string[]> {
    const headers = {
      ...known.staff.headers,
      cookie: [known.staff.headers.cookie, ...cookies].join("; "),
    };
    const { body } = await ask(process, pathOf("/trpc", name, inputOf(name, known)), { headers });
    return JSON.stringify(body).match(/View \d/g) ?? [];
  }

  it("are seen at once by any process while the standby has not replayed them", async () => {
    await running.used();
    await running.standby.pauseReplay();
    onTestFinished(() => running.standby.resumeReplay());
    const { cookies, headers, status } = await ask(0, "/trpc/dashboard.saved_views.create", {
      body: { ...VIEW, name: "View 1" },
      headers: known.staff.headers,
    });
    expect(status).toBe(200);
    expect(cookies).toHaveLength(1);
    expect(headers.get("findersfee-position")).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
    for (const process of [0, 1] as const) {
      expect(await views(process, cookies)).toContain("View 1");
      // Another person does not see it before the standby has it, a few seconds later.
      expect(await views(process, [])).not.toContain("View 1");
      // A cookie that somebody has changed sends reads to the primary.
      expect(await views(process, ["findersfee_position=nonsense"])).toContain("View 1");
    }
    await running.standby.resumeReplay();
    await running.used();
    const before = counted(1);
    await expect
      .poll(async () => {
        await views(1, cookies);
        return counted(1).replica;
      })
      .toBeGreaterThan(before.replica);
  });

  it("leave no position behind a request that was refused", async () => {
    const { cookies, status } = await ask(0, "/trpc/dashboard.saved_views.create", {
      body: { nonsense: true },
      headers: known.staff.headers,
    });
    expect(status).toBe(400);
    expect(cookies).toEqual([]);
  });
});

describe("a standby that is gone or late", () => {
  const list = pathOf("/trpc", "dashboard.affiliates.list", {});

  it("is seen by nobody", async () => {
    await running.used();
    const statuses: number[] = [];
    let isOver = false;
    const asking = [0, 1].map(async (process) => {
      while (!isOver) {
        statuses.push((await ask(process as 0 | 1, list, known.staff)).status);
      }
    });
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const before = counted().primary;
      await running.standby.end(signal);
      await expect.poll(() => counted().primary).toBeGreaterThan(before + 5);
      const ready = await (await fetch(`${running.services[0].url}/readyz`)).json();
      expect(ready).toEqual({ status: "ready", read_replicas: ["unreachable"] });
      await running.standby.start();
      await running.used();
      const after = counted().replica;
      await expect.poll(() => counted().replica).toBeGreaterThan(after + 5);
    }
    isOver = true;
    await Promise.all(asking);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("is in the metrics", async () => {
    await running.used();
    const metrics = new ProcessMetrics("1.0.0");
    metrics.measureReplicas("api", running.replicas[0]);
    const text = await metrics.registry.metrics();
    const { host } = new URL(running.standby.url);
    expect(text).toContain(`findersfee_read_replica_used{role="api",replica="${host}"} 1`);
    expect(text).toMatch(/findersfee_read_replica_lag_seconds\{role="api",replica="[0-9.:]+"\} \d/);
    expect(text).toMatch(/findersfee_reads_total\{role="api",target="replica"\} [1-9]/);
    expect(text).toMatch(/findersfee_read_fallbacks_total\{role="api",reason="unreachable"\} [1-9]/);
  });

  it("does not answer while it is late", async () => {
    await running.used();
    await running.standby.pauseReplay();
    onTestFinished(() => running.standby.resumeReplay());
    await running.services[0].client(known.api_key).trpc.campaigns.create.mutate(CAMPAIGN);
    await expect.poll(() => running.replicas[0].report()[0]?.state).toBe("late");
    const before = counted();
    expect((await ask(0, list, known.staff)).status).toBe(200);
    expect(counted()).toEqual({ ...before, primary: before.primary + 1 });
  });
});
