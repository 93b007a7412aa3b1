import { subscriptionStatuses } from "@findersfee/contract/customers/referrals";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "./new-program.ts";
import { answerOf, call, errorOf, type Input, refusedFields, surfaces } from "./operations.ts";
import { type Program, storedRows, unknownId } from "./program.ts";
import type { TestClient, TestService } from "./test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

async function create(input: Input): Promise<Input & { id: string }> {
  const affiliate_id = program.affiliate.id;
  const { body } = await organization.rest("POST", "/referrals", { affiliate_id, ...input });
  expect(body.error).toBeUndefined();
  return body.data;
}

describe("referrals.create", () => {
  it.each(surfaces)("creates a referral over %s with its affiliate and campaign", async (surface) => {
    const input = { affiliate_id: program.affiliate.id, email: "New@Example.com" };
    const created = await call(surface, organization, { name: "referrals.create", input });
    expect(created.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: "New@Example.com",
      subscription_status: "signed_up",
      signup_date: created.data.created_at,
      processor_customer_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      affiliate: program.affiliate,
    });
    expect(await answerOf(organization, "referrals.get", { id: created.data.id })).toEqual(created.data);
  });

  it.each(subscriptionStatuses)("stores the status %s", async (subscription_status) => {
    const values = { email: "a@example.com", processor_customer_id: "cus_2", subscription_status };
    expect(await create(values)).toMatchObject(values);
  });

  it.each([
    ["affiliate_id", "jane"],
    ["affiliate_id", null],
    ["email", "nobody"],
    ["email", 1],
    ["processor_customer_id", ""],
    ["processor_customer_id", "x".repeat(256)],
    ["subscription_status", "unknown"],
    ["signup_date", "2026-01-01T00:00:00Z"],
  ])("rejects %s of %.60j", async (field, value) => {
    const before = await storedRows(service.database);
    const input = { affiliate_id: program.affiliate.id, email: "a@example.com", [field]: value };
    expect(await refusedFields(organization, "referrals.create", input)).toEqual([field]);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("requires an existing affiliate and an email", async () => {
    expect(await refusedFields(organization, "referrals.create", {})).toEqual(["affiliate_id", "email"]);
    const input = { affiliate_id: unknownId(), email: "a@example.com" };
    expect(await errorOf(organization, "referrals.create", input)).toEqual({
      code: "not_found",
      message: "There is no affiliate with this id.",
    });
  });

  it("keeps emails and customers unique in the organization, and names the existing referral", async () => {
    const expected = {
      code: "referral_exists",
      message: "The organization has a referral with this email or customer id.",
      details: { referral_id: program.referral.id },
    };
    const other = await organization.trpc.affiliates.create.mutate({ email: "max@example.com" });
    const before = await storedRows(service.database);
    for (const values of [
      { email: "CUSTOMER@Example.com" },
      { email: "new@example.com", processor_customer_id: "cus_1" },
      { email: "Customer@example.com", processor_customer_id: "cus_new" },
    ]) {
      const input = { affiliate_id: other.id, ...values };
      expect(await errorOf(organization, "referrals.create", input)).toEqual(expected);
    }
    expect(await storedRows(service.database)).toEqual(before);
    expect(await create({ email: "new@example.com", processor_customer_id: "CUS_1" })).toMatchObject({
      processor_customer_id: "CUS_1",
    });
  });

  it("creates referrals for banned and unapproved affiliates on explicit request", async () => {
    await organization.trpc.affiliates.update.mutate({
      id: program.affiliate.id,
      banned: true,
      approved: false,
    });
    expect(await create({ email: "a@example.com" })).toMatchObject({
      affiliate: { id: program.affiliate.id, banned: true, approved: false },
    });
  });
});

describe("referrals.update", () => {
  it.each([
    ["email", "other@example.com"],
    ["processor_customer_id", "cus_9"],
    ["processor_customer_id", null],
    ["subscription_status", "past_due"],
  ])("changes only %s", async (field, value) => {
    const { referral } = program;
    const after = await answerOf(organization, "referrals.update", { id: referral.id, [field]: value });
    expect(after).toEqual({ ...referral, [field]: value });
    expect(await answerOf(organization, "referrals.get", { id: referral.id })).toEqual(after);
  });

  it("allows every status change", async () => {
    const { id } = program.referral;
    for (const before of subscriptionStatuses) {
      for (const subscription_status of subscriptionStatuses) {
        await organization.trpc.referrals.update.mutate({ id, subscription_status: before });
        const after = await organization.trpc.referrals.update.mutate({ id, subscription_status });
        expect(after.subscription_status).toBe(subscription_status);
      }
    }
  });

  it("changes nothing for an empty input", async () => {
    const before = await storedRows(service.database);
    const { referral } = program;
    expect(await answerOf(organization, "referrals.update", { id: referral.id })).toEqual(referral);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("rejects another referral's email or customer, but accepts its own in another case", async () => {
    const { referral } = program;
    const other = await create({ email: "other@example.com", processor_customer_id: "cus_2" });
    const before = await storedRows(service.database);
    for (const values of [{ email: "Customer@example.com" }, { processor_customer_id: "cus_1" }]) {
      const input = { id: other.id, subscription_status: "active", ...values };
      expect(await errorOf(organization, "referrals.update", input)).toEqual({
        code: "referral_exists",
        message: "The organization has a referral with this email or customer id.",
        details: { referral_id: referral.id },
      });
    }
    expect(await storedRows(service.database)).toEqual(before);
    const own = { id: referral.id, email: "CUSTOMER@example.com", processor_customer_id: "cus_1" };
    expect(await answerOf(organization, "referrals.update", own)).toMatchObject({
      email: "CUSTOMER@example.com",
    });
  });

  it("rejects read-only fields, and null for required ones", async () => {
    const input = { id: program.referral.id, affiliate_id: program.affiliate.id, email: null };
    expect(await refusedFields(organization, "referrals.update", input)).toEqual(["email", "affiliate_id"]);
  });

  it("reports an unknown referral", async () => {
    const expected = { code: "not_found", message: "There is no referral with this id." };
    expect(await errorOf(organization, "referrals.update", { id: unknownId() })).toEqual(expected);
    expect(await errorOf(organization, "referrals.get", { id: unknownId() })).toEqual(expected);
    expect(await refusedFields(organization, "referrals.get", { id: "1" })).toEqual(["id"]);
  });
});

describe("referrals.list", () => {
  it("applies each filter, and several at once", async () => {
    const { referral, affiliate } = program;
    const max = await organization.trpc.affiliates.create.mutate({ email: "max@example.com" });
    const active = await create({
      affiliate_id: max.id,
      email: "Active@example.com",
      processor_customer_id: "cus_2",
      subscription_status: "active",
    });
    const trialing = await create({ email: "trial@example.com", subscription_status: "trialing" });
    const listed = async (input: Input): Promise<string[]> => {
      const { data, pagination } = await answerOf(organization, "referrals.list", input);
      expect(pagination.total_count).toBe(data.length);
      return data.map(({ id }: { id: string }) => id);
    };
    expect(await listed({})).toEqual([trialing.id, active.id, referral.id]);
    expect(await listed({ affiliate_id: affiliate.id })).toEqual([trialing.id, referral.id]);
    expect(await listed({ email: "ACTIVE@example.com" })).toEqual([active.id]);
    expect(await listed({ processor_customer_id: "cus_2" })).toEqual([active.id]);
    expect(await listed({ processor_customer_id: "CUS_2" })).toEqual([]);
    expect(await listed({ subscription_status: "active" })).toEqual([active.id]);
    expect(await listed({ subscription_status: "active,trialing" })).toEqual([trialing.id, active.id]);
    expect(await listed({ subscription_status: "canceled" })).toEqual([]);
    expect(await listed({ affiliate_id: max.id, subscription_status: "trialing" })).toEqual([]);
  });

  it.each(["unknown", "active,", ",active", "active, trialing", ""])(
    "rejects the statuses %j",
    async (subscription_status) => {
      expect(await refusedFields(organization, "referrals.list", { subscription_status })).toEqual([
        "subscription_status",
      ]);
    },
  );

  it("reports an unknown affiliate", async () => {
    expect(await errorOf(organization, "referrals.list", { affiliate_id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no affiliate with this id.",
    });
  });
});
