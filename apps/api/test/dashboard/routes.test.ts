/*
 * Every route of the running service has a row here, or is an operation of a router, which `rights.test.ts` covers. A new route
 * without a row fails the test.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { startJob } from "@findersfee/domain/work/jobs/start";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsOf } from "../../src/openapi/operations.ts";
import { v1 } from "../../src/v1-router.ts";
import { storedRows } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { SENDERS, type Sender } from "./rights.ts";
import { createSenders, REJECTIONS, type Senders } from "./senders.ts";

/** Files and feeds, with everybody who may send them requests. */
const GUARDED: Record<string, readonly Sender[]> = {
  "GET /v1/audit-log": ["key audit"],
  "GET /dashboard/payout-runs/:id/export": ["admin", "owner", "key view", "key admin"],
  "POST /dashboard/payout-runs/:id/results": ["admin", "owner", "key admin"],
  "POST /dashboard/affiliates/import": ["admin", "owner", "key admin"],
  "GET /dashboard/jobs/:id/file": ["admin", "owner", "key admin"],
};

/** Routes that other tests try: those of the routers, and of the portal. */
const ELSEWHERE = [
  "/v1/trpc/:path",
  "/trpc/:path",
  "/account/trpc/:path",
  "/portal/trpc/:path",
  // `portal/rights.test.ts`
  "/portal/files/:affiliate_id/data.json",
  "/portal/files/:affiliate_id/commissions.csv",
];

/** Routes that know no session: pages for everybody, proofs of a code, a link or a signature, and sign-ins themselves. */
const PUBLIC = [
  /^\/$|^\/(llms\.txt|tracker\.js)$/,
  /^\/v1\/openapi\.json$/,
  /^\/docs(\/|$)/,
  /^\/(healthz|readyz|metrics)$/,
  /^\/processors\/(stripe|generic)\/:organization_id$/,
  /^\/track\/(click|signup)$/,
  /^\/r\/\*$/,
  /^\/auth\/(sign-in|sign-out|setup|invitations|password|device|single-sign-on)/,
  /^\/portal\/auth\/(programs|join|code|sign-in|sign-out|embed|view)/,
  /^\/portal\/(look$|look\/icon\.svg$|logo\/)/,
  /^\/unsubscribe\/:token$/,
];

let service: TestService;
let known: Senders;
const routes: string[] = [];

function collect(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
    for (const name of [method].flat()) routes.push(`${name} ${url}`);
  });
}

beforeAll(async () => {
  subscribe("fastify.initialization", collect);
  service = await startTestService();
  unsubscribe("fastify.initialization", collect);
  known = await createSenders(service);
});

afterAll(() => service.close());

async function codeOf(route: string, headers: Record<string, string>, id: string): Promise<string | null> {
  const [method = "", path = ""] = route.split(" ");
  const response = await fetch(`${service.url}${path.replace(":id", id)}`, {
    method,
    headers: { ...(method === "POST" ? { "content-type": "text/csv" } : {}), ...headers },
    ...(method === "POST" ? { body: "nonsense" } : {}),
  });
  const text = await response.text();
  if (response.ok) return null;
  // biome-ignore lint/suspicious/noExplicitAny: compared below
  return (JSON.parse(text) as any).error.code;
}

it("has a row for each route", () => {
  const operations = operationsOf(v1).map(
    ({ method, path }) => `${method.toUpperCase()} /v1${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
  );
  const unknown = routes.filter((route) => {
    const [method = "", path = ""] = route.split(" ");
    const named = method === "HEAD" ? `GET ${path}` : route;
    const is_known = operations.includes(named) || named in GUARDED || ELSEWHERE.includes(path);
    return !is_known && !PUBLIC.some((pattern) => pattern.test(path));
  });
  expect(unknown).toEqual([]);
  expect(Object.keys(GUARDED).filter((route) => !routes.includes(route))).toEqual([]);
  const paths = routes.map((route) => route.split(" ")[1] ?? "");
  expect(PUBLIC.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
  expect(ELSEWHERE.filter((path) => !paths.includes(path))).toEqual([]);
});

describe.each(Object.entries(GUARDED))("%s", (route, allowed) => {
  it("answers those with the right, and nobody else", async () => {
    const before = await storedRows(service.database);
    const answered: Sender[] = [];
    for (const sender of SENDERS) {
      const code = await codeOf(route, known.senders[sender], crypto.randomUUID());
      if (!REJECTIONS.includes(code)) answered.push(sender);
    }
    expect(answered).toEqual(SENDERS.filter((sender) => allowed.includes(sender)));
    expect(await storedRows(service.database)).toEqual(before);
  });
});

it("finds no file of another organization", async () => {
  const other = await service.organization();
  const organization = { id: other.organization_id, currency: "USD", subscription_status: "active" } as const;
  const { id } = await startJob(
    {
      database: service.database,
      organization,
      actor: { kind: "operator" },
      idempotency: null,
      notifyWorkers: () => {},
    },
    { kind: "audit_log_export", input: {} },
  );
  expect(await codeOf("GET /dashboard/jobs/:id/file", known.senders.owner, id)).toBe("not_found");
  const { headers } = await service.staff(other.organization_id);
  const run = await fetch(`${service.url}/trpc/dashboard.payout_runs.start`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ method: "manual" }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: its id is all that is read
  const { result }: any = await run.json();
  const route = "GET /dashboard/payout-runs/:id/export?format=csv";
  expect(await codeOf(route, headers, result.data.id)).not.toBe("not_found");
  expect(await codeOf(route, known.senders.owner, result.data.id)).toBe("not_found");
});
