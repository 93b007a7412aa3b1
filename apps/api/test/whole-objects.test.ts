import { withoutTriggers } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, errorOf, type Input } from "./operations.ts";
import {
  addCommission,
  CAMPAIGN,
  createProgram,
  insertPayout,
  type Program,
  payCommission,
  storedRows,
  unknownId,
} from "./program.ts";
import { startTestService, type TestService } from "./test-service.ts";

const READ_ONLY = "Read-only: leave it out, or send its current value.";
const UPDATED = ["campaigns", "affiliates", "referrals", "commissions"] as const;
type Resource = (typeof UPDATED)[number];

let service: TestService;
let program: Program;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createProgram(service);
});

function idOf(resource: Resource): string {
  const { campaign, affiliate, referral, commission } = program;
  return { campaigns: campaign, affiliates: affiliate, referrals: referral, commissions: commission }[
    resource
  ].id;
}

/** The whole object, as a GET returns it. */
async function get(resource: Resource, id = idOf(resource)): Promise<Input> {
  return await answerOf(program.organization, `${resource}.get`, { id });
}

async function put(resource: Resource, input: Input) {
  return await answerOf(program.organization, `${resource}.update`, input);
}

async function refused(resource: Resource, input: Input) {
  const stored = await storedRows(service.database);
  const error = await errorOf(program.organization, `${resource}.update`, input);
  expect(await storedRows(service.database)).toEqual(stored);
  return error;
}

async function issuesOf(resource: Resource, input: Input) {
  const { code, issues } = await refused(resource, input);
  expect(code).toBe("invalid_request");
  return issues;
}

describe("a whole object sent back", () => {
  it.each([
    ["campaigns", { commission_amount: 25, welcome_message: "Hi" }],
    ["affiliates", { first_name: "Janet", details: "Moved" }],
    ["referrals", { subscription_status: "active" }],
    [
      "commissions",
      { revenue_amount: 80, commission_amount: 24, referral_date: "2026-11-19T12:00:00+02:00" },
    ],
  ] as const)("%s: applies the changed field", async (resource, change) => {
    const before = await get(resource);
    const after = await put(resource, { ...before, ...change });
    const utc = "referral_date" in change ? { referral_date: "2026-11-19T10:00:00.000Z" } : {};
    expect(after).toEqual({ ...before, ...change, ...utc });
    expect(await get(resource)).toEqual(after);
  });

  it.each(UPDATED)("%s: changes nothing for an unchanged object", async (resource) => {
    const before = await get(resource);
    const stored = await storedRows(service.database);
    expect(await put(resource, before)).toEqual(before);
    expect(await storedRows(service.database)).toEqual(stored);
  });

  it.each(UPDATED)("%s: accepts an object from a list", async (resource) => {
    const { data } = await answerOf(program.organization, `${resource}.list`, { limit: 1 });
    expect(await put(resource, data[0])).toEqual(data[0]);
  });

  it("accepts equal values in another notation", async () => {
    const { affiliate, commission } = program;
    const at = new Date(Date.parse(affiliate.created_at) + 9 * 60 * 60_000)
      .toISOString()
      .replace("Z", "+0900");
    await put("affiliates", {
      id: affiliate.id.toUpperCase(),
      created_at: at,
      campaign: { ...affiliate.campaign, id: affiliate.campaign.id.toUpperCase() },
    });
    await put("commissions", {
      id: commission.id,
      affiliate: { email: "JANE@Example.com", payout_email: "Jane-Money@example.com", created_at: at },
    });
  });

  it("may omit fields of nested objects", async () => {
    const { id, campaign } = program.affiliate;
    await put("affiliates", { id, campaign: { id: campaign.id }, links: [{ code: "jane-doe" }] });
    expect(await put("affiliates", { id, campaign: {} })).toMatchObject({ campaign });
  });

  it("can be sent again after one of its codes changed", async () => {
    const before = await get("affiliates");
    const renamed = { ...before, ref_code: "janet" };
    const once = await put("affiliates", renamed);
    expect(once.links).toEqual([{ code: "janet", url: "https://example.com/?via=janet" }]);
    expect(await put("affiliates", renamed)).toEqual(once);
  });
});

