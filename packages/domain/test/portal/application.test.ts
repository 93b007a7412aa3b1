import { portalProgramSchema } from "@findersfee/contract/portal/program";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { declineAffiliates } from "../../src/affiliates/decline.ts";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { setAffiliateStates } from "../../src/affiliates/set-state.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { getApplication, updateApplication } from "../../src/portal/application.ts";
import { getOwnSettings } from "../../src/portal/own-settings.ts";
import { getPortalProgram } from "../../src/portal/program.ts";
import { history } from "../audit-log/history.ts";
import { codeOfRejection, type JoinProgram, openProgram, rejection, SITE } from "./joining.ts";
import { sessionOf } from "./own-session.ts";

let test: TestDatabase;
let program: JoinProgram;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
  await updateCampaign(program.context, { id: program.campaign_id, approval_needed: true });
});

const EDITED = {
  first_name: "Janet",
  last_name: "Doe",
  details: "I write every day.",
  custom_fields: [{ id: "where", value: ["A, B", "Mail"] }, { id: "size", value: "Small" }, ...SITE],
};

async function apply(changes: Parameters<JoinProgram["form"]>[0] = {}): Promise<string> {
  return (await program.join(program.form(changes))).id;
}

async function edit(id: string, changes: Partial<typeof EDITED> = {}, on: Database = test.database) {
  return await updateApplication(on, await sessionOf(program.context, id), { ...EDITED, ...changes });
}

const entriesOf = async (resource_id: string) =>
  await history(program.context, { resource: "affiliate", resource_id });

describe("an application that waits", () => {
  it("is shown as it was sent, in the form of the questions as they are now", async () => {
    const id = await apply({ custom_fields: [...SITE, { id: "where", value: ["A, B", "Blog"] }] });
    const shown = await getApplication(test.database, await sessionOf(program.context, id));
    expect(shown).toMatchObject({
      application: {
        first_name: "Jane",
        details: null,
        custom_fields: [
          { id: "site", value: "jane.example" },
          { id: "plan", value: "" },
          { id: "size", value: "" },
          { id: "where", value: ["Blog", "A, B"] },
        ],
      },
      campaign: { name: "Partner program", collect_details: true },
    });
    expect(shown.answers).toContainEqual({ label: "Where", value: "Blog, A, B", translations: {} });
  });

  it("is replaced, with an audit log entry, and stays as it is when it is sent again", async () => {
    const id = await apply();
    const changed = await edit(id);
    expect(changed.application).toEqual({
      ...EDITED,
      custom_fields: [
        ...SITE,
        { id: "plan", value: "" },
        { id: "size", value: "Small" },
        { id: "where", value: ["Mail", "A, B"] },
      ],
    });
    expect(await getApplication(test.database, await sessionOf(program.context, id))).toEqual(changed);
    const entry = (await entriesOf(id)).at(-1);
    expect(entry).toMatchObject({
      action: "updated",
      actor: `affiliate ${id}`,
      before: { first_name: "Jane", last_name: "", details: null },
      after: { first_name: "Janet", last_name: "Doe", details: "I write every day." },
    });
    await edit(id);
    expect(await entriesOf(id)).toHaveLength(2);
    const events = await test.database<{ type: string }[]>`
      select type from events where organization_id = ${program.context.organization.id}`;
    expect(events.map(({ type }) => type)).toEqual(["affiliate.created"]);
  });

  it("is held to the questions as they are now", async () => {
    const id = await apply();
    const question = { id: "new", label: "New", type: "text" as const, options: [], required: true };
    await updateCampaign(program.context, {
      id: program.campaign_id,
      custom_fields: [question],
      collect_details: false,
    });
    const outdated = await rejection(edit(id));
    expect(outdated.issues.map(({ path }: { path: string }) => path)).toEqual([
      "custom_fields",
      "custom_fields[0]",
    ]);
    expect((await getAffiliate(program.context, id)).first_name).toBe("Jane");
    const custom_fields = [{ id: "new", value: " <b>bold</b> " }];
    const { application, answers } = await edit(id, { custom_fields });
    // Details that nobody asks for any more stay.
    expect(application).toMatchObject({ first_name: "Janet", details: null });
    expect(answers).toEqual([{ label: "New", value: "<b>bold</b>", translations: {} }]);
  });

  it("changes 20 times a day", async () => {
    const id = await apply();
    for (let change = 0; change < 20; change++) await edit(id, { last_name: `Doe ${change}` });
    const error = await rejection(edit(id, { last_name: "Again" }));
    expect(error).toMatchObject({ code: "rate_limited", message: expect.stringContaining("works again at") });
    // When the first of them is a day old.
    expect(error.retry_after_seconds).toBeGreaterThan(23 * 60 * 60);
    expect((await getAffiliate(program.context, id)).last_name).toBe("Doe 19");
    // The same again is no change.
    await edit(id, { last_name: "Doe 19" });
  });

  it.each(LOST_ANSWERS)(
    "changes with its audit log entry or not at all when a call fails (%s)",
    async (kind) => {
      await failEachCall(test.url, kind, async (database) => {
        const id = await apply();
        await edit(id, {}, database).catch(() => null);
        const { first_name } = await getAffiliate(program.context, id);
        expect(await entriesOf(id)).toHaveLength(first_name === "Janet" ? 2 : 1);
        await edit(id);
        expect((await getAffiliate(program.context, id)).first_name).toBe("Janet");
        expect(await entriesOf(id)).toHaveLength(2);
      });
    },
  );
});

