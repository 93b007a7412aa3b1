import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addPartner } from "@findersfee/domain/testing/attribution/program";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { clicksOf, countClicks } from "./pointer-clicks.ts";
import { createPlace, fillPlace } from "./program.ts";

describeInBrowser("campaigns", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  const staff = (role?: "admin") => dashboard.service.staff(dashboard.place.organization_id, role);

  async function campaignOf(name: string): Promise<Record<string, unknown> & { id: string }> {
    const { trpc } = await staff();
    const { data } = await trpc.campaigns.list.query({ limit: 100 });
    const found = data.find((campaign) => campaign.name === name);
    if (found === undefined) throw new Error(`no campaign ${name}`);
    return found;
  }

  async function createCampaign(name: string): Promise<string> {
    const { trpc } = await staff();
    const { id } = await trpc.campaigns.create.mutate({
      ...{ name, website_url: "https://shop.test", commission_type: "percentage", commission_amount: 30 },
    });
    return id;
  }

  async function addQuestion(page: Page, label: string, type: string, options?: string): Promise<void> {
    await page.getByRole("button", { name: "Add question" }).click();
    const question = page
      .getByRole("listitem")
      .filter({ has: page.getByLabel("Question", { exact: true }) })
      .last();
    await question.getByLabel("Question", { exact: true }).fill(label);
    await question.getByLabel("Answer", { exact: true }).selectOption({ label: type });
    if (options !== undefined) await question.getByLabel("Choices, one per line").fill(options);
  }

  it("makes the first campaign the default, and previews the whole mail and the form as affiliates see them", async () => {
    const place = await createPlace(dashboard.database);
    const opened = await dashboard.open("/campaigns/new", { at: place });
    const { page } = opened;
    const is_default = page.getByRole("checkbox", { name: "Default campaign" });
    await is_default.waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await is_default.isChecked()).toBe(true);
    const { campaign_id } = await addPartner(place.context, {
      custom_fields: [
        { id: "size", label: "Readers", type: "select", options: ["Few", "Many"], required: false },
      ],
    });
    await dashboard.turn(page, `/campaigns/${campaign_id}/form`, place);
    const choice = page.getByLabel("Readers", { exact: false }).locator("option").first();
    await expect.poll(() => choice.textContent()).toBe("Choose…");
    await dashboard.turn(page, `/campaigns/${campaign_id}/portal`, place);
    await page.getByRole("textbox", { name: "Welcome message" }).fill("Post twice a week.");
    const mail = page
      .locator("section", { has: page.getByRole("heading", { name: "Email to Jane" }) })
      .last();
    for (const text of ["You are approved", "> Post twice a week.", "Welcome to Acme's affiliate program"]) {
      await mail.getByText(text).first().waitFor();
    }
    await checkScreen(page, "campaign-mail");
    await finish(opened);
  });

  it("shows what a draft pays, and creates it", async () => {
    const watched = await dashboard.openInTab("/campaigns/new");
    const { page } = watched;
    await page.getByLabel("Commission", { exact: true }).fill("30");
    await page.getByLabel("Different rate for the first payment").check();
    await page.getByLabel("First payment", { exact: true }).fill("50");
    await page.getByText("$186.20 of $637.00 in total").waitFor();
    await page.getByText("2nd to 12th").waitFor();
    await page.getByLabel("Customer’s monthly payment").fill("10");
    await page.getByText("$38.00 of $130.00 in total").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Ambassadors");
    await page.getByLabel("Website", { exact: true }).fill("shop.test");
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByRole("heading", { level: 1, name: "Ambassadors" }).waitFor();
    expect(await campaignOf("Ambassadors")).toMatchObject({
      website_url: "https://shop.test",
      limit_type: "months",
      limit_amount: 12,
      first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
    });
    // The form was refused.
    await finish(watched, ["400"]);
  });

  it("gives visitors of links a discount, with both links and promo codes alone", async () => {
    const id = await createCampaign("Discounts");
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    const method = (name: string) => page.getByRole("radio", { name, exact: true });
    await method("Link and promo code").check();
    await page.getByLabel("Stripe coupon ID").fill("TWENTY");
    await page.getByRole("checkbox", { name: "Discount by link" }).check();
    await page.getByLabel("Description", { exact: false }).fill("20% off your first year");
    await page.getByRole("checkbox", { name: "Show visitors the affiliate’s name" }).check();
    await checkScreen(page, "campaign-discount");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    expect(await campaignOf("Discounts")).toMatchObject({
      code_mode: "both",
      link_discount: { enabled: true, description: "20% off your first year", show_affiliate: true },
    });
    await method("Promo code").check();
    await page.getByRole("checkbox", { name: "Discount by link" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard" }).click();
    await finish(watched);
  });

  it("sets a tier of two steps in six clicks, and a leaderboard", async () => {
    const id = await createCampaign("Tiered");
    const watched = await dashboard.openInTab("/campaigns");
    const { page } = watched;
    await page.getByRole("link", { name: "Tiered" }).first().waitFor();
    await countClicks(page);
    const commission = (step: number) => page.getByLabel("Commission", { exact: true }).nth(step);
    await page.getByRole("link", { name: "Tiered" }).first().click();
    await page.getByRole("button", { name: "Add tier" }).click();
    // The number is focused.
    await page.keyboard.type("10");
    await page.getByRole("button", { name: "Remove Silver" }).waitFor();
    await commission(1).click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("35");
    await page.getByRole("button", { name: "Add tier" }).click();
    await page.keyboard.type("50");
    await commission(2).click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("40");
    // By keyboard, since most tiers have none.
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent"))
      .toContain("Bonus");
    await page.keyboard.type("100");
    await checkScreen(page, "campaign-tiers");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    expect(await clicksOf(page)).toBe(6);
    const percent = (amount: number) => ({ type: "percentage", amount, amounts: [] });
    expect(await campaignOf("Tiered")).toMatchObject({
      tiers: {
        measure: "customers",
        period: "month",
        steps: [
          { name: "Silver", from: 10, commission: percent(35), bonus: null },
          { name: "Gold", from: 50, commission: percent(40), bonus: 100 },
        ],
      },
    });
    await page.getByLabel("From", { exact: true }).last().fill("5");
    await page.getByRole("button", { name: "Save changes" }).click();
    const from = page.getByLabel("From", { exact: true }).and(page.locator("[aria-invalid=true]"));
    await from.fill("60");
    await page.getByLabel("Leaderboard in the portal").selectOption({ label: "With initials" });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect
      .poll(async () => await campaignOf("Tiered"))
      .toMatchObject({ leaderboard: "initials", tiers: { steps: [{ from: 10 }, { from: 60 }] } });
    const { trpc } = await staff();
    const { id: affiliate_id } = await trpc.affiliates.create.mutate({
      email: "tiered@partners.test",
      campaign_id: id,
    });
    await dashboard.turn(page, `/affiliates/${affiliate_id}`);
    await page.getByText("0 customers this month").waitFor();
    await dashboard.database`
      insert into affiliate_tiers (organization_id, affiliate_id, since, campaign_id, tier_id, tier_name, measure, number, measured_on)
      select organization_id, id, now(), campaign_id, ${crypto.randomUUID()}, 'Silver', 'customers', 12, current_date
      from affiliates where id = ${affiliate_id}`;
    await page.reload();
    const card = page.locator("section", { has: page.getByRole("heading", { name: "Tier", exact: true }) });
    await card.getByText("Silver").waitFor();
    await checkScreen(page, "affiliate-tier");
    await finish(watched, ["400"]);
  });

  it("pays for sign-ups and conversions, and shows what a commission is for", async () => {
    const id = await createCampaign("Demos");
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await page.getByRole("button", { name: "Add commission" }).click();
    await page.getByLabel("Commission", { exact: true }).last().fill("2.50");
    await page.getByRole("button", { name: "Add commission" }).click();
    await page.getByLabel("For", { exact: true }).last().selectOption({ label: "Conversion" });
    await page.getByLabel("Name of the conversion").fill("Demo booked");
    await page.getByLabel("Commission", { exact: true }).last().fill("20");
    await page.getByLabel("Limit per affiliate and day").last().fill("5");
    await checkScreen(page, "campaign-leads");
    await page.getByRole("button", { name: "Save changes" }).click();
    const name = page.getByLabel("Name of the conversion").and(page.locator("[aria-invalid=true]"));
    await name.fill("demo_booked");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    expect(await campaignOf("Demos")).toMatchObject({
      lead_commissions: [
        { kind: "signup", amount: 2.5, daily_limit: null },
        { kind: "demo_booked", amount: 20, daily_limit: 5 },
      ],
    });
    const { trpc } = await staff();
    const { id: affiliate_id } = await trpc.affiliates.create.mutate({
      email: "demos@partners.test",
      campaign_id: id,
    });
    const email = "lead@customers.test";
    await trpc.referrals.create.mutate({ affiliate_id, email });
    const booked = { kind: "demo_booked", email, reference: "booking-4711" };
    const { commission_id, referral_id } = await trpc.conversions.create.mutate(booked);
    await dashboard.turn(page, `/commissions?affiliate=${affiliate_id}`);
    await page.getByRole("row", { name: /demo_booked.*\$20\.00/ }).waitFor();
    await page.getByRole("row", { name: /Sign-up.*\$2\.50/ }).waitFor();
    await checkScreen(page, "commissions-of-leads");
    await dashboard.turn(page, `/commissions/${commission_id}`);
    await page.getByText("Lead: demo_booked").waitFor();
    await page.getByText("booking-4711").waitFor();
    await checkScreen(page, "commission-of-lead");
    await page.getByRole("button", { name: "Correct…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Revenue", { exact: true }).count()).toBe(0);
    await dialog.getByLabel("Commission", { exact: true }).fill("15");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: /\$15\.00 for/ }).waitFor();
    await dashboard.turn(page, `/referrals/${referral_id}`);
    await page.getByText("Lead: demo_booked").waitFor();
    await checkScreen(page, "referral-with-leads");
    // The form was refused.
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)("takes questions of every type, in the order to which they were moved", async () => {
    const id = await createCampaign("Questions");
    const watched = await dashboard.openInTab(`/campaigns/${id}/form`);
    const { page } = watched;
    await addQuestion(page, "Where?", "Short text");
    await addQuestion(page, "Tell us more", "Long text");
    await addQuestion(page, "How many?", "Single choice");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByLabel("Choices, one per line").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Choices, one per line").fill("Few\nMany");
    await addQuestion(page, "Topics", "Multiple choice", "Design\n\nCode");
    await page.getByRole("button", { name: "Move Topics up" }).click();
    await page.getByText("Topics is now number 3").waitFor({ state: "attached" });
    for (const place of [2, 3, 4]) {
      await page.getByRole("button", { name: "Move Where? down" }).click();
      await page.getByText(`Where? is now number ${place}`).waitFor({ state: "attached" });
    }
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    const { custom_fields } = await campaignOf("Questions");
    expect(custom_fields).toEqual([
      { id: "tell-us-more", label: "Tell us more", type: "textarea", options: [], required: false },
      {
        ...{ id: "topics", label: "Topics", type: "multi_select", required: false },
        options: ["Design", "Code"],
      },
      { id: "how-many", label: "How many?", type: "select", options: ["Few", "Many"], required: false },
      { id: "where", label: "Where?", type: "text", options: [], required: false },
    ]);
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)("moves a question to where a pointer drops it", async () => {
    const id = await createCampaign("Dragged");
    const { trpc } = await staff();
    const question = (name: string) => ({ id: name, label: name, type: "text" as const });
    await trpc.campaigns.update.mutate({ id, custom_fields: ["first", "second", "third"].map(question) });
    const watched = await dashboard.openInTab(`/campaigns/${id}/form`);
    const { page } = watched;
    const questions = page
      .getByRole("listitem")
      .filter({ has: page.getByLabel("Question", { exact: true }) });
    const order = () =>
      questions.evaluateAll((items) => items.map((item) => item.querySelector("input")?.value));
    const drag = async (from: string, to: number) => {
      await page.getByTitle(`Drag ${from}`).hover();
      await page.mouse.down();
      // The browser begins to drag with the first move, and enters the target with the next.
      await questions.nth(to).hover({ position: { x: 80, y: 40 } });
      await questions.nth(to).hover({ position: { x: 90, y: 50 } });
    };
    await drag("first", 2);
    await expect.poll(() => questions.nth(2).getAttribute("class")).toContain("border-accent");
    await page.mouse.up();
    await expect.poll(order).toEqual(["second", "third", "first"]);
    await page.getByText("first is now number 3").waitFor({ state: "attached" });
    await drag("first", 0);
    await page.mouse.up();
    await expect.poll(order).toEqual(["first", "second", "third"]);
    await drag("third", 1);
    await page.mouse.up();
    await expect.poll(order).toEqual(["first", "third", "second"]);
    await drag("second", 2);
    await page.mouse.up();
    await expect.poll(order).toEqual(["first", "third", "second"]);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    expect(await campaignOf("Dragged")).toMatchObject({
      custom_fields: [{ id: "first" }, { id: "third" }, { id: "second" }],
    });
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "keeps the draft of the second of two editors, and says what the first has changed",
    async () => {
      const id = await createCampaign("Shared");
      const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
      const { page } = watched;
      await page.getByLabel("Name", { exact: true }).fill("Shared by two");
      await page.getByLabel("Commission", { exact: true }).fill("20");
      const { trpc } = await staff("admin");
      await trpc.campaigns.update.mutate({ id, commission_amount: 25, welcome_message: "Welcome!" });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("changed this campaign").waitFor({ timeout: LOAD_MILLISECONDS });
      await page.getByText("Commission (you changed it, too; yours will be saved)").waitFor();
      await page.getByText("Welcome message", { exact: true }).waitFor();
      await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Shared by two");
      expect(await campaignOf("Shared")).toMatchObject({ commission_amount: 25 });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved ·").waitFor();
      expect(await campaignOf("Shared by two")).toMatchObject({
        commission_amount: 20,
        welcome_message: "Welcome!",
      });
      await finish(watched, ["409"]);
    },
  );

  it.runIf(FULL_TESTS)("keeps a draft through a reload, and asks before it is left", async () => {
    const id = await createCampaign("Left");
    const watched = await dashboard.open(`/campaigns/${id}/portal`);
    const { page } = watched;
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByLabel("Welcome message").fill("Hello there");
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByText("1 unsaved change").waitFor();
    await page.reload();
    await page.getByText("Restored").waitFor();
    await page
      .getByRole("navigation", { name: "Campaign sections" })
      .getByRole("link", { name: "Portal" })
      .click();
    await expect.poll(() => page.getByLabel("Welcome message").inputValue()).toBe("Hello there");
    await page.getByRole("link", { name: "Payments", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await expect.poll(() => page.getByLabel("Welcome message").inputValue()).toBe("Hello there");
    await page.getByRole("link", { name: "Payments", exact: true }).click();
    await page.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    expect(await campaignOf("Left")).toMatchObject({ welcome_message: null });
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "edits the texts in the languages of the portal, and says which are missing",
    async () => {
      const id = await createCampaign("Translated");
      const { trpc } = await staff();
      await trpc.campaigns.update.mutate({
        id,
        welcome_message: "Welcome to the program!",
        custom_fields: [
          ...[{ id: "size", label: "How many readers?", type: "select" as const, options: ["Few", "Many"] }],
          { id: "site", label: "Your website", type: "text" },
        ],
      });
      const watched = await dashboard.openInTab(`/campaigns/${id}/portal`);
      const { page } = watched;
      const language = page.getByRole("group", { name: "Text language" });
      await language.getByRole("button", { name: "German" }).click();
      await page.getByText("2 texts are not translated. Affiliates see the default.").waitFor();
      const mail = page
        .locator("section", { has: page.getByRole("heading", { name: "Email to Jane" }) })
        .last();
      await mail.getByText("> Welcome to the program!").waitFor();
      await page.getByRole("textbox", { name: "Name" }).fill("Partnerprogramm");
      await page.getByText("1 text is not translated. Affiliates see the default.").waitFor();
      await mail.getByText("„Partnerprogramm“").waitFor();
      await checkScreen(page, "campaign-translated-portal");
      await page.getByRole("textbox", { name: "Welcome message" }).fill("Willkommen im Programm!");
      await mail.getByText("> Willkommen im Programm!").waitFor();
      await mail.getByText("Willkommen im Affiliate-Programm von").waitFor();
      await page.getByText("Every text is translated.").waitFor();
      await page.getByRole("link", { name: "Form", exact: true }).click();
      await page.getByText("4 texts are not translated. Affiliates see the default.").waitFor();
      await page.getByRole("textbox", { name: "How many readers?", exact: true }).fill("Wie viele Leser?");
      await page.getByRole("textbox", { name: "Many", exact: true }).fill("Viele");
      const preview = page.locator("section", { has: page.getByRole("heading", { name: "Preview" }) }).last();
      await expect
        .poll(() => preview.locator("option").allTextContents())
        .toEqual(["Choose…", "Few", "Viele"]);
      await preview.getByText("Join Partnerprogramm").waitFor();
      await checkScreen(page, "campaign-translated-form");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved ·").waitFor();
      const translations = {
        en: null,
        de: {
          name: "Partnerprogramm",
          welcome_message: "Willkommen im Programm!",
          details_text: null,
          dashboard_text: null,
          custom_fields: [{ id: "size", label: "Wie viele Leser?", options: [null, "Viele"] }],
        },
      };
      expect((await campaignOf("Translated")).translations).toEqual(translations);

      // A refused text is marked where it is, and a choice that is another one has lost its translation.
      await page.getByRole("textbox", { name: "Your website", exact: true }).fill("x".repeat(501));
      await page.getByRole("button", { name: "Save changes" }).click();
      await page
        .getByRole("textbox", { name: "Your website", exact: true })
        .and(page.locator("[aria-invalid=true]"))
        .waitFor();
      await page.getByRole("textbox", { name: "Your website", exact: true }).fill("");
      await language.getByRole("button", { name: "English (default)" }).click();
      await page.getByLabel("Choices, one per line").fill("Few\nLots");
      await language.getByRole("button", { name: "German" }).click();
      await page.getByText("3 texts are not translated. Affiliates see the default.").waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect
        .poll(async () => (await campaignOf("Translated")).translations)
        .toEqual({
          en: null,
          de: { ...translations.de, custom_fields: [{ id: "size", label: "Wie viele Leser?", options: [] }] },
        });

      // The history names the language.
      await page.getByLabel("History", { exact: true }).click();
      await page.getByText("German: Name: Partnerprogramm").first().waitFor({ state: "attached" });
      await finish(watched, ["400"]);
    },
  );

  it("has texts in one language where the portal offers one", async () => {
    const place = await createPlace(dashboard.database);
    await dashboard.database`update organizations set languages = '{en}' where id = ${place.organization_id}`;
    const { campaign_id } = await addPartner(place.context);
    const opened = await dashboard.open(`/campaigns/${campaign_id}/portal`, { at: place });
    await opened.page
      .getByRole("textbox", { name: "Welcome message" })
      .waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await opened.page.getByText("German").count()).toBe(0);
    await finish(opened);
  });

  it("shows a short address to join while the campaign is the only one that is listed", async () => {
    const place = await createPlace(dashboard.database);
    const { campaign_id } = await addPartner(place.context);
    const opened = await dashboard.open(`/campaigns/${campaign_id}/portal`, { at: place });
    const { page } = opened;
    const portal = `${dashboard.service.url}/portal/${place.home.split("/").at(-1)}`;
    await page
      .getByRole("link", { name: `${portal}/${campaign_id}/join` })
      .waitFor({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("radio", { name: "Anyone, listed publicly" }).check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("link", { name: `${portal}/join` }).waitFor();
    await checkScreen(page, "campaign-short-address");
    await finish(opened);
  });

  it("shows a viewer a campaign that cannot be changed", async () => {
    const { id } = await campaignOf("Partner program");
    const watched = await dashboard.open(`/campaigns/${id}/rules`, { role: "viewer" });
    const { page } = watched;
    await page.getByText("An admin can change the campaign.").waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    await page.getByText("$14.70").first().waitFor();
    await finish(watched);
  });
});