describe("a read-only field with another value", () => {
  it.each([
    ["campaigns", "created_at", "2026-01-01T00:00:00.000Z"],
    ["campaigns", "created_at", null],
    ["affiliates", "created_at", "yesterday"],
    ["affiliates", "links", []],
    ["affiliates", "links", null],
    ["affiliates", "promo_codes", [{ code: "JANE", external_id: null }]],
    ["affiliates", "custom_fields", [{ id: "a", label: "b", value: "c" }]],
    ["affiliates", "clicks", "many"],
    ["affiliates", "clicks", 1.5],
    ["affiliates", "campaign", null],
    ["affiliates", "campaign", "Partner program"],
    ["affiliates", "campaign", []],
    ["referrals", "signup_date", "2026-01-01T00:00:00Z"],
    ["referrals", "created_at", 0],
    ["referrals", "affiliate", null],
    ["commissions", "currency", "EUR"],
    ["commissions", "currency", "usd"],
    ["commissions", "created_at", "2026-01-01T00:00:00Z"],
    ["commissions", "affiliate", null],
    ["commissions", "referral", null],
    ["commissions", "payout", {}],
    ["commissions", "payout", 1],
  ] as const)("%s: %s %j is an issue", async (resource, field, value) => {
    const issues = await issuesOf(resource, { ...(await get(resource)), [field]: value });
    expect(issues).toEqual([{ path: field, message: READ_ONLY }]);
  });

  it("is reported by path if nested", async () => {
    const { affiliate, referral, commission } = program;
    const [link] = affiliate.links;
    const changed = { ...affiliate.campaign, name: "Other", commission_amount: 50, limit_amount: 3 };
    expect(
      await issuesOf("affiliates", { ...affiliate, campaign: changed, links: [{ ...link, code: "x" }] }),
    ).toEqual(
      ["links[0].code", "campaign.name", "campaign.commission_amount", "campaign.limit_amount"].map(
        (path) => ({
          path,
          message: READ_ONLY,
        }),
      ),
    );
    const owner = {
      ...referral.affiliate,
      approved: false,
      campaign: { ...changed, name: "Partner program" },
    };
    expect(await issuesOf("referrals", { ...referral, affiliate: owner })).toEqual(
      ["affiliate.approved", "affiliate.campaign.commission_amount", "affiliate.campaign.limit_amount"].map(
        (path) => ({ path, message: READ_ONLY }),
      ),
    );
    const customer = { ...commission.referral, signup_date: "2026-01-01T00:00:00Z" };
    expect(await issuesOf("commissions", { ...commission, referral: customer })).toEqual([
      { path: "referral.signup_date", message: READ_ONLY },
    ]);
  });

  it("is reported as the id for another object", async () => {
    const { trpc } = program.organization;
    const campaign = await trpc.campaigns.create.mutate({
      ...CAMPAIGN,
      name: "Other",
      commission_amount: 10,
    });
    expect(await issuesOf("affiliates", { ...program.affiliate, campaign })).toEqual([
      { path: "campaign.id", message: READ_ONLY },
    ]);
  });

  it("is unknown if the response has no such field", async () => {
    const { affiliate } = program;
    const campaign = { ...affiliate.campaign, colour: "green", __proto__: null, constructor: 1 };
    expect(await issuesOf("affiliates", { ...affiliate, campaign })).toEqual([
      { path: "campaign.colour", message: "Unknown field." },
      { path: "campaign.constructor", message: "Unknown field." },
    ]);
  });

  it("is not_found if the row is", async () => {
    for (const resource of UPDATED) {
      const error = await refused(resource, { ...(await get(resource)), id: unknownId() });
      expect(error.code).toBe("not_found");
    }
  });
});