describe("an application that is decided", () => {
  it.each([
    ["approved", (id: string) => setAffiliateStates(program.context, { ids: [id], approved: true })],
    [
      "declined",
      (id: string) => declineAffiliates(program.context, { ids: [id], reason: "No", mail: false }),
    ],
    ["banned", (id: string) => setAffiliateStates(program.context, { ids: [id], banned: true })],
  ])("cannot change any more once it is %s, also by a session from before", async (_state, decide) => {
    const id = await apply();
    const session = await sessionOf(program.context, id);
    await decide(id);
    const before = await entriesOf(id);
    const edited = updateApplication(test.database, session, EDITED);
    expect(await codeOfRejection(edited)).toBe("application_decided");
    expect((await getAffiliate(program.context, id)).first_name).toBe("Jane");
    expect(await entriesOf(id)).toEqual(before);
  });

  it("is the edited one or the sent one when both happen at once", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await apply();
      const [edited] = await Promise.allSettled([
        edit(id),
        setAffiliateStates(program.context, { ids: [id], approved: true }),
      ]);
      const { approved, first_name } = await getAffiliate(program.context, id);
      expect({ approved, first_name }).toEqual({
        approved: true,
        first_name: edited.status === "fulfilled" ? "Janet" : "Jane",
      });
      if (edited.status === "rejected") expect(edited.reason.code).toBe("application_decided");
      expect(await entriesOf(id)).toHaveLength(edited.status === "fulfilled" ? 3 : 2);
    }
  });

  it("records affiliate.created with the code, and affiliate.approved with the approval", async () => {
    const sent = await program.send(program.form());
    const types = async () =>
      (
        await test.database<{ type: string }[]>`
          select type from events where organization_id = ${program.context.organization.id} order by id`
      ).map(({ type }) => type);
    expect(await types()).toEqual([]);
    const { joined } = await program.enter(sent);
    expect(await types()).toEqual(["affiliate.created"]);
    const ids = [joined?.affiliate_id ?? ""];
    await edit(ids[0] ?? "");
    await setAffiliateStates(program.context, { ids, approved: true });
    expect(await types()).toEqual(["affiliate.created", "affiliate.approved"]);
    const [, approved] = await test.database<{ body: string }[]>`
      select body from events where organization_id = ${program.context.organization.id} order by id`;
    expect(JSON.parse(approved?.body ?? "").data).toMatchObject({ approved: true, first_name: "Janet" });
    await setAffiliateStates(program.context, { ids, approved: true });
    expect(await types()).toHaveLength(2);
  });
});

describe("an application in another language", () => {
  const ANSWERS = [...SITE, { id: "size", value: "Large" }, { id: "where", value: ["A, B", "Blog"] }];

  it("stores the answers in the campaign's own words, and shows them in both", async () => {
    await updateCampaign(program.context, {
      id: program.campaign_id,
      translations: {
        en: null,
        de: {
          name: "Partnerprogramm",
          welcome_message: "Nur für Partner",
          details_text: "Über Sie",
          dashboard_text: null,
          custom_fields: [
            { id: "size", label: "Leser", options: ["Wenige", "Viele"] },
            { id: "where", label: null, options: ["Weblog", null, "A und B"] },
          ],
        },
      },
    });
    const refused = await rejection(apply({ custom_fields: [...SITE, { id: "size", value: "Viele" }] }));
    expect(refused.issues).toMatchObject([{ path: "custom_fields[2]" }]);
    const id = await apply({ custom_fields: ANSWERS });
    const { custom_fields } = await getAffiliate(program.context, id);
    expect(custom_fields).toMatchObject([
      { label: "Your site", value: "jane.example" },
      { label: "Your plan", value: "" },
      { label: "Audience", value: "Large" },
      { label: "Where", value: "Blog, A, B" },
    ]);
    const { answers, campaign } = await getApplication(test.database, await sessionOf(program.context, id));
    expect(answers).toEqual([
      { label: "Your site", value: "jane.example", translations: {} },
      { label: "Your plan", value: "", translations: {} },
      { label: "Audience", value: "Large", translations: { de: { label: "Leser", value: "Viele" } } },
      {
        ...{ label: "Where", value: "Blog, A, B" },
        translations: { de: { label: "Where", value: "Weblog, A und B" } },
      },
    ]);
    expect(campaign.translations.de).toMatchObject({ name: "Partnerprogramm", details_text: "Über Sie" });
    expect(JSON.stringify(campaign)).not.toContain("Nur für Partner");

    const session = await sessionOf(program.context, id);
    const settings = await getOwnSettings(test.database, session);
    expect(settings.custom_fields[2]?.translations).toEqual({ de: { label: "Leser", value: "Viele" } });
    // The text of the portal is for active affiliates.
    expect(
      portalProgramSchema.parse(await getPortalProgram(test.database, { ...session, state: "waiting" }))
        .campaign,
    ).toMatchObject({ dashboard_text: null, translations: {} });
    const active = await getPortalProgram(test.database, { ...session, state: "active" });
    expect(portalProgramSchema.parse(active).campaign.translations).toEqual({
      de: { name: "Partnerprogramm", dashboard_text: null },
    });

    // A question that is another one now was not answered in its words.
    await updateCampaign(program.context, {
      id: program.campaign_id,
      custom_fields: [{ id: "size", label: "Your country", type: "text", options: [], required: false }],
    });
    const later = await getApplication(test.database, await sessionOf(program.context, id));
    expect(later.answers[2]).toEqual({ label: "Audience", value: "Large", translations: {} });
  });
});
