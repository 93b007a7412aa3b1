/* Drafts: a reload loses nothing that was typed, brings nothing old back, and keeps no secret. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner } from "@findersfee/domain/testing/attribution/program";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace, type Place } from "./program.ts";
import { fillWebhooks } from "./webhooks/webhooks.ts";

describeInBrowser("drafts", (dashboard) => {
  const stored = (page: Page) => page.evaluate<string>("JSON.stringify({ ...sessionStorage })");
  const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
  const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();

  /** The page of somebody else, who changes one setting of the organization. */
  async function changeElsewhere(place: Place, name: string, text: string): Promise<void> {
    const { page } = await dashboard.open("/settings/organization", { at: place });
    await field(page, name).fill(text);
    await save(page);
    await page.getByText("Saved", { exact: true }).waitFor();
    await closePage(page);
  }

  const organizationOf = async ({ organization_id }: Place) => {
    const [row] = await dashboard.database`
      select name, support_email, time_zone, hold_days, payout_day, minimum_payouts
      from organizations where id = ${organization_id}`;
    return row;
  };

  it.runIf(FULL_TESTS)(
    "restores what the person changed, over what somebody else has saved since",
    async () => {
      const place = await createPlace(dashboard.database);
      const watched = await dashboard.open("/settings/organization", { at: place });
      const { page } = watched;
      await field(page, "Name").fill("Acme Ltd");
      await changeElsewhere(place, "Reply-to email (optional)", "help@example.com");
      await dashboard.database`
      update organizations set time_zone = 'Asia/Tokyo' where id = ${place.organization_id}`;
      await page.reload();
      await page.getByText("Restored").waitFor();
      await expect.poll(() => field(page, "Name").inputValue()).toBe("Acme Ltd");
      await expect.poll(() => field(page, "Reply-to email (optional)").inputValue()).toBe("help@example.com");
      await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
      await save(page);
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await organizationOf(place)).toMatchObject({
        name: "Acme Ltd",
        support_email: "help@example.com",
        time_zone: "Asia/Tokyo",
      });
      await page.reload();
      await field(page, "Name").waitFor({ timeout: LOAD_MILLISECONDS });
      await expect.poll(() => page.getByText("Restored").count()).toBe(0);
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("asks about a field that both have changed, and saves nothing before", async () => {
    const place = await createPlace(dashboard.database);
    const watched = await dashboard.open("/settings/organization", { at: place });
    const { page } = watched;
    await field(page, "Name").fill("Jane's");
    await changeElsewhere(place, "Name", "Joe's");
    await save(page);
    const theirs = page.getByRole("button", { name: "Use theirs: Name" });
    await theirs.waitFor();
    await page.getByRole("alert").getByText("Joe's").waitFor();
    await checkScreen(page, "settings-conflict");
    await save(page);
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe("Keep mine: Name");
    expect(await organizationOf(place)).toMatchObject({ name: "Joe's" });
    await page.reload();
    await theirs.click();
    await expect.poll(() => field(page, "Name").inputValue()).toBe("Joe's");
    await expect.poll(() => page.getByText("Someone else changed this, too").count()).toBe(0);

    await field(page, "Name").fill("Both of us");
    await changeElsewhere(place, "Name", "Only Joe");
    await page.reload();
    await page.getByRole("button", { name: "Keep mine: Name" }).click();
    await save(page);
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await organizationOf(place)).toMatchObject({ name: "Both of us" });
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "asks about an affiliate's field that both have changed, and forgets a new affiliate that is canceled",
    async () => {
      const place = await createPlace(dashboard.database);
      const { campaign_id } = await addPartner(place.context);
      const id = await addAffiliate(place.context, { campaign_id, first_name: "Jane" });
      const watched = await dashboard.open(`/affiliates/${id}`, { at: place });
      const { page } = watched;
      const dialog = page.getByRole("dialog", { name: "Edit affiliate" });
      const button = (name: string) => dialog.getByRole("button", { name, exact: true });
      await page.getByRole("button", { name: "Edit" }).click();
      await dialog.getByRole("textbox", { name: "First name" }).fill("Janet");
      await dashboard.database`update affiliates set first_name = 'Joan', last_name = 'Doe' where id = ${id}`;
      await button("Save").click();
      await dialog.getByRole("alert").getByText("Joan").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await button("Keep mine: First name").click();
      await button("Save").click();
      await dialog.waitFor({ state: "hidden" });
      const [saved] = await dashboard.database`select first_name, last_name from affiliates where id = ${id}`;
      expect(saved).toEqual({ first_name: "Janet", last_name: "Doe" });

      await dashboard.turn(page, "/affiliates/new", place);
      await page.getByRole("textbox", { name: "First name" }).fill("Nobody");
      await expect.poll(() => stored(page)).toContain("Nobody");
      await page.getByRole("link", { name: "Cancel" }).click();
      await page.getByRole("heading", { level: 1, name: "Affiliates" }).waitFor();
      expect(await stored(page)).not.toContain("Nobody");
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("keeps the minimum that somebody else has set for another currency", async () => {
    const place = await createPlace(dashboard.database);
    const watched = await dashboard.open("/settings/payouts", { at: place });
    const { page } = watched;
    await page.getByLabel("Another currency").selectOption("EUR");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await field(page, "Minimum in EUR (optional)").fill("20");
    await dashboard.database`
      update organizations set minimum_payouts = '{"USD": "5000"}', hold_days = 9 where id = ${place.organization_id}`;
    await page.reload();
    await page.getByText("Restored").waitFor();
    await expect.poll(() => field(page, "Minimum in EUR (optional)").inputValue()).toBe("20");
    await save(page);
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await organizationOf(place)).toMatchObject({
      hold_days: 9,
      minimum_payouts: { USD: "5000", EUR: "2000" },
    });
    await finish(watched);
  });

  it("keeps a new campaign through a reload, and asks before it is left", async () => {
    const watched = await dashboard.open("/campaigns/new");
    const { page } = watched;
    page.on("dialog", (dialog) => void dialog.accept());
    await field(page, "Name").fill("Ambassadors");
    await page.getByLabel("Different rate for the first payment").check();
    await page.getByLabel("First payment", { exact: true }).fill("50");
    await page.reload();
    await page.getByText("Restored").waitFor();
    await expect.poll(() => field(page, "Name").inputValue()).toBe("Ambassadors");
    await expect.poll(() => page.getByLabel("First payment", { exact: true }).inputValue()).toBe("50");
    await page.getByRole("link", { name: "Payments", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await field(page, "Website").fill("shop.test");
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByRole("heading", { level: 1, name: "Ambassadors" }).waitFor();
    expect(await stored(page)).not.toContain("Ambassadors");

    await dashboard.turn(page, "/campaigns/new");
    await field(page, "Name").fill("Another");
    await page.getByRole("link", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
    expect(await stored(page)).not.toContain("Another");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("keeps a new key, and a secret that was pasted into its name nowhere", async () => {
    const watched = await dashboard.open("/developers/keys");
    const { page } = watched;
    const dialog = page.getByRole("dialog");
    const openDialog = () => page.getByRole("button", { name: "Create key" }).first().click();
    await openDialog();
    await dialog.getByLabel("Name").fill("Billing");
    await dialog.getByLabel("Read what the dashboard shows").check();
    await dialog.getByLabel("Create and change them").uncheck();
    await page.reload();
    await openDialog();
    await dialog.getByText("Restored").waitFor();
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("Billing");
    await expect.poll(() => dialog.getByLabel("Read what the dashboard shows").isChecked()).toBe(true);
    await expect.poll(() => dialog.getByLabel("Create and change them").isChecked()).toBe(false);
    await dialog.getByRole("radio", { name: /^Publishable/ }).check();
    await dialog.getByLabel("Name").fill("ff_sk_7pQ2mV9");
    await expect.poll(() => stored(page)).toContain("publishable");
    expect(await stored(page)).not.toContain("7pQ2mV9");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => dialog.getByRole("radio", { name: /^Secret/ }).isChecked()).toBe(true);
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await openDialog();
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("keeps a new endpoint with its events, and what was changed of one", async () => {
    const place = await createPlace(dashboard.database);
    const watched = await dashboard.open("/developers/webhooks", { at: place });
    const { page } = watched;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByLabel("URL").fill("https://hooks.example.com");
    await dialog.getByLabel("Only selected events").check();
    await dialog.getByLabel("commission.created").check();
    await page.reload();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByText("Restored").waitFor();
    await expect.poll(() => dialog.getByLabel("commission.created").isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("heading", { name: "hooks.example.com", level: 1 }).waitFor();
    const [id = ""] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];

    const edit = async () => {
      await page.getByRole("main").getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Edit…" }).click();
    };
    await edit();
    await dialog.getByLabel("Description").fill("Ledger");
    await dialog.getByLabel("commission.created").uncheck();
    await dialog.getByLabel("referral.created").check();
    const { trpc } = await dashboard.service.staff(place.organization_id, "admin");
    await trpc.dashboard.endpoints.update.mutate({ id, url: "https://hooks.example.com/new" });
    await page.reload();
    await edit();
    await expect.poll(() => dialog.getByLabel("URL").inputValue()).toBe("https://hooks.example.com/new");
    await expect.poll(() => dialog.getByLabel("Description").inputValue()).toBe("Ledger");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Endpoint saved").waitFor();
    expect(await trpc.dashboard.endpoints.list.query()).toMatchObject([
      { url: "https://hooks.example.com/new", description: "Ledger", event_types: ["referral.created"] },
    ]);
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "keeps the mode and the accounts of a connection, and none of its secrets",
    async () => {
      const place = await createPlace(dashboard.database);
      const watched = await dashboard.open("/connections/stripe", { at: place });
      const { page } = watched;
      const secret = "whsec_4f8Q2mV9xLk3Tz7pRw1Y";
      await page.getByLabel("Signing secret").fill(secret);
      await page.getByLabel("API key").fill("rk_live_51SecretPart");
      await page.getByLabel("Stripe’s test mode").check();
      await expect.poll(() => stored(page)).toContain("test_mode");
      expect(await stored(page)).not.toMatch(/4f8Q2mV9|SecretPart/);
      await page.getByLabel("Signing secret").fill("not yet the whole secret");
      expect(await stored(page)).not.toContain("whole secret");
      await page.reload();
      await page.getByText("Restored").waitFor();
      await expect.poll(() => page.getByLabel("Stripe’s test mode").isChecked()).toBe(true);
      await expect.poll(() => page.getByLabel("Signing secret").inputValue()).toBe("");
      await expect.poll(() => page.getByLabel("API key").inputValue()).toBe("");
      await page.getByLabel("Signing secret").fill(secret);
      await page.getByRole("button", { name: "Connect Stripe" }).click();
      await page.getByText("Waiting for the first message").waitFor();

      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Change…" }).click();
      await dialog.getByLabel("API key").fill("rk_live_51SecretPart");
      await dialog.getByLabel("Connected accounts").fill("acct_1Shop");
      await expect.poll(() => stored(page)).toContain("acct_1Shop");
      expect(await stored(page)).not.toMatch(/4f8Q2mV9|SecretPart/);
      await page.reload();
      await page.getByRole("button", { name: "Change…" }).click();
      await expect.poll(() => dialog.getByLabel("Connected accounts").inputValue()).toBe("acct_1Shop");
      await expect.poll(() => dialog.getByLabel("API key").inputValue()).toBe("");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Connection saved").waitFor();
      const { trpc } = await dashboard.service.staff(place.organization_id, "admin");
      expect(await trpc.dashboard.processors.list.query()).toMatchObject([
        { connected_accounts: ["acct_1Shop"], livemode: false },
      ]);
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("keeps the time of a replay", async () => {
    const place = await createPlace(dashboard.database);
    const { failing } = await fillWebhooks(dashboard.service, place);
    const watched = await dashboard.open(`/developers/webhooks/${failing}/replays`, { at: place });
    const { page } = watched;
    const from = page.getByLabel("Events from");
    await from.waitFor({ timeout: LOAD_MILLISECONDS });
    const first = await from.inputValue();
    await from.fill("2026-01-02T03:04");
    await page.reload();
    await page.getByText("Restored").waitFor();
    await expect.poll(() => from.inputValue()).toBe("2026-01-02T03:04");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => from.inputValue()).toBe(first);
    await finish(watched);
  });
});
