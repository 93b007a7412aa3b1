/*
 * Every route of the running service has a row here, or is an operation of a router, which `rights.test.ts` covers. A new route
 * without a row fails the test.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { newSecretToken } from "@findersfee/domain/identity/accounts/secret-token";
import { startJob } from "@findersfee/domain/work/jobs/start";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsOf } from "../../src/openapi/operations.ts";
import { v1 } from "../../src/v1-router.ts";
import { payOut, upload } from "../payouts/payout-run.ts";
import { CSV, csvLine, stored } from "../payouts/result-files.ts";
import { CAMPAIGN, storedRows } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { SENDERS, type Sender } from "./rights.ts";
import { createSenders, REJECTIONS, type Senders } from "./senders.ts";

/** Files and feeds, with everybody who may send them requests. */
const GUARDED: Record<string, readonly Sender[]> = {
  "GET /v1/audit-log": ["key audit"],
  "GET /dashboard/payout-runs/:id/export": ["admin", "owner", "key view", "key admin"],
  "POST /dashboard/payout-runs/:id/results": ["admin", "owner", "key admin"],
  "POST /dashboard/affiliates/import": ["admin", "owner", "key admin"],
  "GET /dashboard/performance.csv": ["viewer", "admin", "owner", "key view", "key admin"],
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
  // `portal/performance-file.test.ts`
  "/portal/files/:affiliate_id/performance.csv",
];

/** Routes that know no session: pages for everybody, proofs of a code, a link or a signature, and sign-ins themselves. */
const PUBLIC = [
  /^\/$|^\/(llms\.txt|tracker\.js|discount\.js)$/,
  /^\/v1\/openapi\.json$/,
  /^\/docs(\/|$)/,
  /^\/(healthz|readyz|metrics)$/,
  /^\/processors\/(stripe|generic)\/:organization_id$/,
  /^\/track\/(click|discount|signup|host)$/,
  /^\/r\/\*$/,
  /^\/auth\/(sign-in|sign-out|setup|invitations|password|device|single-sign-on)/,
  /^\/portal\/auth\/(programs|join|code|sign-in|sign-out|embed|view)/,
  /^\/portal\/(look$|look\/icon\.svg$|logo\/)/,
  /^\/unsubscribe\/:token$/,
];

/** In the form of tokens, and of none. */
const UNKNOWN_TOKEN = newSecretToken();

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

describe("the results of another organization's payout run", () => {
  it("are not found, whoever sends them, and change nothing", async () => {
    const run = await payOut(service, ["12.50 USD", "3 USD"]);
    const file = [CSV, ...run.payouts.map((payout) => csvLine(payout, "paid"))].join("\r\n");
    const url = `${service.url}/dashboard/payout-runs/${run.run_id}/results?format=csv`;
    const report = async (headers: Record<string, string>) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "text/csv", ...headers },
        body: file,
      });
      const body = (await response.json()) as { error?: { code: string }; data?: object };
      return { status: response.status, code: body.error?.code, data: body.data };
    };
    const before = await stored(service);
    for (const sender of ["admin", "owner", "key admin"] as const) {
      expect(await report(known.senders[sender]), sender).toMatchObject({ status: 404, code: "not_found" });
    }
    const as_its_own = { ...run.staff.headers, "findersfee-organization": known.organization_id };
    expect(await report(as_its_own)).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await stored(service)).toEqual(before);
    expect(await report(run.staff.headers)).toMatchObject({ status: 200, data: { paid: 2 } });
  });

  it("are not taken from a file that names its payouts in a run of one's own", async () => {
    const own = await payOut(service, ["5 USD"]);
    const other = await payOut(service, ["5 USD"]);
    const [mine] = own.payouts;
    const [theirs] = other.payouts;
    if (mine === undefined || theirs === undefined) throw new Error("no payouts");
    const before = await stored(service);
    const foreign = await upload(own, "format=csv", [CSV, csvLine(theirs, "failed", "no")].join("\r\n"));
    expect(foreign).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    expect(await stored(service)).toEqual(before);
    // Beside a payout of the run, it is a line that the answer names as skipped.
    const lines = [CSV, csvLine(mine, "paid"), csvLine(theirs, "failed", "no")];
    const mixed = await upload(own, "format=csv", lines.join("\r\n"));
    expect(mixed.body).toMatchObject({ data: { paid: 1, failed: 0, skipped: 1 } });
    const [row] = await service.database`select status, status_reason from payouts where id = ${theirs.id}`;
    expect(row).toEqual({ status: "pending", status_reason: null });
  });
});

