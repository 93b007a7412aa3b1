import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeApi } from "@findersfee/api/openapi/document";
import { addOverridable } from "@findersfee/api/testing/overridable";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { v1 } from "@findersfee/api/v1-router";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Outcome, RunningProgram } from "./running-program.ts";
import { SAMPLE_RUNNERS } from "./sample-programs.ts";
import { whyMissing } from "./tool.ts";

const ROOT = join(import.meta.dirname, "../..");
const TSC = join(ROOT, "node_modules/.bin/tsc");
const BASE = join(ROOT, "tsconfig.base.json");

const document = describeApi(v1, { server_url: "/v1", version: "1.0.0" });

/** The id in every sample. */
const SAMPLE_ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);

type Operation = (typeof operations)[number];

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "findersfee-samples-"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** An organization with a row of each resource, and their ids by field name: `campaign_id`. */
interface Seeded {
  organization: TestClient;
  /** A key for all operations: those of the router, and the audit log. */
  api_key: string;
  ids: Record<string, string>;
}

async function seed(): Promise<Seeded> {
  const organization = await service.organization();
  const { trpc, organization_id } = organization;
  const campaign = await trpc.campaigns.create.mutate({
    name: "Earlier",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
    is_default: true,
  });
  const affiliate = await trpc.affiliates.create.mutate({ email: "zoe@example.com" });
  const affiliate_id = affiliate.id;
  const referrer = await trpc.affiliates.create.mutate({ email: "referrer@example.com" });
  const referral = await trpc.referrals.create.mutate({ affiliate_id, email: "early@example.com" });
  await trpc.referrals.create.mutate({ affiliate_id, email: "lead@example.com" });
  const of_other = { affiliate_id: referrer.id, email: "other@example.com" };
  const { id: referral_id } = await trpc.referrals.create.mutate(of_other);
  const earned = { referral_id: referral.id, revenue_amount: 100, commission_amount: 30 };
  await trpc.commissions.create.mutate({ ...earned, referral_date: "2026-01-01T00:00:00.000Z" });
  const staff = await service.staff(organization_id);
  await staff.trpc.dashboard.payout_runs.start.mutate({ method: "manual" });
  await workPayoutRuns(service.database, new AbortController().signal);
  const commission = await trpc.commissions.create.mutate(earned);
  const payouts = await trpc.payouts.list.query({});
  // Transactions of other tests on the same server delay the feed.
  const [event] = await vi.waitUntil(
    async () => {
      const { data } = await trpc.events.list.query({});
      return data.length > 3 && data;
    },
    { timeout: 60_000 },
  );
  const scopes = ["read" as const, "write" as const, "audit" as const];
  const key = await staff.trpc.dashboard.api_keys.create.mutate({
    name: "Samples",
    scopes,
    expires_at: null,
  });
  const entry = await firstAuditEntry(key.token);
  const { override_id, backtest_id } = await addOverridable(service, { organization, campaign, affiliate });
  const [approved_id, rejected_id] = await addInReview(organization);
  const adjustment = await trpc.adjustments.create.mutate({ affiliate_id, amount: 5, reason: "Bonus" });
  const lead = await trpc.conversions.create.mutate({ kind: "webinar", referral_id });
  const ids = {
    override_id,
    backtest_id,
    adjustment_id: adjustment.id,
    lead_id: lead.id,
    campaign_id: campaign.id,
    affiliate_id,
    referral_id,
    commission_id: commission.id,
    approved_id,
    rejected_id,
    payout_id: payouts.data[0]?.id ?? "",
    event_id: event?.id ?? "",
    audit_log_id: entry.id,
    affiliate_rule_id: affiliate_id,
    affiliate_tier_id: affiliate_id,
    // Reports have no id, and neither have discounts.
    analytic_id: "USD",
    discount_id: "unknown_click",
  };
  return { organization, api_key: key.token, ids };
}

/** Commissions that wait for a review. */
async function addInReview({ trpc }: TestClient): Promise<[string, string]> {
  const { id: campaign_id } = await trpc.campaigns.create.mutate({
    name: "Reviewed",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
    review: "all",
  });
  const { id: affiliate_id } = await trpc.affiliates.create.mutate({
    email: "reviewed@example.com",
    campaign_id,
  });
  const email = "reviewed-customer@example.com";
  const { id: referral_id } = await trpc.referrals.create.mutate({ affiliate_id, email });
  const earned = { referral_id, revenue_amount: 100, commission_amount: 30 };
  const approved = await trpc.commissions.create.mutate(earned);
  const rejected = await trpc.commissions.create.mutate(earned);
  return [approved.id, rejected.id];
}

