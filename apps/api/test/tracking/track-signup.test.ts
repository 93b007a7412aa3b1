import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { newId } from "@findersfee/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unknownId } from "../program.ts";
import { responseError } from "../response-error.ts";
import { type ApiResponse, sharedTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram, post, type TrackedProgram } from "../tracking-program.ts";

const DAY = 24 * 60 * 60 * 1000;
const ACCEPTED = { success: true, data: { accepted: true } };

let service: TestService;
let program: TrackedProgram;
let click_id: string;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service, { campaign: { cookie_duration: 30 } });
  click_id = (await click(program)).body.data.click_id;
});

function signUp(changes: Record<string, unknown> = {}, { organization } = program): Promise<ApiResponse> {
  const body = { key: organization.publishable_key, click_id, email: "customer@example.com", ...changes };
  return post(`${service.url}/track/signup`, body);
}

async function referrals({ organization } = program) {
  return (await organization.trpc.referrals.list.query({})).data;
}

async function eventTypes(): Promise<string[]> {
  const { organization_id } = program.organization;
  const rows = await service.database`
    select type from events where organization_id = ${organization_id} order by id`;
  return rows.map(({ type }) => type);
}

/** Inserts a click with an earlier time; returns its id. */
async function clickAt(clicked_at: Date): Promise<string> {
  const id = newId(clicked_at);
  await makePartitions(service.database, CLICKS, { now: clicked_at, ahead: 0 });
  await service.database`
    insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
    values (${program.organization.organization_id}, ${id}, ${program.affiliate.id}, 'jane', '\\x00', ${clicked_at})`;
  return id;
}

it("refers the person to the click's affiliate, and sends the event", async () => {
  const { status, body } = await signUp({ processor_customer_id: "cus_1" });
  expect([status, body]).toEqual([200, ACCEPTED]);
  expect(await referrals()).toMatchObject([
    {
      email: "customer@example.com",
      subscription_status: "signed_up",
      processor_customer_id: null,
      affiliate: { id: program.affiliate.id },
    },
  ]);
  expect(await eventTypes()).toEqual(["affiliate.created", "referral.created"]);
});

it("requires no subscription", async () => {
  const { organization_id } = program.organization;
  await service.database`update organizations set subscription_status = 'canceled' where id = ${organization_id}`;
  await signUp();
  expect(await referrals()).toHaveLength(1);
});

it("creates one referral, even from repeated and concurrent reports", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      signUp({
        email: number % 2 === 0 ? "customer@example.com" : "CUSTOMER@example.com",
        processor_customer_id: number % 3 === 0 ? "cus_1" : undefined,
      }),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, ACCEPTED]));
  expect(
    (await referrals()).filter(({ email }) => email.toLowerCase() === "customer@example.com"),
  ).toHaveLength(1);
});

describe("responds the same without creating a referral", () => {
  async function expectNone(changes: Record<string, unknown> = {}): Promise<void> {
    const before = await referrals();
    const events = await eventTypes();
    const { status, body } = await signUp(changes);
    expect([status, body]).toEqual([200, ACCEPTED]);
    expect(await referrals()).toEqual(before);
    expect(await eventTypes()).toEqual(events);
  }

  it("for a known email", async () => {
    const { trpc } = program.organization;
    const john = await trpc.affiliates.create.mutate({ email: "john@example.com", ref_code: "john" });
    await trpc.referrals.create.mutate({
      affiliate_id: john.id,
      email: "Customer@Example.com",
      processor_customer_id: "cus_1",
    });
    await expectNone();
  });

  it.each(["jane@example.com", "JANE+self@example.com"])("for the affiliate itself: %s", (email) =>
    expectNone({ email }),
  );

  it.each([{ banned: true }, { approved: false }])("for an affiliate with %j", async (change) => {
    await program.organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, ...change });
    await expectNone();
  });

  it("for an expired click, but not before its expiry", async () => {
    await expectNone({ click_id: await clickAt(new Date(Date.now() - 30 * DAY - 1_000)) });
    await signUp({ click_id: await clickAt(new Date(Date.now() - 30 * DAY + 60_000)) });
    expect(await referrals()).toHaveLength(1);
  });

  it("for an unknown click, or another organization's", async () => {
    await expectNone({ click_id: unknownId() });
    await expectNone({ click_id: "ffffffff-ffff-7fff-bfff-ffffffffffff" });
    await expectNone({ click_id: "00000000-0000-0000-0000-000000000000" });
    const other = await createTrackedProgram(service);
    expect((await signUp({}, other)).body).toEqual(ACCEPTED);
    expect(await referrals(other)).toEqual([]);
  });
});

it.each([
  ["{}", ["key", "click_id", "email"]],
  [{ click_id: "nonsense" }, ["click_id"]],
  [{ click_id: null }, ["click_id"]],
  [{ email: "nonsense" }, ["email"]],
  [{ email: `${"a".repeat(250)}@example.com` }, ["email"]],
  [{ processor_customer_id: "" }, ["processor_customer_id"]],
  [{ processor_customer_id: "c".repeat(256) }, ["processor_customer_id"]],
  [{ affiliate_id: unknownId() }, ["affiliate_id"]],
])("rejects %.60j", async (changes, paths) => {
  const answer =
    typeof changes === "string" ? await post(`${service.url}/track/signup`, changes) : await signUp(changes);
  const { code, issues } = responseError("rest", answer);
  expect(code).toBe("invalid_request");
  expect(issues?.map(({ path }) => path)).toEqual(paths);
});

it("rejects invalid keys", async () => {
  expect(responseError("rest", await signUp({ key: "nonsense" })).code).toBe("unauthorized");
});
