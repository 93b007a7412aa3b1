import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, call, errorOf, type Input, refusedFields, surfaces } from "../operations.ts";
import { CAMPAIGN, createProgram, type Program, storedRows, unknownId } from "../program.ts";
import { staffOf } from "../staff.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

async function create(input: Input): Promise<Input & { id: string }> {
  const { body } = await organization.rest("POST", "/affiliates", input);
  expect(body.error).toBeUndefined();
  return body.data;
}

/** As affiliates have it. */
function ofAffiliate({ rules: _rules, tiers: _tiers, leaderboard: _leaderboard, ...campaign }: Campaign) {
  return campaign;
}

describe("affiliates.create", () => {
  it.each(surfaces)("creates an affiliate in the default campaign over %s", async (surface) => {
    const input = { email: "Max@Example.com" };
    const created = await call(surface, organization, { name: "affiliates.create", input });
    expect(created.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: "Max@Example.com",
      first_name: "",
      last_name: "",
      payout_email: null,
      links: [{ url: "https://example.com/?via=max", code: "max" }],
      promo_codes: [],
      clicks: 0,
      approved: true,
      banned: false,
      details: null,
      left_at: null,
      note: null,
      custom_fields: [],
      new_paid_referral_notifications: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      campaign: ofAffiliate(program.campaign),
    });
    expect(await answerOf(organization, "affiliates.get", { id: created.data.id })).toEqual(created.data);
  });

  it("stores the input, in a campaign with links and coupons", async () => {
    const campaign = await organization.trpc.campaigns.create.mutate({
      ...CAMPAIGN,
      code_mode: "both",
      reference_coupon: "coupon_20",
    });
    const values = {
      email: "max@example.com",
      first_name: "Max",
      last_name: "O'Neill-\u00dcnal",
      payout_email: "money@example.com",
      approved: false,
      details: "I write about design.",
      note: "Met at the fair.",
    };
    const codes = { ref_code: "Max_1", promo_code: "MAX-20" };
    const created = await create({ ...values, ...codes, campaign_id: campaign.id });
    expect(created).toMatchObject({
      ...values,
      campaign: ofAffiliate(campaign),
      links: [{ url: "https://example.com/?via=Max_1", code: "Max_1" }],
      promo_codes: [{ code: "MAX-20", external_id: null }],
    });
    expect(await answerOf(organization, "affiliates.get", { id: created.id })).toEqual(created);
  });

  it("awaits approval if the campaign requires it, unless the input sets it", async () => {
    await organization.trpc.campaigns.update.mutate({ id: program.campaign.id, approval_needed: true });
    expect(await create({ email: "a@example.com" })).toMatchObject({ approved: false });
    expect(await create({ email: "b@example.com", approved: true })).toMatchObject({ approved: true });
  });

  it.each([
    ["email", "no email"],
    ["email", `${"x".repeat(250)}@example.com`],
    ["first_name", "x".repeat(101)],
    ["first_name", null],
    ["payout_email", "nobody"],
    ["ref_code", "a"],
    ["ref_code", "has space"],
    ["ref_code", "x".repeat(65)],
    ["promo_code", "100%"],
    ["approved", "yes"],
    ["campaign_id", "default"],
    ["details", "x".repeat(10_001)],
    ["note", "x".repeat(10_001)],
    ["banned", true],
  ])("rejects %s of %.60j", async (field, value) => {
    const before = await storedRows(service.database);
    const input = { email: "new@example.com", [field]: value };
    expect(await refusedFields(organization, "affiliates.create", input)).toEqual([field]);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("requires an email, and a campaign if there is no default", async () => {
    expect(await refusedFields(organization, "affiliates.create", {})).toEqual(["email"]);
    await organization.trpc.campaigns.update.mutate({ id: program.campaign.id, is_default: false });
    expect(await errorOf(organization, "affiliates.create", { email: "a@example.com" })).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "campaign_id", message: "Required: the organization has no default campaign." }],
    });
    expect(await create({ email: "a@example.com", campaign_id: program.campaign.id })).toMatchObject({
      campaign: { id: program.campaign.id },
    });
  });

  it.each(["-jane@example.com", "+jane@example.com", "'-jane@example.com"])(
    "rejects a %s that payout files cannot carry unchanged",
    async (email) => {
      const message = expect.stringMatching(/^Must not begin with \+, - or another character/);
      for (const input of [{ email }, { email: "kim@example.com", payout_email: email }]) {
        const { status, body } = await organization.rest("POST", "/affiliates", input);
        expect(status).toBe(400);
        const path = input.email === email ? "email" : "payout_email";
        expect(body.error.issues).toEqual([{ path, message }]);
      }
      const { id } = await create({ email: "kim@example.com" });
      for (const path of ["email", "payout_email"]) {
        const { status, body } = await organization.rest("PUT", `/affiliates/${id}`, { [path]: email });
        expect([status, body.error?.issues]).toEqual([400, [{ path, message }]]);
      }
      // Customers receive no payouts.
      const customer = await organization.rest("POST", "/referrals", { affiliate_id: id, email });
      expect(customer.status).toBe(200);
    },
  );

  it("reports an unknown campaign", async () => {
    const input = { email: "a@example.com", campaign_id: unknownId() };
    expect(await errorOf(organization, "affiliates.create", input)).toEqual({
      code: "not_found",
      message: "There is no campaign with this id.",
    });
  });

  it("keeps emails unique in a campaign, case-insensitively, and names the existing affiliate", async () => {
    expect(await errorOf(organization, "affiliates.create", { email: "JANE@example.COM" })).toEqual({
      code: "affiliate_exists",
      message: "The campaign has an affiliate with this email.",
      details: { affiliate_id: program.affiliate.id },
    });
    const other = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    expect(await create({ email: "jane@example.com", campaign_id: other.id })).toMatchObject({
      campaign: { id: other.id },
    });
    const { organization: stranger } = await createProgram(service);
    expect((await stranger.trpc.affiliates.list.query({})).pagination.total_count).toBe(1);
  });
});

