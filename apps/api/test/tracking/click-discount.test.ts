/* The discount of a visitor who came by an affiliate's link, as pages and backends read it. */
import { eventually } from "@findersfee/database/testing/eventually";
import type { Context } from "@findersfee/domain/context";
import { newId } from "@findersfee/domain/ids";
import { click as pastClick } from "@findersfee/domain/testing/attribution/program";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDiscountedProgram, LINK_DISCOUNT, makeCodeReady } from "../discounted-program.ts";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { click, newVisitor, post, type TrackedProgram } from "../tracking-program.ts";

const DISCOUNT = {
  affiliate: { name: "Jane Doe", code: "jane" },
  discount: { promotion_code: "promo_jane", code: "JANE20", description: "20% off your first year" },
  reason: null,
};
const UNKNOWN = { affiliate: null, discount: null, reason: "unknown_click" };

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

async function clickOf(program: TrackedProgram, code = "jane"): Promise<string> {
  return (await click(program, { code }, newVisitor())).body.data.click_id;
}

async function asPage({ organization }: TrackedProgram, click_id: string) {
  const body = { key: organization.publishable_key, click_id };
  const answer = await post(`${service.url}/track/discount`, body, { origin: "https://example.com" });
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body.data;
}

/** Both read the same, and pages within a second of a change. */
async function expectDiscount(program: TrackedProgram, click_id: string, expected: unknown): Promise<void> {
  expect(await program.organization.trpc.discounts.get.query({ click_id })).toEqual(expected);
  await eventually(async () => expect(await asPage(program, click_id)).toEqual(expected));
}

it("is the affiliate's promo code", async () => {
  const program = await createDiscountedProgram(service);
  const click_id = await clickOf(program);
  await expectDiscount(program, click_id, DISCOUNT);
  await expectDiscount(program, click_id.toUpperCase(), DISCOUNT);
});

it("says that the promo code is not ready, and gives it once it is", async () => {
  const program = await createDiscountedProgram(service, { is_ready: false });
  const click_id = await clickOf(program);
  await expectDiscount(program, click_id, { ...DISCOUNT, discount: null, reason: "not_ready" });
  await makeCodeReady(service, program, "promo_jane");
  await expectDiscount(program, click_id, DISCOUNT);
});

it("is not ready while the code has another text or coupon at Stripe", async () => {
  const program = await createDiscountedProgram(service);
  const { trpc } = program.organization;
  const click_id = await clickOf(program);
  await trpc.affiliates.update.mutate({ id: program.affiliate.id, promo_code: "JANE30" });
  await expectDiscount(program, click_id, { ...DISCOUNT, discount: null, reason: "not_ready" });
  await trpc.affiliates.update.mutate({ id: program.affiliate.id, promo_code: "jane20" });
  await expectDiscount(program, click_id, {
    ...DISCOUNT,
    discount: { ...DISCOUNT.discount, code: "jane20" },
  });
  // As if the service had made the code, with the coupon of that time.
  await service.database`
    update affiliate_codes set external_linked = false, external_coupon = 'TEN' where external_id = 'promo_jane'
      and affiliate_id = ${program.affiliate.id}`;
  await expectDiscount(program, click_id, { ...DISCOUNT, discount: null, reason: "not_ready" });
});

it("has only a code where the organization makes its codes at another processor", async () => {
  const program = await createDiscountedProgram(service, { is_ready: false });
  const { trpc } = await service.staff(program.organization.organization_id);
  await trpc.dashboard.processors.connect.mutate({ name: "generic" });
  const discount = { ...DISCOUNT.discount, promotion_code: null };
  await expectDiscount(program, await clickOf(program), { ...DISCOUNT, discount });
});

it.each([
  ["is off", { enabled: false }],
  ["has no links and promo codes", { code_mode: "link" as const }],
])("says that the campaign %s", async (_, change) => {
  const program = await createDiscountedProgram(service);
  const click_id = await clickOf(program);
  const settings =
    "enabled" in change
      ? { link_discount: { ...LINK_DISCOUNT, enabled: false } }
      : { code_mode: change.code_mode };
  await program.organization.trpc.campaigns.update.mutate({ id: program.campaign.id, ...settings });
  await expectDiscount(program, click_id, { ...DISCOUNT, discount: null, reason: "no_link_discount" });
});

it("names the affiliate only if the campaign shows the name, and never by the email", async () => {
  const program = await createDiscountedProgram(service);
  const { trpc } = program.organization;
  const click_id = await clickOf(program);
  const unnamed = { ...DISCOUNT, affiliate: { name: null, code: "jane" } };
  const show = (show_affiliate: boolean) =>
    trpc.campaigns.update.mutate({
      id: program.campaign.id,
      link_discount: { ...LINK_DISCOUNT, show_affiliate },
    });
  await show(false);
  await expectDiscount(program, click_id, unnamed);
  await show(true);
  await expectDiscount(program, click_id, DISCOUNT);
  await service.database`
    update affiliates set first_name = '', last_name = '' where id = ${program.affiliate.id}`;
  await expectDiscount(program, click_id, unnamed);
});

it("is nobody's for clicks that do not count", async () => {
  const program = await createDiscountedProgram(service);
  const stranger = await createDiscountedProgram(service);
  for (const click_id of [await clickOf(stranger), newId(new Date())])
    await expectDiscount(program, click_id, UNKNOWN);
  for (const click_id of ["", "nonsense", "00000000-0000-4000-8000-000000000000", "a b"])
    expect(await asPage(program, click_id)).toEqual(UNKNOWN);
  const click_id = await clickOf(program);
  await expectDiscount(program, click_id, DISCOUNT);
  await program.organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, banned: true });
  await expectDiscount(program, click_id, UNKNOWN);
});

it("ends with the click", async () => {
  const program = await createDiscountedProgram(service);
  const { affiliate, organization } = program;
  const owner = { database: service.database, organization: { id: organization.organization_id } } as Context;
  const clickBefore = (days: number) =>
    pastClick(owner, { affiliate_id: affiliate.id, at: new Date(Date.now() - days * 86_400_000) });
  const [counting, expired] = [await clickBefore(29), await clickBefore(31)];
  await expectDiscount(program, counting, { ...DISCOUNT, affiliate: { name: "Jane Doe", code: "code" } });
  await expectDiscount(program, expired, UNKNOWN);
});

describe("for strangers", () => {
  it("answers only pages of the organization's sites, with its publishable key", async () => {
    const program = await createDiscountedProgram(service);
    const click_id = await clickOf(program);
    const { publishable_key: key, api_key } = program.organization;
    const ask = (body: object, origin = "https://example.com") =>
      post(`${service.url}/track/discount`, body, { origin });
    expect(responseError("rest", await ask({ key, click_id }, "https://evil.test")).code).toBe(
      "insufficient_scope",
    );
    expect(responseError("rest", await ask({ key: api_key, click_id })).code).toBe("insufficient_scope");
    expect(responseError("rest", await ask({ key: "ff_pk_nobody", click_id })).code).toBe("unauthorized");
    expect(responseError("rest", await ask({ key })).code).toBe("invalid_request");
    const { headers } = await ask({ key, click_id });
    expect(headers.get("access-control-allow-origin")).toBe("https://example.com");
  });

  it("is bounded in rate with clicks and sign-ups", async () => {
    const limited = await startTestService({ track_limit_per_minute: 3 });
    try {
      const { organization } = await createDiscountedProgram(limited);
      const body = { key: organization.publishable_key, click_id: newId(new Date()) };
      const statuses = [];
      for (let count = 0; count < 4; count++)
        statuses.push((await post(`${limited.url}/track/discount`, body)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});
