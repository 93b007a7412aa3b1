import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIRST_COMMISSION } from "./programs.ts";
import { type Outcome, RunningProgram } from "./running-program.ts";
import { whyMissing } from "./tool.ts";

/** More than a page of existing rows: the programs must continue by cursor. */
const EARLIER = 120;

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "findersfee-examples-"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Creates commissions to fill at least two pages. */
async function earnEarlier({ rest }: TestClient): Promise<void> {
  const made = async (path: string, body: object) => (await rest("POST", path, body)).body.data;
  const website_url = "https://example.com";
  const campaign = { name: "Earlier", commission_type: "fixed", commission_amount: 5, website_url };
  const { id: campaign_id } = await made("/campaigns", campaign);
  const { id: affiliate_id } = await made("/affiliates", { email: "zoe@example.com", campaign_id });
  const { id: referral_id } = await made("/referrals", { affiliate_id, email: "early@example.com" });
  const earn = async (number: number) =>
    await made("/commissions", {
      referral_id,
      revenue_amount: 50,
      commission_amount: 30,
      processor_payment_id: `early-${number}`,
    });
  await Promise.all(Array.from({ length: EARLIER }, (_, number) => earn(number)));
}

/** The commissions in a program's output, by payment. Shells print pages in order of arrival. */
function payments(language: string, stdout: string): string[] {
  const lines = stdout.trimEnd().split("\n");
  if (language === "curl") {
    return lines.flatMap((page) =>
      JSON.parse(page).data.map((row: { processor_payment_id: string }) => row.processor_payment_id),
    );
  }
  const [first, ...rest] = lines;
  expect(first).toBe("kim@example.com shares https://example.com/?via=kim-poe");
  for (const line of rest) expect(line).toMatch(/^\S+ 30 USD$/);
  return rest.map((line) => line.slice(0, line.indexOf(" ")));
}

describe.for(Object.entries(FIRST_COMMISSION))("the first commission, by %s", ([language, program]) => {
  const why = whyMissing(program.tool);
  let command: string[];

  beforeAll(async () => {
    if (why === null) command = await program.command({ folder });
  });

  async function run(environment: { url?: string; api_key: string }): Promise<Outcome> {
    const { url = service.url, api_key } = environment;
    return await new RunningProgram(command, { FINDERSFEE_URL: url, FINDERSFEE_API_KEY: api_key }).outcome();
  }

  it("is recorded and listed once, even if the program runs twice", async (context) => {
    context.skip(why !== null, why ?? "");
    const organization = await service.organization();
    await earnEarlier(organization);
    const first = await run(organization);
    expect(first.stderr).toBe("");
    expect(first.code).toBe(0);
    const listed = payments(language, first.stdout);
    expect(listed[0]).toBe("order-1001");
    expect(new Set(listed).size).toBe(EARLIER + 1);
    expect(listed).toHaveLength(EARLIER + 1);
    expect(await run(organization)).toEqual(first);
    const { body } = await organization.rest("GET", "/commissions?page=1");
    expect(body.pagination.total_count).toBe(EARLIER + 1);
  });

  it("fails with a code, a message and a request id", async (context) => {
    context.skip(why !== null, why ?? "");
    const { code, stderr } = await run({ api_key: "ff_sk_wrong" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/unauthorized.*Send a valid API key.*req-/);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    const canceled = await service.organization({ subscription_status: "canceled" });
    expect((await run(canceled)).stderr).toContain("subscription_error");
  });

  it("fails at a wrong address", async (context) => {
    context.skip(why !== null, why ?? "");
    const page = createServer((_, response) => response.end("<!doctype html><h1>Welcome</h1>"));
    await once(page.listen(0, "127.0.0.1"), "listening");
    const address = page.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const astray = await run({ url, api_key: "ff_sk_any" });
    expect(astray.code).toBe(1);
    expect(astray.stderr).toContain(language === "curl" ? "<h1>Welcome</h1>" : "check FINDERSFEE_URL");
    page.close();
    await once(page, "close");
    const alone = await run({ url, api_key: "ff_sk_any" });
    expect(alone.code).toBe(1);
    expect(alone.stderr).toMatch(/refused|connect/i);
    expect(alone.stderr.trimEnd().split("\n").length).toBeLessThan(3);
  });
});
