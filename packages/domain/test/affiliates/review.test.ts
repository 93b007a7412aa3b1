import { insertCode } from "@findersfee/database/affiliates/codes";
import { transaction } from "@findersfee/database/postgres/connect";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { checkCode } from "../../src/affiliates/check-code.ts";
import { declineAffiliates } from "../../src/affiliates/decline.ts";
import { moveAffiliates } from "../../src/affiliates/move.ts";
import { setAffiliateStates } from "../../src/affiliates/set-state.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { listWaiting } from "../../src/affiliates/waiting.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { newId } from "../../src/ids.ts";
import { previewMail, previewWelcome } from "../../src/mails/preview.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const apply = (fields: object = {}) =>
  addAffiliate(context, { campaign_id: partner.campaign_id, approved: false, ...fields });
const waiting = (query: object = {}) => listWaiting(context, { limit: 50, ...query });
const events = () =>
  context.database`
    select type from events where organization_id = ${context.organization.id} and type = 'affiliate.approved'`;
const entries = async (id: string) =>
  (
    await context.database`
      select action, after from audit_log_entries
      where organization_id = ${context.organization.id} and resource_id = ${id} and action <> 'created' order by id`
  ).map(({ after }) => after);

describe("the applications", () => {
  it("are listed oldest first, with other accounts of the same address", async () => {
    const first = await apply({ email: "Jane@example.com", payout_email: "bank@example.com" });
    const other_campaign = await addPartner(context, { name: "Others" });
    const other = await addAffiliate(context, {
      campaign_id: other_campaign.campaign_id,
      email: "jane@example.com",
    });
    const second = await apply({ email: "bank@example.com" });
    const page = await waiting({ limit: 1 });
    expect(page).toMatchObject({ count: 2, next: first });
    expect(page.data).toMatchObject([
      {
        id: first,
        campaign: { id: partner.campaign_id },
        others: [
          { id: other, campaign_name: "Others", state: "active" },
          { id: second, state: "waiting" },
        ],
      },
    ]);
    const rest = await waiting({ limit: 1, after: first });
    expect(rest).toMatchObject({ data: [{ id: second }], next: null });
    expect((await waiting({ campaign_id: other_campaign.campaign_id })).data).toEqual([]);
    expect(await listWaiting(await makeContext(context.database), { limit: 50 })).toMatchObject({
      data: [],
      count: 0,
    });
  });

  it("are approved together, each with its event and audit entry, once", async () => {
    const ids = [await apply(), await apply()];
    expect(
      await setAffiliateStates(context, { ids: [...ids, partner.affiliate_id], approved: true }),
    ).toEqual({
      changed: 2,
    });
    expect(await events()).toHaveLength(2);
    expect(await entries(ids[0] ?? "")).toEqual([{ approved: true }]);
    expect(await setAffiliateStates(context, { ids, approved: true })).toEqual({ changed: 0 });
    expect(await events()).toHaveLength(2);
    expect((await waiting()).data).toEqual([]);
  });

  it("are approved all or none", async () => {
    const id = await apply();
    const ids = [id, newId(new Date())];
    await expect(setAffiliateStates(context, { ids, approved: true })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await waiting()).data).toMatchObject([{ id }]);
    expect(await events()).toEqual([]);
  });

  it("are declined with a reason, which only the dashboard shows", async () => {
    const id = await apply();
    const decline = () => declineAffiliates(context, { ids: [id], reason: " Not now. ", mail: true });
    expect(await decline()).toEqual({ changed: 1 });
    expect(await decline()).toEqual({ changed: 0 });
    expect((await waiting()).data).toEqual([]);
    const detail = await getAffiliateDetail(context, id);
    expect(detail).toMatchObject({
      state: "declined",
      decline_reason: "Not now.",
      declined_at: expect.any(String),
    });
    expect(detail.affiliate).toMatchObject({ approved: false, banned: false });
    expect(Object.keys(detail.affiliate)).not.toContain("decline_reason");
    expect(await entries(id)).toEqual([{ declined: true }]);
    expect(
      await context.database`select kind, affiliate_id, recipient from mails where affiliate_id = ${id}`,
    ).toEqual([{ kind: "affiliate_declined", affiliate_id: id, recipient: "" }]);
    expect(
      await declineAffiliates(context, { ids: [partner.affiliate_id], reason: null, mail: true }),
    ).toEqual({
      changed: 0,
    });
    await setAffiliateStates(context, { ids: [id], approved: true });
    expect(await getAffiliateDetail(context, id)).toMatchObject({ state: "active", decline_reason: null });
    const next = await apply();
    const ids = [next.toUpperCase(), next];
    expect(await declineAffiliates(context, { ids, reason: null, mail: false })).toEqual({ changed: 1 });
    expect(await entries(next)).toEqual([{ declined: true }]);
  });

  it("have a preview of the mail of each decision", async () => {
    const id = await apply({ first_name: "Jane", email: "jane@example.com" });
    const preview = () =>
      previewMail(context, { id, kind: "approved", reason: null }, "https://partners.example.com");
    expect(await preview()).toMatchObject({ subject: "Acme invited you to its affiliate program" });
    await context.database`update affiliates set agreed_at = now() where id = ${id}`;
    const approved = await preview();
    expect(approved).toMatchObject({
      to: "jane@example.com",
      subject: "Welcome to Acme's affiliate program",
    });
    expect(approved.text).toContain("?via=");
    expect(approved.text).toContain(`Your portal: https://partners.example.com/portal?program=${id}`);
    const declined = await previewMail(context, { id, kind: "declined", reason: "Not now." }, null);
    expect(declined.text).toContain("Not now.");
    expect(declined.text).not.toContain("Your portal");
    await expect(
      previewMail(context, { id: newId(new Date()), kind: "approved", reason: null }, null),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

it("previews the whole mail to a new affiliate, with the message that is being written", async () => {
  const preview = (campaign_id: string, welcome_message: string | null) =>
    previewWelcome(context, { campaign_id, welcome_message }, "https://partners.example.com");
  const { text, subject, to, language } = await preview(partner.campaign_id, "Post twice a week.");
  expect({ subject, to, language }).toEqual({
    subject: "Welcome to Acme's affiliate program",
    to: "jane@example.com",
    language: "en",
  });
  for (const part of [
    "Jane",
    "> Post twice a week.",
    "?via=jane",
    "Your portal: https://partners.example.com",
  ]) {
    expect(text).toContain(part);
  }
  expect((await preview(partner.campaign_id, null)).text).not.toContain(">");
  await expect(preview(newId(new Date()), null)).rejects.toMatchObject({ code: "not_found" });
});

describe("affiliates", () => {
  it("are banned and unbanned", async () => {
    const ids = [partner.affiliate_id];
    expect(await setAffiliateStates(context, { ids, banned: true })).toEqual({ changed: 1 });
    expect(await getAffiliateDetail(context, partner.affiliate_id)).toMatchObject({ state: "banned" });
    expect(await setAffiliateStates(context, { ids, banned: false })).toEqual({ changed: 1 });
    expect(await getAffiliateDetail(context, partner.affiliate_id)).toMatchObject({ state: "active" });
  });

  it("move to another campaign, all or none, and get its promo code", async () => {
    const id = await apply({ email: "jane@example.com" });
    const target = await addPartner(context, {
      name: "Coupons",
      code_mode: "both",
      reference_coupon: "coupon_1",
    });
    expect(await moveAffiliates(context, { ids: [id], campaign_id: target.campaign_id })).toEqual({
      changed: 1,
    });
    expect(await getAffiliateDetail(context, id)).toMatchObject({
      affiliate: { campaign: { id: target.campaign_id }, promo_codes: [{ code: "JANE" }] },
    });
    expect(await entries(id)).toEqual([{ campaign_id: target.campaign_id }]);
    const twin = await apply({ email: "JANE@example.com" });
    const next = await apply();
    await expect(
      moveAffiliates(context, { ids: [next, twin], campaign_id: target.campaign_id }),
    ).rejects.toMatchObject({ code: "affiliate_exists" });
    expect(await getAffiliateDetail(context, next)).toMatchObject({
      affiliate: { campaign: { id: partner.campaign_id } },
    });
    await expect(
      moveAffiliates(context, { ids: [id], campaign_id: newId(new Date()) }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("move while somebody else takes the promo code of their name", async () => {
    const id = await apply({ first_name: "Jane", last_name: "Doe" });
    const other = await apply();
    const settings = { name: "Coupons", code_mode: "both", reference_coupon: "coupon_1" } as const;
    const { campaign_id } = await addPartner(context, settings);
    const { database, organization } = context;
    let moving: Promise<unknown> = Promise.resolve();
    await transaction(database, async (sql) => {
      const created_at = new Date();
      const code = {
        id: newId(created_at),
        affiliate_id: other,
        kind: "promo",
        code: "janedoe",
        created_at,
      } as const;
      await insertCode(sql, organization.id, code);
      moving = moveAffiliates(context, { ids: [id], campaign_id }).catch((error: unknown) => error);
      const waiting_for_code = () => database`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%affiliate_codes%'`;
      await expect.poll(waiting_for_code).toHaveLength(1);
    });
    expect(await moving).toEqual({ changed: 1 });
    expect((await getAffiliateDetail(context, id)).affiliate.promo_codes).toMatchObject([
      { code: expect.stringMatching(/^JANEDOE.{4}$/) },
    ]);
  });

  it("have twelve months of totals, in few statements", async () => {
    const { affiliate_id } = partner;
    await context.database`
      insert into daily_totals (organization_id, generation, currency, day, affiliate_id, clicks, signups, conversions,
        revenue_minor, commission_minor, lost_minor)
      select ${context.organization.id}, generation, currency, now()::date - 1, ${affiliate_id}, clicks, 0, 0, 0, commission, 0
      from (values (1, 'XXX', 7, 0), (1, 'USD', 0, 1250), (1, 'JPY', 0, 9), (2, 'XXX', 30, 0))
        as total (generation, currency, clicks, commission)`;
    const { months, currency } = await getAffiliateDetail(context, affiliate_id);
    expect(currency).toBe("USD");
    expect(months).toHaveLength(12);
    const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
    const sums = [sumOf(months.map(({ earned }) => earned)), sumOf(months.map(({ clicks }) => clicks))];
    expect(sums).toEqual([12.5, 7]);
    const read = () => getAffiliateDetail(context, affiliate_id);
    // Two of them find the affiliate with its campaign and codes.
    expect((await statementsOf(context.database, read)).length).toBeLessThanOrEqual(9);
    await expect(getAffiliateDetail(context, newId(new Date()))).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("have codes that can be checked in any case", async () => {
    await updateAffiliate(context, { id: partner.affiliate_id, ref_code: "Summer-26" });
    expect(await checkCode(context, { kind: "link", code: "sUMMER-26" })).toMatchObject({
      is_free: false,
      affiliate: { id: partner.affiliate_id },
    });
    expect(await checkCode(context, { kind: "promo", code: "Summer-26" })).toEqual({
      is_free: true,
      affiliate: null,
    });
    const stranger = await makeContext(context.database);
    expect(await checkCode(stranger, { kind: "link", code: "Summer-26" })).toMatchObject({ is_free: true });
  });
});
