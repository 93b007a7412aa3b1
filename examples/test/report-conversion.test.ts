import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPORT_CONVERSION } from "./programs.ts";
import { RunningProgram } from "./running-program.ts";
import { whyMissing } from "./tool.ts";

let service: TestService;
let organization: TestClient;
let affiliate_id: string;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  const campaign = await organization.trpc.campaigns.create.mutate({
    name: "Demos",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://example.com",
    lead_commissions: [{ kind: "demo_booked", amount: 20 }],
  });
  const affiliate = { email: "kim@example.com", campaign_id: campaign.id };
  ({ id: affiliate_id } = await organization.trpc.affiliates.create.mutate(affiliate));
  folder = await mkdtemp(join(tmpdir(), "findersfee-examples-"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe.for(Object.entries(REPORT_CONVERSION))("%s", ([language, program]) => {
  const why = whyMissing(program.tool);

  it("reports a conversion, twice without a difference", async (context) => {
    context.skip(why !== null, why ?? "");
    const email = `${language.toLowerCase()}@customers.test`;
    const referral = await organization.trpc.referrals.create.mutate({ affiliate_id, email });
    const environment = { FINDERSFEE_URL: service.url, FINDERSFEE_API_KEY: organization.api_key };
    const run = async (customer: string) => {
      const command = [...(await program.command({ folder })), "demo_booked", customer];
      return await new RunningProgram(command, environment).outcome();
    };
    for (const _ of [1, 2]) {
      const { code, stdout, stderr } = await run(email);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("commission");
    }
    const { data } = await organization.trpc.commissions.list.query({ referral_id: referral.id });
    expect(data).toMatchObject([{ lead: "demo_booked", commission_amount: 20, revenue_amount: 0 }]);
    expect((await run("nobody@customers.test")).code).not.toBe(0);
  });
});
