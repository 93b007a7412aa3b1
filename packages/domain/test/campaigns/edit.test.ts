import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import { editCampaign, getEditedCampaign } from "../../src/campaigns/edit.ts";
import { listCampaignRows } from "../../src/campaigns/list-rows.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { rebuildTotals } from "../../src/reports/totals/rebuild.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, addPartner, type Partner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const get = () => getEditedCampaign(context, partner.campaign_id);

describe("a campaign's name", () => {
  const name = "Partners: verify at https://evil.example/login";
  const refused = { code: "invalid_request", issues: [expect.objectContaining({ path: "name" })] };

  it("has no address, which mails to strangers would turn into a link", async () => {
    const { campaign, version } = await get();
    await expect(updateCampaign(context, { id: partner.campaign_id, name })).rejects.toMatchObject(refused);
    const change = { id: partner.campaign_id, name };
    await expect(editCampaign(context, { version, change })).rejects.toMatchObject(refused);
    const { website_url, commission_type, commission_amount, code_mode } = campaign;
    const created = createCampaign(context, {
      ...{ name, website_url, commission_type, commission_amount, code_mode },
    });
    await expect(created).rejects.toMatchObject(refused);
    expect((await get()).version).toBe(version);
  });
});

describe("an editor's change", () => {
  it("changes a campaign that nobody else has changed, and names the last change", async () => {
    const { version } = await get();
    const edited = await editCampaign(context, {
      version,
      change: { id: partner.campaign_id, commission_amount: 25 },
    });
    expect(edited).toMatchObject({ campaign: { commission_amount: 25 }, changed: { by: "operator" } });
    expect(edited.version).not.toBe(version);
    expect(edited).toEqual(await get());
  });

  it.each(["commission_amount", "custom_fields"] as const)(
    "is refused after another change of %s, and changes nothing",
    async (field) => {
      const { version } = await get();
      const others = { commission_amount: 10, custom_fields: [] };
      const fields = { id: "who", label: "Who?", type: "text" as const, options: [], required: false };
      await updateCampaign(context, {
        id: partner.campaign_id,
        [field]: field === "custom_fields" ? [fields] : others[field],
      });
      const before = await get();
      const change = { id: partner.campaign_id, name: "Mine" };
      await expect(editCampaign(context, { version, change })).rejects.toMatchObject({
        code: "campaign_changed",
      });
      expect(await get()).toEqual(before);
    },
  );

  it("sets who may join, with an audit log entry, and as a part of the version", async () => {
    const { version, joining } = await get();
    expect(joining).toBe("by_link");
    const change = { id: partner.campaign_id, joining: "closed" as const };
    const edited = await editCampaign(context, { version, change });
    expect(edited).toMatchObject({ joining: "closed", campaign: (await get()).campaign });
    expect(edited.version).not.toBe(version);
    const last = (await history(context, { resource: "campaign" })).at(-1);
    expect(last).toMatchObject({ before: { joining: "by_link" }, after: { joining: "closed" } });
    // Other updates leave it, including the API's.
    await updateCampaign(context, { id: partner.campaign_id, name: "Friends" });
    expect((await get()).joining).toBe("closed");
    await editCampaign(context, { version: (await get()).version, change });
    expect((await history(context, { resource: "campaign" })).at(-1)).toMatchObject({
      after: { name: "Friends" },
    });
  });

  it("of two at the same time wins once", async () => {
    const { version } = await get();
    const results = await Promise.allSettled(
      ["One", "Two"].map((name) =>
        editCampaign(context, { version, change: { id: partner.campaign_id, name } }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("of an unknown campaign is not found", async () => {
    const id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
    await expect(getEditedCampaign(context, id)).rejects.toMatchObject({ code: "not_found" });
    const unknown = { version: "x", change: { id, name: "x" } };
    await expect(editCampaign(context, unknown)).rejects.toMatchObject({ code: "not_found" });
  });
});

async function earn(affiliate_id: string, currency: string, revenue_amount: number): Promise<void> {
  const email = `${currency}-${revenue_amount}@customers.test`;
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const amounts = { revenue_amount, commission_amount: 1, currency };
  await createCommission(context, { referral_id: referral.id, ...amounts });
}

describe("the list of campaigns", () => {
  it("shows affiliates, applications, and the revenue of 30 days by currency", async () => {
    const other = await addPartner(context, { name: "Other" });
    const waiting = await addAffiliate(context, { campaign_id: other.campaign_id, approved: false });
    await addAffiliate(context, { campaign_id: other.campaign_id, approved: false });
    const banned = await addAffiliate(context, { campaign_id: other.campaign_id, approved: false });
    await updateAffiliate(context, { id: banned, banned: true });
    await earn(partner.affiliate_id, "USD", 100);
    await earn(partner.affiliate_id, "EUR", 20);
    await earn(waiting, "USD", 7);
    const figures = async () =>
      (await listCampaignRows(context)).campaigns.map(({ campaign, ...row }) => ({
        name: campaign.name,
        ...row,
      }));
    const expected = [
      { name: "Other", affiliates: 4, waiting: 2, revenue: [{ currency: "USD", amount: 7 }] },
      {
        name: "Partners",
        affiliates: 1,
        waiting: 0,
        revenue: [
          { currency: "EUR", amount: 20 },
          { currency: "USD", amount: 100 },
        ],
      },
    ];
    expect(await figures()).toEqual(expected);
    await rebuildTotals(context.database, context.organization.id);
    expect(await figures()).toEqual(expected);
  });

  it("takes as many statements for two campaigns as for one, and lists none of other organizations", async () => {
    const read = () => statementsOf(context.database, () => listCampaignRows(context));
    const for_one = await read();
    await addPartner(context, { name: "Other" });
    expect(await read()).toHaveLength(for_one.length);
    const other = await makeContext(context.database);
    expect(await listCampaignRows(other)).toEqual({ campaigns: [], has_more: false });
  });
});