describe("a field that changed after the GET", () => {
  it("is ignored: clicks and the processor's ids of codes", async () => {
    const { organization, campaign } = program;
    await organization.trpc.campaigns.update.mutate({
      id: campaign.id,
      code_mode: "both",
      reference_coupon: "coupon_20",
    });
    const { id } = program.affiliate;
    await organization.trpc.affiliates.update.mutate({ id, promo_code: "JANE" });
    const before = await get("affiliates");
    await withoutTriggers(service.database, async (sql) => {
      await sql`update affiliates set clicks = clicks + 7 where id = ${id}`;
      await sql`update affiliate_codes set external_id = 'promo_1' where affiliate_id = ${id} and kind = 'promo'`;
    });
    const after = await put("affiliates", { ...before, first_name: "Janet" });
    expect(after).toMatchObject({
      first_name: "Janet",
      clicks: 7,
      promo_codes: [{ code: "JANE", external_id: "promo_1" }],
    });
    // The other fields of the same code list are compared.
    const promo_codes = [{ code: "JANET", external_id: null }];
    expect(await issuesOf("affiliates", { ...before, promo_codes })).toEqual([
      { path: "promo_codes[0].code", message: READ_ONLY },
    ]);
  });

  it("is ignored: a commission's referral, and its affiliate's notifications", async () => {
    const before = await get("commissions");
    const { trpc } = program.organization;
    await trpc.referrals.update.mutate({
      id: program.referral.id,
      email: "new@example.com",
      subscription_status: "active",
      processor_customer_id: "cus_2",
    });
    await trpc.affiliates.update.mutate({ id: program.affiliate.id, new_paid_referral_notifications: false });
    const after = await put("commissions", { ...before, commission_amount: 24 });
    expect(after).toMatchObject({ commission_amount: 24, referral: { email: "new@example.com" } });
  });
});

describe("a field with a current value that cannot be set", () => {
  it("is accepted: the status of a commission in a payout, if nothing else changes", async () => {
    const { commission } = program;
    const payout_id = await insertPayout(service.database, program);
    for (const payout_status of ["pending", "paid"] as const) {
      if (payout_status === "pending") {
        await payCommission(service.database, program, { payout_id, payout_status });
      } else {
        await withoutTriggers(
          service.database,
          (sql) => sql`update payouts set status = 'paid' where id = ${payout_id}`,
        );
      }
      const before = await get("commissions");
      expect(before.payout_status).toBe(payout_status);
      expect(await put("commissions", before)).toEqual(before);
      // It was not in the payout yet when it was read.
      expect(await put("commissions", { ...before, payout: null })).toEqual(before);
      for (const change of [
        { commission_amount: 24 },
        { payout_status: "voided" },
        { payout_status: "not_paid" },
      ]) {
        expect((await refused("commissions", { ...before, ...change })).code).toBe("commission_locked");
      }
    }
    expect(await issuesOf("commissions", { id: commission.id, payout_status: "pending" })).toEqual([
      { path: "payout_status", message: "Must be one of not_paid, voided." },
    ]);
  });

  it("is accepted: the negative amounts of a reversal, and the email reported by a processor", async () => {
    const { organization, commission, referral } = program;
    const { organization_id } = organization;
    const { id: reversal_of } = await addCommission(program);
    await withoutTriggers(service.database, async (sql) => {
      await sql`
        update commissions set revenue_minor = -10000, commission_minor = -3000, reversal_of = ${reversal_of}
        where organization_id = ${organization_id} and id = ${commission.id}`;
      await sql`
        update referrals set email = 'no address' where organization_id = ${organization_id} and id = ${referral.id}`;
    });
    const reversal = await get("commissions");
    expect(await put("commissions", { ...reversal, processor_payment_id: "pi_2" })).toEqual({
      ...reversal,
      processor_payment_id: "pi_2",
    });
    expect(await issuesOf("commissions", { ...reversal, revenue_amount: -5 })).toEqual([
      { path: "revenue_amount", message: "Must be greater than 0." },
    ]);
    const customer = await get("referrals");
    expect(await put("referrals", { ...customer, subscription_status: "active" })).toEqual({
      ...customer,
      subscription_status: "active",
    });
    expect(await issuesOf("referrals", { ...customer, email: "another" })).toEqual([
      { path: "email", message: "Must be an email address of at most 254 characters." },
    ]);
  });

  it("counts as omitted: a processor may still change it", async () => {
    const { organization_id } = program.organization;
    await service.database`
      update referrals set email_is_manual = false, customer_id_is_manual = false
      where organization_id = ${organization_id}`;
    await put("referrals", { ...(await get("referrals")), subscription_status: "active" });
    await put("commissions", { ...(await get("commissions")), processor_payment_id: "pi_2" });
    const [row] = await service.database`
      select referral.email_is_manual, referral.customer_id_is_manual, correction.revenue_minor, correction.commission_minor,
        correction.voided, correction.referral_date
      from referrals referral
      join commissions commission on commission.organization_id = referral.organization_id
      left join commission_corrections correction
        on correction.organization_id = commission.organization_id and correction.commission_id = commission.id
      where referral.organization_id = ${organization_id}`;
    expect(row).toEqual({
      email_is_manual: false,
      customer_id_is_manual: false,
      revenue_minor: null,
      commission_minor: null,
      voided: null,
      referral_date: null,
    });
  });
});

