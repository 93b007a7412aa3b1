import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Outcome, RunningProgram } from "./running-program.ts";

const EXAMPLES = join(import.meta.dirname, "..");
const MODULES = join(EXAMPLES, "node_modules");
const OURS = join(EXAMPLES, "../node_modules");

/** The first line of each contains the command that generates its client. */
const PROGRAMS = ["with-openapi-fetch", ...(FULL_TESTS ? ["with-swagger-typescript-api"] : [])];

/** The name of each client's type for feed events. */
const EVENT_TYPES: Record<string, string> = {
  "with-openapi-fetch": `import("./findersfee.ts").components["schemas"]["Event"]`,
  "with-swagger-typescript-api": `import("./findersfee.ts").Event`,
};

/** Compiles only if an event's type determines its data. */
function narrowing(name: string): string {
  return `
    type Event = ${EVENT_TYPES[name]};
    export function read(event: Event): string {
      // @ts-expect-error: not known yet.
      event.data.currency;
      // @ts-expect-error: there is no such event.
      if (event.type === "affiliate.deleted") return "";
      if (event.type === "commission.created") return event.data.currency;
      // @ts-expect-error: other types have no such field.
      event.data.currency;
      return event.type === "referral.created" ? event.data.affiliate.first_name : event.created_at;
    }
  `;
}

/** How each client creates resources with only the required fields, and sends an object back whole. */
const REQUESTS: Record<string, string> = {
  "with-openapi-fetch": `
    import type { components, paths } from "./findersfee.ts";
    import createClient from "openapi-fetch";
    const findersfee = createClient<paths>({ baseUrl: "" });
    export async function create(id: string): Promise<void> {
      const field = { id: "audience", label: "Who is your audience?", type: "text" } as const;
      const fields = { name: "A", commission_type: "percentage", commission_amount: 30 } as const;
      await findersfee.POST("/campaigns", { body: { ...fields, custom_fields: [field] } });
      await findersfee.POST("/referrals", { body: { affiliate_id: id, email: "customer@example.com" } });
      await findersfee.GET("/affiliates");
      await findersfee.GET("/events");
    }
    export async function sendBack(
      campaign: components["schemas"]["Campaign"],
      affiliate: components["schemas"]["Affiliate"],
      referral: components["schemas"]["Referral"],
      commission: components["schemas"]["Commission"],
    ): Promise<void> {
      const at = ({ id }: { id: string }) => ({ path: { id } });
      await findersfee.PUT("/campaigns/{id}", { params: at(campaign), body: { ...campaign, name: "B" } });
      await findersfee.PUT("/affiliates/{id}", { params: at(affiliate), body: { ...affiliate, banned: true } });
      await findersfee.PUT("/referrals/{id}", { params: at(referral), body: { ...referral, email: "b@example.com" } });
      await findersfee.PUT("/commissions/{id}", { params: at(commission), body: { ...commission, revenue_amount: 1 } });
    }
  `,
  "with-swagger-typescript-api": `
    import { type Affiliate, Api, type Campaign, type Commission, type Referral } from "./findersfee.ts";
    const findersfee = new Api();
    export async function create(id: string): Promise<void> {
      const field = { id: "audience", label: "Who is your audience?", type: "text" } as const;
      const fields = { name: "A", commission_type: "percentage", commission_amount: 30 } as const;
      await findersfee.campaigns.createCampaign({ ...fields, custom_fields: [field] });
      await findersfee.referrals.createReferral({ affiliate_id: id, email: "customer@example.com" });
      await findersfee.affiliates.listAffiliates();
      await findersfee.events.listEvents();
    }
    export async function sendBack(
      campaign: Campaign,
      affiliate: Affiliate,
      referral: Referral,
      commission: Commission,
    ): Promise<void> {
      await findersfee.campaigns.updateCampaign(campaign.id, { ...campaign, name: "B" });
      await findersfee.affiliates.updateAffiliate(affiliate.id, { ...affiliate, banned: true });
      await findersfee.referrals.updateReferral(referral.id, { ...referral, email: "b@example.com" });
      await findersfee.commissions.updateCommission(commission.id, { ...commission, revenue_amount: 1 });
    }
  `,
};

