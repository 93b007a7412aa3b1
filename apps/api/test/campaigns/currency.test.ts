/* The organization's currency right after it was changed, in the process that changed it and in another one. */
import { connect } from "@findersfee/database/postgres/connect";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import { CAMPAIGN, createProgram, type Program } from "../program.ts";
import { type Staff, staffOf } from "../staff.ts";
import {
  ENDPOINT_POLICY,
  QUIET,
  type Surfaces,
  startTestService,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let program: Program;
let staff: Staff["staff"];

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createProgram(service);
  ({ staff } = await staffOf(service, program.organization.organization_id));
});

/** Half a unit, which JPY does not have. */
const HALF = { ...CAMPAIGN, commission_type: "fixed", commission_amount: 0.5 };

async function createHalf({ rest }: Pick<Surfaces, "rest">) {
  const { status, body } = await rest("POST", "/campaigns", HALF);
  return { status, issues: body.error?.issues };
}

const refused = {
  status: 400,
  issues: [{ path: "commission_amount", message: "An amount in JPY has at most 0 decimals." }],
};

it("counts at once in the process that changed it, for keys and for members", async () => {
  const { organization, referral } = program;
  // A cached principal of each kind.
  await staff.campaigns.list.query();
  await staff.settings.update.mutate({ currency: "JPY" });
  expect(await createHalf(organization)).toEqual(refused);
  const { body } = await organization.rest("POST", "/commissions", {
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 10,
  });
  expect(body.data).toMatchObject({ currency: "JPY" });
  await staff.organization.update.mutate({ currency: "EUR" });
  expect(await createHalf(organization)).toMatchObject({ status: 200 });
});

it("holds for fixed amounts in another process that has read the former one", async () => {
  const database = connect({ url: service.database_url, poolSize: 2, prepare: false, name: "other" });
  const other = await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY, applications: {} });
  try {
    const { organization, campaign } = program;
    const there = (method: string, path: string, body?: unknown) =>
      fetch(`${other.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${organization.api_key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await there("GET", "/campaigns")).status).toBe(200);
    await staff.settings.update.mutate({ currency: "JPY" });
    const change = { commission_type: "fixed", commission_amount: 0.5 };
    for (const answer of [
      await there("POST", "/campaigns", HALF),
      await there("PUT", `/campaigns/${campaign.id}`, change),
    ]) {
      const { error } = (await answer.json()) as { error?: { issues: unknown } };
      expect({ status: answer.status, issues: error?.issues }).toEqual(refused);
    }
  } finally {
    await other.close();
    await database.end();
  }
});
