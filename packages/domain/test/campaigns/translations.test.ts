import type { UpdateCampaign } from "@findersfee/contract/campaigns/campaigns";
import type { QuestionTranslation, Translations } from "@findersfee/contract/campaigns/translations";
import { describe, expect, it } from "vitest";
import { createCampaign } from "../../src/campaigns/create.ts";
import { getEditedCampaign } from "../../src/campaigns/edit.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { recorded } from "../audit-log/history.ts";

let context: CreationContext;
let id: string;

beforeEachInNewProgram((program) => {
  context = program.context;
  id = program.partner.campaign_id;
});

const TEXTS = {
  name: "Partnerprogramm",
  welcome_message: "Willkommen!",
  details_text: null,
  dashboard_text: null,
  custom_fields: [],
};
const SIZE = {
  id: "size",
  label: "How many readers?",
  type: "select" as const,
  options: ["Few", "Many"],
  required: false,
};
const SITE = { id: "site", label: "Your site", type: "text" as const, options: [], required: true };
const GERMAN_SIZE = { id: "size", label: "Wie viele Leser?", options: ["Wenige", "Viele"] };
const GERMAN_SITE = { id: "site", label: "Ihre Seite", options: [] };

const german = (custom_fields: QuestionTranslation[]): Translations => ({
  en: null,
  de: { ...TEXTS, custom_fields },
});

const update = async (change: Omit<UpdateCampaign, "id" | "created_at">) =>
  await updateCampaign(context, { id, ...change });

/** A campaign with two questions, both of them in German, too. */
const translate = async () =>
  await update({
    custom_fields: [SIZE, SITE],
    translations: german([GERMAN_SIZE, GERMAN_SITE]),
  });

const issuesOf = async (change: Promise<unknown>): Promise<string[]> =>
  await change.then(
    () => [],
    (error) => error.issues.map(({ path }: { path: string }) => path),
  );

describe("translations", () => {
  it("are stored in the order of the questions, without what is empty, and stay when others change", async () => {
    const blank = { ...TEXTS, name: " ", welcome_message: "" };
    const { translations } = await update({
      custom_fields: [SIZE, SITE],
      translations: {
        en: blank,
        de: {
          ...TEXTS,
          dashboard_text: "\n",
          custom_fields: [GERMAN_SITE, { ...GERMAN_SIZE, label: "", options: [" ", "Viele"] }],
        },
      },
    });
    const expected = german([{ id: "size", label: null, options: [null, "Viele"] }, GERMAN_SITE]);
    expect(translations).toEqual(expected);
    expect((await update({ name: "Partners 2" })).translations).toEqual(expected);
    expect((await getEditedCampaign(context, id)).campaign.translations).toEqual(expected);
    const none = { en: null, de: null };
    expect((await update({ translations: none })).translations).toEqual(none);
  });

  it("follow their questions: those of removed questions and choices are removed, also by a change of the whole object", async () => {
    const before = await translate();
    const moved = await update({ custom_fields: [SITE, { ...SIZE, options: ["Many", "Some", "Few"] }] });
    const followed = { id: "size", label: "Wie viele Leser?", options: ["Viele", null, "Wenige"] };
    expect(moved.translations.de?.custom_fields).toEqual([GERMAN_SITE, followed]);
    await update({ custom_fields: before.custom_fields, translations: before.translations });
    const { created_at: _created_at, id: _id, ...whole } = before;
    const removed = await update({ ...whole, custom_fields: [SITE] });
    expect(removed.translations.de?.custom_fields).toEqual([GERMAN_SITE]);
    // A question that comes back has no translation.
    const again = await update({ custom_fields: [SIZE, SITE] });
    expect(again.translations.de?.custom_fields).toEqual([GERMAN_SITE]);
  });

  it("fit the questions that the campaign has after the change", async () => {
    await translate();
    const path = "translations.de.custom_fields";
    const change = (...custom_fields: (typeof GERMAN_SIZE)[]) =>
      issuesOf(update({ translations: german(custom_fields) }));
    expect(await change({ ...GERMAN_SIZE, id: "shoe" })).toEqual([`${path}[0].id`]);
    expect(await change(GERMAN_SITE, { ...GERMAN_SITE, label: "Seite" })).toEqual([`${path}[1].id`]);
    expect(await change({ ...GERMAN_SIZE, options: ["Wenige"] })).toEqual([`${path}[0].options`]);
    expect(await change({ ...GERMAN_SITE, options: ["Eine"] })).toEqual([`${path}[0].options`]);
    expect(await change({ ...GERMAN_SIZE, options: [] })).toEqual([]);
  });

  it("have no address in names, which mails to strangers would turn into a link", async () => {
    const name = "Partner: https://evil.example/login";
    const translations = { en: null, de: { ...TEXTS, name } };
    const refused = ["translations.de.name"];
    expect(await issuesOf(update({ translations }))).toEqual(refused);
    const created = createCampaign(context, {
      name: "Partners",
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
      translations,
    });
    expect(await issuesOf(created)).toEqual(refused);
  });

  it("are in the audit log", async () => {
    const entries = await recorded(context, translate);
    expect(entries).toMatchObject([
      {
        resource: "campaign",
        before: { translations: {} },
        after: {
          translations: { de: { name: "Partnerprogramm", custom_fields: [GERMAN_SIZE, GERMAN_SITE] } },
        },
      },
    ]);
    expect(await recorded(context, translate)).toEqual([]);
  });
});

describe("a campaign in an editor", () => {
  it("is the only one that is listed, or not", async () => {
    const is_only_listed = async () => (await getEditedCampaign(context, id)).is_only_listed;
    expect(await is_only_listed()).toBe(false);
    await updateCampaign(context, { id }, { joining: "listed" });
    expect(await is_only_listed()).toBe(true);
    const other = await createCampaign(context, {
      name: "Others",
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
    });
    expect(await is_only_listed()).toBe(true);
    await updateCampaign(context, { id: other.id }, { joining: "listed" });
    expect(await is_only_listed()).toBe(false);
  });
});