describe("one response lists all issues:", () => {
  it("of the schema, of read-only fields and of unknown ones", async () => {
    const whole = await get("affiliates");
    const input = { ...whole, email: "none", created_at: "2026-01-01T00:00:00Z", colour: "green", banned: 1 };
    const issues = await issuesOf("affiliates", input);
    expect(issues?.map(({ path }) => path)).toEqual(["email", "banned", "colour", "created_at"]);
  });

  it("including those that depend on the row", async () => {
    const { campaign, affiliate, commission } = program;
    const paths = async (resource: Resource, input: Input) =>
      (await issuesOf(resource, input))?.map(({ path }) => path);
    expect(await paths("campaigns", { id: campaign.id, code_mode: "coupon", colour: 1, name: "" })).toEqual([
      "name",
      "colour",
      "reference_coupon",
    ]);
    expect(
      await paths("campaigns", { ...campaign, created_at: null, commission_amount: 100.5, limit_amount: 3 }),
    ).toEqual(["created_at", "limit_amount", "commission_amount"]);
    expect(
      await paths("affiliates", { id: affiliate.id, promo_code: "JANE", clicks: "x", banned: null }),
    ).toEqual(["banned", "clicks", "promo_code"]);
    expect(
      await paths("commissions", {
        id: commission.id,
        revenue_amount: 0.001,
        commission_amount: -1,
        payout_status: "paid",
        payout: 1,
        colour: 1,
      }),
    ).toEqual(["commission_amount", "colour", "payout", "payout_status", "revenue_amount"]);
  });

  it("except those that follow from another invalid field", async () => {
    const input = { id: program.campaign.id, code_mode: "coupon", reference_coupon: 5 };
    expect((await issuesOf("campaigns", input))?.map(({ path }) => path)).toEqual(["reference_coupon"]);
  });

  it("on creation as well", async () => {
    const { organization, referral } = program;
    const created = async (name: string, input: Input) => {
      const { code, issues } = await errorOf(organization, name, input);
      expect(code).toBe("invalid_request");
      return issues?.map(({ path }) => path);
    };
    const { website_url: _, ...without_page } = CAMPAIGN;
    expect(await created("campaigns.create", { ...without_page, colour: 1 })).toEqual([
      "colour",
      "website_url",
    ]);
    expect(
      await created("affiliates.create", { email: "new@example.com", promo_code: "NEW", colour: 1 }),
    ).toEqual(["colour", "promo_code"]);
    expect(
      await created("commissions.create", {
        referral_id: referral.id,
        revenue_amount: 0.001,
        commission_amount: 1,
        currency: "JPY",
        referral_date: "yesterday",
        id: 1,
      }),
    ).toEqual(["referral_date", "id", "revenue_amount"]);
  });
});
