import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlockOf, EXPORTS } from "./exports.ts";
import { type Outcome, RunningProgram } from "./running-program.ts";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const SDK = join(import.meta.dirname, "../../packages/sdk");

let service: TestService;
let folder: string;
let program: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "findersfee-migrating-"));
  await mkdir(join(folder, "node_modules/@findersfee"), { recursive: true });
  await symlink(SDK, join(folder, "node_modules/@findersfee/sdk"), "dir");
  program = join(folder, "import.mts");
  await writeFile(program, codeBlockOf("docs/migrating.md", "examples/migrating/import.ts"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Writes an export's files into a separate folder. */
async function save(name: string, files: Record<string, unknown>): Promise<string> {
  const place = join(folder, name);
  await mkdir(place, { recursive: true });
  for (const [file, rows] of Object.entries(files)) {
    await writeFile(join(place, `${file}.json`), JSON.stringify(rows));
  }
  return place;
}

async function newCampaign({ trpc }: TestClient): Promise<string> {
  const { id } = await trpc.campaigns.create.mutate({
    name: "Imported",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
  });
  return id;
}

async function run(parameters: string[], { api_key }: TestClient): Promise<Outcome> {
  const command = [process.execPath, "--import", TSX, program, ...parameters];
  const environment = { FINDERSFEE_URL: service.url, FINDERSFEE_API_KEY: api_key };
  return await new RunningProgram(command, environment, folder).outcome();
}

/** The organization's affiliates and referrals. */
async function imported({ trpc }: TestClient) {
  const affiliates = await trpc.affiliates.list.query({ limit: 100 });
  const referrals = await trpc.referrals.list.query({ limit: 100 });
  return { affiliates: affiliates.data, referrals: referrals.data };
}

describe.each(casesOf(Object.entries(EXPORTS), { short: 1 }))(
  "an export of %s",
  (vendor, { files, affiliates, referrals }) => {
    it("is imported, and changes nothing the second time", async () => {
      const organization = await service.organization();
      const campaign_id = await newCampaign(organization);
      const place = await save(vendor, files);
      const first = await run([vendor, place, campaign_id], organization);
      expect(first).toEqual({
        code: 0,
        stdout: `${affiliates.length} affiliates and ${referrals.length} referrals created, 0 failed\n`,
        stderr: "",
      });
      const after = await imported(organization);
      expect(after.affiliates).toHaveLength(affiliates.length);
      expect(after.affiliates).toEqual(
        expect.arrayContaining(affiliates.map((affiliate) => expect.objectContaining(affiliate))),
      );
      expect(after.referrals).toHaveLength(referrals.length);
      for (const { affiliate, ...referral } of referrals) {
        const found = after.referrals.find(({ email }) => email === referral.email);
        expect(found).toMatchObject({ ...referral, affiliate: { email: affiliate } });
      }
      const second = await run([vendor, place, campaign_id], organization);
      expect(second).toEqual({
        code: 0,
        stdout: "0 affiliates and 0 referrals created, 0 failed\n",
        stderr: "",
      });
      expect(await imported(organization)).toEqual(after);
    });
  },
);

it("continues an interrupted import", async () => {
  const organization = await service.organization();
  const campaign_id = await newCampaign(organization);
  const { files, affiliates, referrals } = EXPORTS.rewardful;
  const place = await save("interrupted", files);
  await organization.trpc.affiliates.create.mutate({
    email: "jane@example.com",
    ref_code: "jane",
    campaign_id,
  });
  const { stdout } = await run(["rewardful", place, campaign_id], organization);
  expect(stdout).toBe(
    `${affiliates.length - 1} affiliates and ${referrals.length} referrals created, 0 failed\n`,
  );
});

it("reports a row that cannot be imported, and imports the others", async () => {
  const organization = await service.organization();
  const campaign_id = await newCampaign(organization);
  const { files, affiliates } = EXPORTS.rewardful;
  const place = await save("taken", files);
  await organization.trpc.affiliates.create.mutate({
    email: "other@example.com",
    ref_code: "jane",
    campaign_id,
  });
  const { code, stdout, stderr } = await run(["rewardful", place, campaign_id], organization);
  expect(code).toBe(1);
  expect(stderr).toContain("jane@example.com: ");
  expect(stderr).toContain("its affiliate was not imported");
  expect(stdout).toContain(`${affiliates.length - 1} affiliates and `);
});

it("prints usage for an invalid command line", async () => {
  const organization = await service.organization();
  const { code, stderr } = await run(["elsewhere"], organization);
  expect(code).toBe(2);
  expect(stderr).toContain("Usage: ");
});