/** The public routes of the portal that exchange a token for a session. */
describe.each(["view", "embed"] as const)("POST /portal/auth/%s", (path) => {
  const exchange = async (input: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/portal/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: service.origin, ...headers },
      body: JSON.stringify(input),
    });
    const body = (await response.json()) as {
      error?: { code: string };
      data?: { session: string; affiliate_id: string };
    };
    return { status: response.status, code: body.error?.code, data: body.data, headers: response.headers };
  };

  /** An organization with an affiliate, and tokens of both kinds that open the affiliate's portal. */
  async function tokensOf() {
    const { organization_id, trpc } = await service.organization();
    await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const { id } = await trpc.affiliates.create.mutate({ email: `${crypto.randomUUID()}@walk.test` });
    const staff = await service.staff(organization_id);
    const embed = async () => {
      const { url, token } = await trpc.portal_tokens.create.mutate({ affiliate_id: id });
      return { organization: new URL(url).pathname.split("/").at(-1) ?? "", token };
    };
    const view = async () => {
      const { url } = await staff.trpc.dashboard.affiliates.viewPortal.mutate({ id });
      return { token: new URL(url).hash.slice(1) };
    };
    return { affiliate_id: id, organization_id, staff, trpc, view, embed };
  }

  const sessions = async () => {
    const [row] = await service.database<[{ count: number }]>`
      select count(*)::int as count from portal_sessions`;
    return row.count;
  };

  it("needs nothing but its token, once, from the service's own pages", async () => {
    const made = await tokensOf();
    const input = await made[path]();
    const before = await sessions();
    // The rights of a dashboard's session or of a key open nothing without a token.
    for (const headers of [made.staff.headers, known.senders["key admin"]]) {
      const { status } = await exchange({ ...input, token: UNKNOWN_TOKEN }, headers);
      expect(status).toBe(404);
    }
    const foreign = await exchange(input, { origin: "https://evil.example" });
    expect(foreign).toMatchObject({ status: 403, code: "forbidden_origin" });
    expect(await sessions()).toBe(before);
    const opened = await exchange(input);
    expect(opened).toMatchObject({ status: 200, data: { affiliate_id: made.affiliate_id } });
    expect(opened.headers.getSetCookie()).toEqual([]);
    expect(await exchange(input)).toMatchObject({ status: 404, code: "link_invalid" });
    expect(await sessions()).toBe(before + 1);
  });

  it("takes no token of the other kind, nor one for another organization", async () => {
    const made = await tokensOf();
    const other = await tokensOf();
    const { organization } = await made.embed();
    const before = await sessions();
    const inputs =
      path === "view"
        ? [{ token: (await made.embed()).token }]
        : [
            { organization, token: (await made.view()).token },
            { organization, token: (await other.embed()).token },
          ];
    for (const input of inputs) {
      expect(await exchange(input)).toMatchObject({ status: 404, code: "link_invalid" });
    }
    expect(await sessions()).toBe(before);
  });

  it("gives no token for another organization's affiliate, and its session sees no other", async () => {
    const made = await tokensOf();
    const other = await tokensOf();
    const stored = await storedRows(service.database);
    const affiliate_id = other.affiliate_id;
    const making =
      path === "view"
        ? made.staff.trpc.dashboard.affiliates.viewPortal.mutate({ id: affiliate_id })
        : made.trpc.portal_tokens.create.mutate({ affiliate_id });
    await expect(making).rejects.toMatchObject({ data: { httpStatus: 404, code: "not_found" } });
    expect(await storedRows(service.database)).toEqual(stored);
    const { data } = await exchange(await made[path]());
    const get = async (path_of_file: string, named: string) => {
      const headers = { "findersfee-portal-session": data?.session ?? "", "findersfee-affiliate": named };
      const response = await fetch(`${service.url}/portal/${path_of_file}`, { headers });
      return response.ok ? null : ((await response.json()) as { error: { data?: { code: string } } }).error;
    };
    expect(await get("trpc/program.get", made.affiliate_id)).toBeNull();
    // The answer does not tell the ids of others from unknown ones.
    for (const id of [affiliate_id, crypto.randomUUID()]) {
      expect(await get("trpc/program.get", id)).toMatchObject({ data: { code: "not_an_affiliate" } });
      for (const file of ["data.json", "commissions.csv"]) {
        const code = path === "view" ? "staff_view" : "embedded_session";
        expect(await get(`files/${id}/${file}`, id), file).toMatchObject({ code });
      }
    }
  });
});

/**
 * Unknown proofs for the portal's public routes, and the answers. Signing in asks for a code, and joining
 * mails one.
 */
const UNPROVEN: Record<string, { input: object; code: string }> = {
  "/portal/auth/view": { input: { token: UNKNOWN_TOKEN }, code: "link_invalid" },
  "/portal/auth/embed": { input: { organization: "acme", token: UNKNOWN_TOKEN }, code: "link_invalid" },
  "/portal/auth/sign-in": { input: { code: "123456" }, code: "code_invalid" },
  "/portal/auth/sign-in/link": { input: { token: UNKNOWN_TOKEN }, code: "link_invalid" },
  "/portal/auth/sign-in/link/account": { input: { token: UNKNOWN_TOKEN }, code: "link_invalid" },
};

describe("the public routes of the portal", () => {
  it.each(Object.entries(UNPROVEN))("%s gives nothing without its proof", async (path, { input, code }) => {
    const everything = async () => ({
      ...(await storedRows(service.database)),
      sessions: await service.database`select id from portal_sessions order by id`,
    });
    const before = await everything();
    for (const [sender, headers] of Object.entries(known.senders)) {
      const response = await fetch(`${service.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: service.origin, ...headers },
        body: JSON.stringify(input),
      });
      const body = (await response.json()) as { error?: { code: string } };
      expect(body.error?.code, sender).toBe(code);
      expect(response.headers.getSetCookie(), sender).toEqual([]);
    }
    expect(await everything()).toEqual(before);
  });

  it("are among these, or need no proof", () => {
    const open = ["/portal/auth/code", "/portal/auth/join", "/portal/auth/sign-out"];
    const posts = routes.filter((route) => route.startsWith("POST /portal/auth/"));
    const paths = posts.map((route) => route.split(" ")[1] ?? "");
    expect(paths.filter((path) => !open.includes(path)).sort()).toEqual(Object.keys(UNPROVEN).sort());
  });
});
