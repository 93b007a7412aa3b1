import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, call, errorOf, refusedFields } from "../operations.ts";
import { CAMPAIGN, storedRows, unknownId } from "../program.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  organization = await service.organization();
});

/** A campaign created with only the required fields. */
const PLAIN = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  name: "Partner program",
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  website_url: "https://example.com",
  commission_type: "percentage",
  commission_amount: 30,
  is_default: false,
  limit_type: "none",
  limit_amount: null,
  code_mode: "link",
  reference_coupon: null,
  custom_commission_type: "none",
  custom_commissions: [],
  welcome_message: null,
  approval_needed: false,
  collect_details: false,
  details_text: null,
  custom_fields: [],
  hide_emails: false,
  dashboard_text: null,
  cookie_duration: 30,
  first_payment_commission: { enabled: false, type: "percentage", amount: 0 },
  customers: "new",
  attribution: "last_click",
  commission_cap: true,
  skip_prorations: false,
  rules: [],
  tiers: null,
  leaderboard: "none",
  recruiting: null,
  signals: {
    shared_domain: "off",
    disposable_email: "off",
    shared_payout_email: "off",
    paid_search: "off",
    listed_referrer: "off",
    shared_network: "off",
    shared_card: "off",
    many_clicks: "off",
    many_signups: "off",
    many_refunds: "off",
    referrers: [],
  },
  lead_commissions: [],
  review: "none",
  review_above_amount: null,
  review_approve_after_days: null,
  link_discount: { enabled: false, description: null, show_affiliate: false },
  translations: { en: null, de: null },
};

/** Every field, none of them at its default. */
const FULL = {
  name: "Agencies",
  website_url: "https://example.com/agencies?from=partner",
  commission_type: "fixed",
  commission_amount: 12.5,
  is_default: true,
  limit_type: "months",
  limit_amount: 12,
  code_mode: "both",
  reference_coupon: "coupon_20",
  custom_commission_type: "product",
  custom_commissions: [
    { product_id: "prod_Pro", type: "percentage", amount: 33.3333 },
    { product_id: "prod_Max", type: "fixed", amount: 0.01 },
  ],
  welcome_message: "Welcome!\n\u{1f44b}",
  approval_needed: true,
  collect_details: true,
  details_text: "Tell us about you.",
  custom_fields: [
    { id: "audience", label: "Who?", type: "multi_select", options: ["Designers", "Others"], required: true },
    { id: "site", label: "Where?", type: "text", options: [], required: false },
  ],
  hide_emails: true,
  dashboard_text: "Hello",
  cookie_duration: 365,
  first_payment_commission: { enabled: true, type: "fixed", amount: 50 },
  customers: "any",
  attribution: "first_click",
  commission_cap: false,
  skip_prorations: true,
  rules: [
    {
      id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91",
      name: "Yearly plans",
      conditions: {
        products: ["prod_Pro"],
        intervals: ["year"],
        payments: { from: 1, to: 3 },
        months: { to: 12 },
        countries: ["US", "CA"],
        currencies: ["USD"],
        amount: { currency: "USD", from: 100.5, below: 2000 },
        metadata: { key: "plan", values: ["enterprise"] },
        promo_codes: ["LAUNCH"],
      },
      reward: { type: "fixed", amount: null, amounts: [{ currency: "USD", amount: 20.25 }] },
    },
    {
      id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e92",
      name: null,
      conditions: {},
      reward: { type: "percentage", amount: 12.3456, amounts: [] },
    },
  ],
  tiers: {
    measure: "revenue",
    period: "last_90_days",
    steps: [
      {
        id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e93",
        name: "Silver",
        from: 1000.5,
        commission: { type: "percentage", amount: 35, amounts: [] },
        bonus: null,
      },
      {
        id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e94",
        name: "Gold",
        from: 5000,
        commission: null,
        bonus: 99.99,
      },
    ],
  },
  leaderboard: "initials",
  signals: {
    shared_domain: "hold",
    disposable_email: "refuse",
    shared_payout_email: "flag",
    paid_search: "off",
    listed_referrer: "hold",
    shared_network: "flag",
    shared_card: "hold",
    many_clicks: "refuse",
    many_signups: "off",
    many_refunds: "hold",
    referrers: ["coupons.example.com"],
  },
  lead_commissions: [{ kind: "demo_booked", amount: 20, daily_limit: 5 }],
  recruiting: { percent: 12.5, months: 18 },
  review: "first",
  review_above_amount: 250.5,
  review_approve_after_days: 14,
  link_discount: { enabled: true, description: "20% off your first year", show_affiliate: true },
  translations: {
    en: null,
    de: {
      name: "Agenturen",
      welcome_message: "Willkommen!",
      details_text: null,
      dashboard_text: "Hallo",
      custom_fields: [
        { id: "audience", label: "Für wen?", options: ["Designer", null] },
        { id: "site", label: "Wo?", options: [] },
      ],
    },
  },
};

