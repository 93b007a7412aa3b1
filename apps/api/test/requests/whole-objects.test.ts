import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, errorOf, type Input } from "../operations.ts";
import { CAMPAIGN, type Program, storedRows } from "../program.ts";
import type { TestService } from "../test-service.ts";
import { type Resource, UPDATED, WholeObjects } from "./whole-objects.ts";

let service: TestService;
let program: Program;
let objects: WholeObjects;

beforeEachInNewProgram((made) => {
  ({ service, program } = made);
  objects = new WholeObjects(service, program);
});

describe("a whole object sent back", () => {
  it.each([
    ["campaigns", { commission_amount: 25, welcome_message: "Hi" }],
    ["affiliates", { first_name: "Janet", details: "Moved", note: "Call first" }],
    ["referrals", { subscription_status: "active" }],
    [
      "commissions",
      { revenue_amount: 80, commission_amount: 24, referral_date: "2026-11-19T12:00:00+02:00" },
    ],
  ] as const)("%s: applies the changed field", async (resource, change) => {
    const before = await objects.get(resource);
    const after = await objects.put(resource, { ...before, ...change });
    const utc = "referral_date" in change ? { referral_date: "2026-11-19T10:00:00.000Z" } : {};
    expect(after).toEqual({ ...before, ...change, ...utc });
    expect(await objects.get(resource)).toEqual(after);
  });

  it.each(UPDATED)("%s: changes nothing for an unchanged object", async (resource) => {
    const before = await objects.get(resource);
    const stored = await storedRows(service.database);
    expect(await objects.put(resource, before)).toEqual(before);
    expect(await storedRows(service.database)).toEqual(stored);
  });

  it.each(UPDATED)("%s: accepts an object from a list", async (resource) => {
    const { data } = await answerOf(program.organization, `${resource}.list`, { limit: 1 });
    expect(await objects.put(resource, data[0])).toEqual(data[0]);
  });

  it("accepts equal values in another notation", async () => {
    const { affiliate, commission } = program;
    const at = new Date(Date.parse(affiliate.created_at) + 9 * 60 * 60_000)
      .toISOString()
      .replace("Z", "+0900");
    await objects.put("affiliates", {
      id: affiliate.id.toUpperCase(),
      created_at: at,
      campaign: { ...affiliate.campaign, id: affiliate.campaign.id.toUpperCase() },
    });
    await objects.put("commissions", {
      id: commission.id,
      affiliate: { email: "JANE@Example.com", payout_email: "Jane-Money@example.com", created_at: at },
    });
  });

  it("may omit fields of nested objects", async () => {
    const { id, campaign } = program.affiliate;
    await objects.put("affiliates", { id, campaign: { id: campaign.id }, links: [{ code: "jane-doe" }] });
    expect(await objects.put("affiliates", { id, campaign: {} })).toMatchObject({ campaign });
  });

  it("can be sent again after one of its codes changed", async () => {
    const before = await objects.get("affiliates");
    const renamed = { ...before, ref_code: "janet" };
    const once = await objects.put("affiliates", renamed);
    expect(once.links).toEqual([{ code: "janet", url: "https://example.com/?via=janet" }]);
    expect(await objects.put("affiliates", renamed)).toEqual(once);
  });
});

describe("one response lists all issues:", () => {
  it("of the schema, of read-only fields and of unknown ones", async () => {
    const whole = await objects.get("affiliates");
    const input = { ...whole, email: "none", created_at: "2026-01-01T00:00:00Z", colour: "green", banned: 1 };
    const issues = await objects.issuesOf("affiliates", input);
    expect(issues?.map(({ path }) => path)).toEqual(["email", "banned", "colour", "created_at"]);
  });

  it("including those that depend on the row", async () => {
    const { campaign, affiliate, commission } = program;
    const paths = async (resource: Resource, input: Input) =>
      (await objects.issuesOf(resource, input))?.map(({ path }) => path);
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
    expect((await objects.issuesOf("campaigns", input))?.map(({ path }) => path)).toEqual([
      "reference_coupon",
    ]);
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