/** The strictest settings of a consumer's compiler; declarations of libraries are checked too. */
const OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  rewriteRelativeImportExtensions: true,
  types: ["node"],
  typeRoots: [join(OURS, "@types")],
  rootDir: ".",
  outDir: "out",
};

let service: TestService;
let folder: string;
let compiled: Outcome;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "findersfee-clients-"));
  await symlink(MODULES, join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  await Promise.all(PROGRAMS.map(generate));
  compiled = await run(folder, [join(OURS, ".bin/tsc")]);
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs a command with only the packages of the examples. */
async function run(
  cwd: string,
  command: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const PATH = [join(MODULES, ".bin"), process.env.PATH].join(delimiter);
  return await new RunningProgram(
    command,
    { PATH, FINDERSFEE_URL: service.url, ...environment },
    cwd,
  ).outcome();
}

/** Generates the client next to the program. */
async function generate(name: string): Promise<void> {
  const place = join(folder, name);
  await mkdir(place);
  await copyFile(join(EXAMPLES, "typescript", `${name}.ts`), join(place, "program.ts"));
  await copyFile(join(EXAMPLES, "typescript", `events-${name}.ts`), join(place, "events.ts"));
  await writeFile(join(place, "narrowing.ts"), narrowing(name));
  await writeFile(join(place, "requests.ts"), REQUESTS[name] ?? "");
  const [, command = ""] = /^\/\/ npx (.*)/.exec(await readFile(join(place, "program.ts"), "utf8")) ?? [];
  expect(await run(place, ["sh", "-c", command])).toMatchObject({ code: 0 });
  const client = join(place, "findersfee.ts");
  // This setting would exclude the client from checking.
  await writeFile(client, (await readFile(client, "utf8")).replace(/^\/\/ @ts-nocheck$/m, ""));
}

/** Creates two affiliates, a referral and a commission, and waits until the feed shows them. */
async function addCommission({ trpc }: TestClient): Promise<void> {
  const campaign = await trpc.campaigns.create.mutate({
    name: "Feed",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
    is_default: true,
  });
  const campaign_id = campaign.id;
  const { id: affiliate_id } = await trpc.affiliates.create.mutate({ email: "ada@example.com", campaign_id });
  await trpc.affiliates.create.mutate({ email: "ben@example.com", campaign_id });
  const email = "customer@example.com";
  const { id: referral_id } = await trpc.referrals.create.mutate({ affiliate_id, email });
  await trpc.commissions.create.mutate({ referral_id, revenue_amount: 100, commission_amount: 30 });
  // Transactions of other tests on the same server delay the feed.
  await expect.poll(async () => (await trpc.events.list.query({})).data.length).toBe(5);
}

it("compiles generated clients under strict rules with the generators' default options", () => {
  expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });
});

it.runIf(FULL_TESTS)("generates clients with the address of the document", async () => {
  const client = await readFile(join(folder, "with-swagger-typescript-api/findersfee.ts"), "utf8");
  expect(client).toContain(`baseUrl: string = "${service.url}/v1"`);
});

describe.for(PROGRAMS)("the program %s", (name) => {
  async function runProgram(api_key: string, program = "program"): Promise<Outcome> {
    const command = [process.execPath, join("out", name, `${program}.js`)];
    return await run(folder, command, { FINDERSFEE_API_KEY: api_key });
  }

  it("creates, lists by cursor, and distinguishes errors", async () => {
    const { api_key } = await service.organization();
    const { stdout, stderr } = await runProgram(api_key);
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual([
      "ada https://example.com/?via=ada",
      "ben https://example.com/?via=ben",
      "cyd https://example.com/?via=cyd",
      "ada exists",
      "cyd@example.com",
      "ben@example.com",
      "ada@example.com",
    ]);
  });

  it("reads the feed and discriminates events by type", async () => {
    const organization = await service.organization();
    await addCommission(organization);
    const { stdout, stderr } = await runProgram(organization.api_key, "events");
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual([
      "affiliate.created: ada@example.com in Feed",
      "affiliate.created: ben@example.com in Feed",
      "commission.created: 30 USD",
    ]);
  });

  it("reports the service's error", async () => {
    const { code, stderr } = await runProgram("ff_sk_wrong");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: unauthorized: Send a valid API key.* \(req-/);
  });
});