describe("campaigns.create", () => {
  it.each(["rest", "trpc"] as const)(
    "creates a campaign over %s that both surfaces show",
    async (surface) => {
      const created = await call(surface, organization, { name: "campaigns.create", input: CAMPAIGN });
      expect(created.data).toEqual(PLAIN);
      expect(await answerOf(organization, "campaigns.get", { id: created.data.id })).toEqual(created.data);
    },
  );

  it("stores every field unchanged", async () => {
    for (const surface of ["rest", "trpc"] as const) {
      const { data } = await call(surface, organization, { name: "campaigns.create", input: FULL });
      expect(data).toEqual({ ...FULL, id: PLAIN.id, created_at: PLAIN.created_at });
      expect(await answerOf(organization, "campaigns.get", { id: data.id })).toEqual(data);
    }
  });

  it("reports each missing or unknown field", async () => {
    expect(await errorOf(organization, "campaigns.create", { colour: "red" })).toEqual({
      code: "invalid_request",
      message: "The request is not valid.",
      issues: [
        { path: "name", message: "Required." },
        { path: "commission_type", message: "Required." },
        { path: "commission_amount", message: "Required." },
        { path: "colour", message: "Unknown field." },
      ],
    });
  });

  it.each([
    ["name", " "],
    ["name", "x".repeat(201)],
    ["name", null],
    ["commission_type", "share"],
    ["commission_amount", "30"],
    ["commission_amount", 0],
    ["commission_amount", -1],
    ["commission_amount", 1e12],
    ["website_url", "example.com"],
    ["website_url", "javascript:alert(1)"],
    ["website_url", ""],
    ["is_default", "true"],
    ["limit_type", "years"],
    ["code_mode", null],
    ["customers", "old"],
    ["attribution", "linear"],
    ["commission_cap", "yes"],
    ["skip_prorations", null],
    ["lead_commissions", null],
    ["link_discount", null],
    ["cookie_duration", 0],
    ["cookie_duration", 366],
    ["cookie_duration", 1.5],
    ["custom_commission_type", "order"],
    ["first_payment_commission", null],
    ["welcome_message", "x".repeat(10_001)],
  ])("rejects %s of %.60j", async (field, value) => {
    expect(await refusedFields(organization, "campaigns.create", { ...CAMPAIGN, [field]: value })).toEqual([
      field,
    ]);
  });

  it("changes nothing when rejected", async () => {
    await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const before = await storedRows(service.database);
    await errorOf(organization, "campaigns.create", { ...CAMPAIGN, is_default: true, code_mode: "coupon" });
    expect(await storedRows(service.database)).toEqual(before);
  });
});

