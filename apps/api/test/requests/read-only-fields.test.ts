import { withoutTriggers } from "@findersfee/database/testing";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { addCommission, CAMPAIGN, insertPayout, type Program, payCommission, unknownId } from "../program.ts";
import type { TestService } from "../test-service.ts";
import { READ_ONLY, UPDATED, WholeObjects } from "./whole-objects.ts";

let service: TestService;
let program: Program;
let objects: WholeObjects;

beforeEachInNewProgram((made) => {
  ({ service, program } = made);
  objects = new WholeObjects(service, program);
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
    const issues = await objects.issuesOf(resource, { ...(await objects.get(resource)), [field]: value });
    expect(issues).toEqual([{ path: field, message: READ_ONLY }]);
  });

  it("is reported by path if nested", async () => {
    const { affiliate, referral, commission } = program;
    const [link] = affiliate.links;
    const changed = { ...affiliate.campaign, name: "Other", commission_amount: 50, limit_amount: 3 };
    expect(
      await objects.issuesOf("affiliates", {
        ...affiliate,
        campaign: changed,
        links: [{ ...link, code: "x" }],
      }),
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
    expect(await objects.issuesOf("referrals", { ...referral, affiliate: owner })).toEqual(
      ["affiliate.approved", "affiliate.campaign.commission_amount", "affiliate.campaign.limit_amount"].map(
        (path) => ({ path, message: READ_ONLY }),
      ),
    );
    const customer = { ...commission.referral, signup_date: "2026-01-01T00:00:00Z" };
    expect(await objects.issuesOf("commissions", { ...commission, referral: customer })).toEqual([
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
    expect(await objects.issuesOf("affiliates", { ...program.affiliate, campaign })).toEqual([
      { path: "campaign.id", message: READ_ONLY },
    ]);
  });

  it("is unknown if the response has no such field", async () => {
    const { affiliate } = program;
    const campaign = { ...affiliate.campaign, colour: "green", __proto__: null, constructor: 1 };
    expect(await objects.issuesOf("affiliates", { ...affiliate, campaign })).toEqual([
      { path: "campaign.colour", message: "Unknown field." },
      { path: "campaign.constructor", message: "Unknown field." },
    ]);
  });

  it("is not_found if the row is", async () => {
    for (const resource of UPDATED) {
      const error = await objects.refused(resource, { ...(await objects.get(resource)), id: unknownId() });
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
    const before = await objects.get("affiliates");
    await withoutTriggers(service.database, async (sql) => {
      await sql`update affiliates set clicks = clicks + 7 where id = ${id}`;
      await sql`update affiliate_codes set external_id = 'promo_1' where affiliate_id = ${id} and kind = 'promo'`;
    });
    const after = await objects.put("affiliates", { ...before, first_name: "Janet" });
    expect(after).toMatchObject({
      first_name: "Janet",
      clicks: 7,
      promo_codes: [{ code: "JANE", external_id: "promo_1" }],
    });
    // The other fields of the same code list are compared.
    const promo_codes = [{ code: "JANET", external_id: null }];
    expect(await objects.issuesOf("affiliates", { ...before, promo_codes })).toEqual([
      { path: "promo_codes[0].code", message: READ_ONLY },
    ]);
  });

  it("is ignored: a commission's referral, and its affiliate's notifications", async () => {
    const before = await objects.get("commissions");
    const { trpc } = program.organization;
    await trpc.referrals.update.mutate({
      id: program.referral.id,
      email: "new@example.com",
      subscription_status: "active",
      processor_customer_id: "cus_2",
    });
    await trpc.affiliates.update.mutate({ id: program.affiliate.id, new_paid_referral_notifications: false });
    const after = await objects.put("commissions", { ...before, commission_amount: 24 });
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
      const before = await objects.get("commissions");
      expect(before.payout_status).toBe(payout_status);
      expect(await objects.put("commissions", before)).toEqual(before);
      // It was not in the payout yet when it was read.
      expect(await objects.put("commissions", { ...before, payout: null })).toEqual(before);
      for (const change of [
        { commission_amount: 24 },
        { payout_status: "voided" },
        { payout_status: "not_paid" },
      ]) {
        expect((await objects.refused("commissions", { ...before, ...change })).code).toBe(
          "commission_locked",
        );
      }
    }
    expect(await objects.issuesOf("commissions", { id: commission.id, payout_status: "pending" })).toEqual([
      { path: "payout_status", message: "Only payouts make a commission pending or paid." },
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
    const reversal = await objects.get("commissions");
    expect(await objects.put("commissions", { ...reversal, processor_payment_id: "pi_2" })).toEqual({
      ...reversal,
      processor_payment_id: "pi_2",
    });
    expect(await objects.issuesOf("commissions", { ...reversal, revenue_amount: -5 })).toEqual([
      { path: "revenue_amount", message: "Must be greater than 0." },
    ]);
    const customer = await objects.get("referrals");
    expect(await objects.put("referrals", { ...customer, subscription_status: "active" })).toEqual({
      ...customer,
      subscription_status: "active",
    });
    expect(await objects.issuesOf("referrals", { ...customer, email: "another" })).toEqual([
      { path: "email", message: "Must be an email address: it has no @." },
    ]);
  });

  it("counts as omitted: a processor may still change it", async () => {
    const { organization_id } = program.organization;
    await service.database`
      update referrals set email_is_manual = false, customer_id_is_manual = false
      where organization_id = ${organization_id}`;
    await objects.put("referrals", { ...(await objects.get("referrals")), subscription_status: "active" });
    await objects.put("commissions", { ...(await objects.get("commissions")), processor_payment_id: "pi_2" });
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
