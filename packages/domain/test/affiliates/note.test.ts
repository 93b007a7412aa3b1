/* The team's note about an affiliate, beside the affiliate's own words. */
import { eventTypes } from "@findersfee/contract/webhooks/events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { getApplication, updateApplication } from "../../src/portal/application.ts";
import { readOwnData } from "../../src/portal/own-data.ts";
import { getOwnSettings, updateOwnSettings } from "../../src/portal/own-settings.ts";
import { getPortalProgram } from "../../src/portal/program.ts";
import { addPartner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { earn } from "../ledger/program.ts";
import { type JoinProgram, openProgram, SITE } from "../portal/joining.ts";
import { sessionOf } from "../portal/own-session.ts";
import { bring, evaluate, makeTierContext, seal, tiersOf, yesterday } from "../tier-program.ts";

const NOTE = "Suspected of fraud. Do not pay before Bob has checked.";
const ABOUT = "I write about design.";

let test: TestDatabase;
let program: JoinProgram;

beforeAll(async () => {
  test = await createTestDatabase();
  program = await openProgram(test.database);
  await updateCampaign(program.context, { id: program.campaign_id, approval_needed: true });
});
afterAll(() => test.close());

/** An affiliate who wrote about themselves at signup, with a note by the team. */
async function join(): Promise<string> {
  const { id } = await program.join(program.form({ details: ABOUT }));
  await updateAffiliate(program.context, { id, note: NOTE });
  return id;
}

async function textOf(content: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of content) text += part;
  return text;
}

describe("a note", () => {
  it("leaves the affiliate's own words, and never reaches the affiliate", async () => {
    const id = await join();
    expect(await getAffiliate(program.context, id)).toMatchObject({ details: ABOUT, note: NOTE });
    const session = await sessionOf(program.context, id);
    const portal_session = {
      session_id: session.session_id,
      email: "jane@example.com",
      limited_to: null,
      affiliate_id: null,
      by_staff: false,
      programs: new Map(),
      invitations: new Map(),
    };
    const shown = [
      await getOwnSettings(test.database, session),
      await getApplication(test.database, session),
      JSON.parse(await textOf(await readOwnData(test.database, session, portal_session))).affiliate,
    ];
    for (const seen of shown) expect(JSON.stringify(seen)).toContain(ABOUT);
    for (const seen of [...shown, await getPortalProgram(test.database, session)]) {
      expect(JSON.stringify(seen)).not.toContain("Suspected");
      expect(seen).not.toHaveProperty("note");
    }
  });

  it("stays when the affiliate changes its application and its settings", async () => {
    const id = await join();
    const session = await sessionOf(program.context, id);
    const details = "I write about type.";
    const form = { first_name: "Janet", last_name: "", details, custom_fields: SITE };
    const changed = await updateApplication(test.database, session, form);
    expect(changed.application.details).toBe(details);
    const acting = { database: test.database, notifyWorkers: () => {} };
    await updateOwnSettings(acting, session, { last_name: "Doe" });
    expect(await getAffiliate(program.context, id)).toMatchObject({ last_name: "Doe", details, note: NOTE });
  });

  it("is in the audit log, beside the affiliate's own words", async () => {
    const { id } = await program.join(program.form({ details: ABOUT }));
    await updateAffiliate(program.context, { id, note: NOTE });
    await updateAffiliate(program.context, { id, note: null });
    await updateAffiliate(program.context, { id, note: null });
    const entries = await history(program.context, { resource: "affiliate", resource_id: id });
    expect(entries.map(({ actor, before, after }) => ({ actor, before, after }))).toEqual([
      {
        actor: "joining",
        before: null,
        after: expect.objectContaining({ details: ABOUT, note: null }),
      },
      { actor: "operator", before: { note: null }, after: { note: NOTE } },
      { actor: "operator", before: { note: NOTE }, after: { note: null } },
    ]);
  });

  it("is in no event of any type", async () => {
    const context = await makeTierContext(test.database);
    const { campaign_id } = await addPartner(context);
    const { id: affiliate_id } = await createAffiliate(context, {
      campaign_id,
      email: "max@example.com",
      approved: false,
      note: NOTE,
    });
    await updateAffiliate(context, { id: affiliate_id, approved: true });
    const { id: referral_id } = await createReferral(context, {
      affiliate_id,
      email: "kim@customers.test",
      subscription_status: "active",
    });
    await earn(context, { affiliate_id, referral_id }, { amount: 10 });
    await updateCampaign(context, { id: campaign_id, tiers: tiersOf({}, { name: "Gold", from: 1 }) });
    await bring(context, { affiliate_id, day: await yesterday(context) });
    await seal(context);
    await evaluate(context);
    const events = await test.database<{ type: string; text: string }[]>`
      select type, event::text as text from events event where organization_id = ${context.organization.id}`;
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes));
    for (const { text } of events) expect(text).not.toContain("Suspected");
  });
});