/** The audit log's first line. Transactions of other tests on the same server delay it. */
async function firstAuditEntry(api_key: string): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${api_key}` };
  const text = await vi.waitUntil(
    async () => await (await fetch(`${service.url}/v1/audit-log?limit=1`, { headers })).text(),
    { timeout: 60_000 },
  );
  return JSON.parse(text);
}

/** As in paths: `portal_tokens`. */
function resourceOf({ tags }: Pick<Operation, "tags">): string {
  return tags[0]?.toLowerCase().replaceAll(" ", "_") ?? "";
}

/** The sample with existing rows' ids: `affiliate_id` in a body, the operation's own row in a path. */
function withIds(source: string, { tags, path }: Operation, ids: Record<string, string>): string {
  const [, named = `${resourceOf({ tags }).replace(/s$/, "")}_id`] = /\{(\w+_id)\}/.exec(path) ?? [];
  const of_review = /\/approve$/.test(path) ? ids.approved_id : ids.rejected_id;
  // No click has the id of the sample.
  const of_path = named === "discount_id" ? SAMPLE_ID : ids[named];
  const own = /\/(approve|reject)$/.test(path) ? of_review : of_path;
  return source
    .replaceAll(/\b(\w+_id)\b(\W+)([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g, (_, name, between) => {
      return `${name}${between}${ids[name] ?? SAMPLE_ID}`;
    })
    .replaceAll(SAMPLE_ID, own ?? "");
}

/** The ids in a sample's output; curl prints the whole response. */
function printedIds(label: string, stdout: string): string[] {
  const lines = stdout.trimEnd().split("\n");
  if (label !== "curl") return lines;
  if (lines.length > 1) return lines.map((line) => JSON.parse(line).id);
  const { success, data } = JSON.parse(stdout);
  expect(success, stdout).toBe(true);
  return [data].flat().map((row: Record<string, string>) => {
    return row.id ?? row.version ?? row.currency ?? row.starts_at ?? row.affiliate_id ?? row.reason ?? "";
  });
}

it("covers exactly the operations in each language", () => {
  expect(operations.length).toBeGreaterThan(15);
  for (const operation of operations) {
    const labels = operation["x-codeSamples"]?.map(({ label }) => label);
    expect(labels, operation.operationId).toEqual(Object.keys(SAMPLE_RUNNERS));
  }
});

describe.for(Object.entries(SAMPLE_RUNNERS))("the samples in %s", ([label, runner]) => {
  const why = runner.tool === null ? null : whyMissing(runner.tool);
  const place = () => join(folder, label);
  let seeded: Seeded;

  beforeAll(async () => {
    if (why !== null) return;
    seeded = await seed();
    for (const operation of operations) {
      const sample = operation["x-codeSamples"]?.find((one) => one.label === label);
      const file = join(place(), runner.file(operation.operationId));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, withIds(sample?.source ?? "", operation, seeded.ids));
    }
    await runner.prepare?.(place());
  });

  async function run({ operationId }: Operation, api_key: string): Promise<Outcome> {
    const environment = { FINDERSFEE_URL: service.url, FINDERSFEE_API_KEY: api_key, HOME: folder };
    return await new RunningProgram(runner.command(place(), operationId), environment, place()).outcome();
  }

  // The short form checks that the other samples exist and, in compiled languages, that they compile.
  const started = operations.filter((_, index) => FULL_TESTS || index % 8 === 0);
  it.for(started.map((operation) => [operation.operationId, operation] as const))(
    "%s runs",
    async ([, operation], context) => {
      context.skip(why !== null, why ?? "");
      const { organization, api_key, ids } = seeded;
      const { code, stdout, stderr } = await run(operation, api_key);
      expect(code, stderr).toBe(0);
      const printed = printedIds(label, stdout);
      const resource = resourceOf(operation);
      const own = ids[`${resource.replace(/s$/, "")}_id`];
      if (operation.method !== "post") {
        expect(printed).toContain(own);
        return;
      }
      const [created = ""] = printed;
      if (/(\{id\}\/cancel|\/remove)$/.test(operation.path)) return expect(created).toBe(own);
      expect(created).not.toBe(own);
      if (!operation.operationId.startsWith("create")) return;
      if (document.paths[`/${resource}/{id}`] === undefined) return;
      const { status, body } = await organization.rest("GET", `/${resource}/${created}`);
      expect([status, body.data.id]).toEqual([200, created]);
    },
  );

  it("fail if the service returns an error", async (context) => {
    context.skip(why !== null, why ?? "");
    const operation = operations.find(({ operationId }) => operationId === "createCommission");
    if (operation === undefined) throw new Error("createCommission is missing");
    const { code, stdout, stderr } = await run(operation, "ff_sk_wrong");
    expect(`${stdout}${stderr}`).toMatch(/valid API key|401/);
    // curl does not check the response.
    if (label !== "curl") expect(code).not.toBe(0);
  });

  if (label === "TypeScript") {
    it("compile under strict rules", async () => {
      // The SDK's sources are compiled along with it, under their own rules.
      await writeFile(join(place(), "tsconfig.json"), JSON.stringify({ extends: BASE, include: ["*.mts"] }));
      const compiled = await new RunningProgram([TSC, "-p", place()], {}).outcome();
      expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });
    });
  }

  if (label === "Go") {
    it("are formatted like gofmt", async (context) => {
      context.skip(why !== null, why ?? "");
      const { stdout } = await new RunningProgram(["gofmt", "-l", "."], {}, place()).outcome();
      expect(stdout).toBe("");
    });
  }
});