describe("campaigns.update", () => {
  it("applies the input, identically on both surfaces", async () => {
    const { id } = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    const updated = await answerOf(organization, "campaigns.update", { id, ...FULL });
    expect(updated).toEqual({ ...FULL, id, created_at: PLAIN.created_at });
    expect(await answerOf(organization, "campaigns.get", { id })).toEqual(updated);
  });

  it.each(Object.entries(FULL))("changes only %s", async (field, value) => {
    const input = {
      ...CAMPAIGN,
      commission_amount: 12.5,
      limit_type: "payments",
      limit_amount: 3,
      reference_coupon: "coupon_10",
      // Translations are of questions that the campaign has.
      ...(field === "translations" ? { custom_fields: FULL.custom_fields } : {}),
    };
    const { data: before } = await call("rest", organization, { name: "campaigns.create", input });
    const after = await answerOf(organization, "campaigns.update", { id: before.id, [field]: value });
    expect(after).toEqual({ ...before, [field]: value });
  });

  it("changes nothing for an empty input", async () => {
    const created = await call("rest", organization, { name: "campaigns.create", input: FULL });
    const before = await storedRows(service.database);
    expect(await answerOf(organization, "campaigns.update", { id: created.data.id })).toEqual(created.data);
    expect((await organization.rest("PUT", `/campaigns/${created.data.id}`)).status).toBe(200);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("clears nullable fields with null", async () => {
    const { data } = await call("rest", organization, { name: "campaigns.create", input: FULL });
    const cleared = {
      website_url: null,
      code_mode: "coupon",
      limit_type: "none",
      limit_amount: null,
      welcome_message: null,
      details_text: null,
      dashboard_text: null,
    };
    expect(await answerOf(organization, "campaigns.update", { id: data.id, ...cleared })).toEqual({
      ...data,
      ...cleared,
    });
  });

  it("moves the default, and leaves none when it is unset", async () => {
    const first = await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const second = await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const defaults = async () => {
      const { data } = await organization.trpc.campaigns.list.query({});
      return data.filter((campaign) => campaign.is_default).map(({ id }) => id);
    };
    expect(await defaults()).toEqual([second.id]);
    await answerOf(organization, "campaigns.update", { id: first.id, is_default: true });
    expect(await defaults()).toEqual([first.id]);
    await answerOf(organization, "campaigns.update", { id: first.id, name: "Still the default" });
    expect(await defaults()).toEqual([first.id]);
    await answerOf(organization, "campaigns.update", { id: second.id, is_default: false });
    expect(await defaults()).toEqual([first.id]);
    await answerOf(organization, "campaigns.update", { id: first.id, is_default: false });
    expect(await defaults()).toEqual([]);
  });

  it("does not affect another organization's default", async () => {
    const other = await service.organization();
    const theirs = await other.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    const ours = await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    await answerOf(organization, "campaigns.update", { id: ours.id, is_default: true });
    expect((await other.trpc.campaigns.get.query({ id: theirs.id })).is_default).toBe(true);
  });

  it("rejects an invalid id, an unknown id, or one that differs from the path", async () => {
    expect(await refusedFields(organization, "campaigns.update", { id: "1" })).toEqual(["id"]);
    expect(await errorOf(organization, "campaigns.update", { id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no campaign with this id.",
    });
    const { id } = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    const other = await organization.rest("PUT", `/campaigns/${id}`, { id: unknownId() });
    expect(other.body.error.issues).toEqual([
      { path: "id", message: "Read-only: it must equal the id in the path." },
    ]);
  });
});

describe("campaigns.get and campaigns.list", () => {
  it("reports an unknown campaign", async () => {
    expect(await errorOf(organization, "campaigns.get", { id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no campaign with this id.",
    });
    expect(await refusedFields(organization, "campaigns.get", { id: "no-id" })).toEqual(["id"]);
  });

  it("lists campaigns as get shows them, newest first, without filters", async () => {
    const first = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    const second = await organization.trpc.campaigns.create.mutate(CAMPAIGN);
    expect(await answerOf(organization, "campaigns.list")).toEqual({
      data: [second, first],
      pagination: {
        page: 1,
        limit: 10,
        total_count: 2,
        total_pages: 1,
        has_more: false,
        next_cursor: null,
      },
    });
    expect(await refusedFields(organization, "campaigns.list", { name: "x" })).toEqual(["name"]);
  });
});