describe("affiliates.update", () => {
  const FULL = {
    email: "other@example.com",
    first_name: "Other",
    last_name: "Name",
    payout_email: "else@example.com",
    approved: false,
    banned: true,
    details: "Changed.",
    note: "Call first.",
    new_paid_referral_notifications: false,
  };

  it.each(Object.entries(FULL))("changes only %s", async (field, value) => {
    const { affiliate } = program;
    const after = await answerOf(organization, "affiliates.update", { id: affiliate.id, [field]: value });
    expect(after).toEqual({ ...affiliate, [field]: value });
    expect(await answerOf(organization, "affiliates.get", { id: affiliate.id })).toEqual(after);
  });

  it("changes all fields at once, including the code", async () => {
    const { affiliate } = program;
    const input = { id: affiliate.id, ...FULL, ref_code: "other" };
    expect(await answerOf(organization, "affiliates.update", input)).toEqual({
      ...affiliate,
      ...FULL,
      links: [{ url: "https://example.com/?via=other", code: "other" }],
    });
  });

  it("changes nothing for an empty input", async () => {
    const before = await storedRows(service.database);
    const { affiliate } = program;
    expect(await answerOf(organization, "affiliates.update", { id: affiliate.id })).toEqual(affiliate);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("clears nullable fields with null", async () => {
    const { affiliate } = program;
    await organization.trpc.affiliates.update.mutate({
      id: affiliate.id,
      details: "Something.",
      note: "Else.",
    });
    const cleared = { payout_email: null, details: null, note: null };
    expect(await answerOf(organization, "affiliates.update", { id: affiliate.id, ...cleared })).toEqual({
      ...affiliate,
      ...cleared,
    });
    const input = { id: affiliate.id, email: null, approved: null, first_name: null };
    expect(await refusedFields(organization, "affiliates.update", input)).toEqual([
      "email",
      "first_name",
      "approved",
    ]);
  });

  it("cannot move an affiliate to another campaign", async () => {
    const input = { id: program.affiliate.id, campaign_id: program.campaign.id };
    expect(await refusedFields(organization, "affiliates.update", input)).toEqual(["campaign_id"]);
  });

  it("rejects another affiliate's email, but accepts its own in another case", async () => {
    const { affiliate } = program;
    const other = await create({ email: "max@example.com" });
    const before = await storedRows(service.database);
    const taken = { id: other.id, email: "Jane@Example.com", first_name: "Changed" };
    expect(await errorOf(organization, "affiliates.update", taken)).toEqual({
      code: "affiliate_exists",
      message: "The campaign has an affiliate with this email.",
      details: { affiliate_id: affiliate.id },
    });
    expect(await storedRows(service.database)).toEqual(before);
    const own = { id: affiliate.id, email: "JANE@example.com" };
    expect(await answerOf(organization, "affiliates.update", own)).toMatchObject({
      email: "JANE@example.com",
    });
  });

  it("does not restore an erased affiliate", async () => {
    const { id } = await create({ email: "max@example.com" });
    const { staff } = await staffOf(service, organization.organization_id);
    const erased = await staff.erasures.affiliate.mutate({ affiliate_id: id });
    const before = await storedRows(service.database);
    const message = "The affiliate was erased and cannot be restored; create a new affiliate.";
    for (const [field, value] of Object.entries({
      email: "max@example.com",
      ref_code: "max",
      banned: false,
    })) {
      expect(await errorOf(organization, "affiliates.update", { id, [field]: value })).toEqual({
        code: "invalid_request",
        message: "The request is not valid.",
        issues: [{ path: field, message }],
      });
    }
    // Together with the schema's issues, in one response.
    const several = { id, first_name: "Max", payout_email: "nowhere", details: null };
    expect(await refusedFields(organization, "affiliates.update", several)).toEqual([
      "payout_email",
      "first_name",
    ]);
    expect(await storedRows(service.database)).toEqual(before);
    const unapproved = { ...erased, approved: false };
    expect(await answerOf(organization, "affiliates.update", unapproved)).toEqual(unapproved);
    expect(await answerOf(organization, "affiliates.get", { id })).toEqual(unapproved);
  });

  it("reports an unknown affiliate", async () => {
    const expected = { code: "not_found", message: "There is no affiliate with this id." };
    expect(await errorOf(organization, "affiliates.update", { id: unknownId() })).toEqual(expected);
    expect(await errorOf(organization, "affiliates.get", { id: unknownId() })).toEqual(expected);
    expect(await refusedFields(organization, "affiliates.get", { id: "jane" })).toEqual(["id"]);
  });
});

describe("affiliates.list", () => {
  it("applies each filter, and several at once", async () => {
    const { affiliate, campaign } = program;
    const coupons = await organization.trpc.campaigns.create.mutate({
      ...CAMPAIGN,
      code_mode: "both",
      reference_coupon: "c",
    });
    const max = await create({
      email: "Max@example.com",
      campaign_id: coupons.id,
      ref_code: "Max",
      promo_code: "MAX20",
      approved: false,
    });
    await organization.trpc.affiliates.update.mutate({ id: affiliate.id, banned: true });
    const listed = async (input: Input): Promise<string[]> => {
      const { data, pagination } = await answerOf(organization, "affiliates.list", input);
      expect(pagination.total_count).toBe(data.length);
      return data.map(({ id }: { id: string }) => id);
    };
    expect(await listed({})).toEqual([max.id, affiliate.id]);
    expect(await listed({ campaign_id: campaign.id })).toEqual([affiliate.id]);
    expect(await listed({ email: "max@EXAMPLE.com" })).toEqual([max.id]);
    expect(await listed({ ref_code: "mAX" })).toEqual([max.id]);
    expect(await listed({ ref_code: "max20" })).toEqual([]);
    expect(await listed({ promo_code: "max20" })).toEqual([max.id]);
    expect(await listed({ promo_code: "max" })).toEqual([]);
    expect(await listed({ approved: true })).toEqual([affiliate.id]);
    expect(await listed({ approved: false })).toEqual([max.id]);
    expect(await listed({ banned: true })).toEqual([affiliate.id]);
    expect(await listed({ banned: false })).toEqual([max.id]);
    expect(await listed({ banned: false, approved: true })).toEqual([]);
    expect(await listed({ campaign_id: coupons.id, email: "max@example.com", approved: false })).toEqual([
      max.id,
    ]);
  });

  it("rejects unknown filters and an unknown campaign", async () => {
    expect(await refusedFields(organization, "affiliates.list", { name: "Jane" })).toEqual(["name"]);
    expect(await refusedFields(organization, "affiliates.list", { approved: "maybe" })).toEqual(["approved"]);
    expect(await errorOf(organization, "affiliates.list", { campaign_id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no campaign with this id.",
    });
  });
});
