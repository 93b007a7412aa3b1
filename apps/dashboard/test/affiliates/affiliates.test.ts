import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { leaveProgram } from "@findersfee/domain/portal/leave";
import { addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { ARABIC, createPlace, fillPlace } from "../program.ts";

describeInBrowser("the affiliates in a browser", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  const { open, openInTab } = dashboard;

  async function expectPath(page: Page, part: string): Promise<void> {
    await expect.poll(() => page.url()).toContain(part);
  }

  it.runIf(FULL_TESTS)("finds affiliates by keys alone, and keeps the search in the address", async () => {
    const { page, complaints } = await open("/payments", { role: "viewer" });
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { level: 1, name: "Affiliates" }).waitFor();
    await page.getByRole("textbox", { name: "Email, name, code" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("JANE D");
    await page.keyboard.press("Enter");
    await expectPath(page, "text=JANE+D");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("row").filter({ hasText: "jane@example.com" }).waitFor();
    await page.getByText("Max Roe").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("filters by status, and says what nothing matches", async () => {
    const watched = await openInTab("/affiliates");
    const { page } = watched;
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Waiting" }).click();
    await expectPath(page, "status=waiting");
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Email, name, code" }).fill("nobody@");
    await page.getByText("No affiliates match “nobody@”").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("jane@example.com").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("says that the rows cannot be loaded, and tries again", async () => {
    const { page } = await open("/affiliates");
    await page.getByText("jane@example.com").waitFor();
    await page.route("**/trpc/dashboard.affiliates.list*", (route) =>
      route.fulfill({ status: 500, contentType: "text/plain", body: "" }),
    );
    await page.goto(`${page.url()}?status=banned`);
    await page.getByRole("alert").waitFor();
    await page.unroute("**/trpc/dashboard.affiliates.list*");
    await page.getByRole("alert").getByRole("button").last().click();
    await page.getByText("No affiliates match").waitFor();
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("shows the payments that another affiliate won", async () => {
    const { context, ...place } = await createPlace(dashboard.database);
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const rival = await addPartner(context, { name: "Rivals" }, { first_name: "Rita", last_name: "Roe" });
    const winner = await addPartner(context, {}, { first_name: "Wim", last_name: ARABIC });
    const click_ids = [
      await click(context, { ...rival, at: at(30) }),
      await click(context, { ...winner, at: at(20) }),
    ];
    const customer = { customer_id: "cus_1", email: "kim@example.com" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids, at: at(10) }),
      payment({ subject: "in_1", ...customer, at: at(9) }),
    );
    const path = `/affiliates/${rival.affiliate_id}?tab=payments`;
    const { page, complaints } = await open(path, { at: { context, ...place } });
    const row = page.getByRole("row").filter({ hasText: "kim@example.com" });
    await row.getByText(`Credited to Wim ${ARABIC}`).waitFor();
    await row.getByRole("cell", { name: "—", exact: true }).waitFor();
    await checkScreen(page, "affiliate-payments-lost");
    await page.getByRole("link", { name: "View in list" }).click();
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    await row.getByText("Commission").waitFor();
    await page.getByRole("button", { name: "Affiliate: Rita Roe" }).waitFor();
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("bans several affiliates with a reason", async () => {
    const place = await createPlace(dashboard.database);
    for (const first_name of ["Kim", "Lee"]) {
      const email = `${first_name.toLowerCase()}@example.com`;
      await addPartner(place.context, {}, { email, first_name, last_name: "Roe" });
    }
    const { page, complaints } = await open("/affiliates", { at: place });
    for (const name of ["Kim Roe", "Lee Roe"]) {
      await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
    }
    await page.getByRole("button", { name: "Ban…" }).click();
    const dialog = page.getByRole("dialog", { name: "Ban 2 affiliates?" });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Ads on our name.");
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Ban" }).click();
    await page.getByText("Banned 2 affiliates").waitFor();
    const banned = await dashboard.database`
      select banned, ban_reason from affiliates where organization_id = ${place.context.organization.id}`;
    expect(banned).toEqual(Array(2).fill({ banned: true, ban_reason: "Ads on our name." }));
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("shows a note beside the affiliate's own words, and edits it alone", async () => {
    const { context, ...place } = await createPlace(dashboard.database);
    const details = "I write about design.";
    const { affiliate_id, campaign_id } = await addPartner(context, {}, { first_name: "Ann", details });
    const id = affiliate_id;
    await updateCampaign(context, { id: campaign_id, details_text: "Who are you?" });
    await updateAffiliate(context, { id, note: "Met in Berlin" });
    const { page, complaints } = await open(`/affiliates/${id}`, { at: { context, ...place } });
    await page.getByText("Who are you?").waitFor();
    await page.getByText(details).waitFor();
    await page.getByText("Met in Berlin").waitFor();
    await page.getByText("Only your team sees it.").waitFor();
    await checkScreen(page, "affiliate-note");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const note = page.getByRole("dialog").getByRole("textbox", { name: "Note" });
    await expect.poll(() => note.inputValue()).toBe("Met in Berlin");
    await note.fill("Do not pay yet");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Do not pay yet").waitFor();
    const stored = await dashboard.database`select details, note from affiliates where id = ${id}`;
    expect(stored).toEqual([{ details, note: "Do not pay yet" }]);
    await page.goto(`${page.url().split("?")[0]}?tab=history`);
    await page.getByText(/^note: Met in Berlin/).waitFor();
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "says that an affiliate left and changed its payout email, and takes it back",
    async () => {
      const { context, ...place } = await createPlace(dashboard.database);
      const email = "rita@example.com";
      const { affiliate_id } = await addPartner(context, {}, { email, first_name: "Rita", last_name: "Roe" });
      const { database, organization, notifyWorkers } = context;
      const actor = { kind: "affiliate", id: affiliate_id } as const;
      await updateAffiliate({ ...context, actor }, { id: affiliate_id, payout_email: "rita@bank.example" });
      const session = {
        kind: "affiliate_session",
        session_id: affiliate_id,
        affiliate_id,
        organization,
      } as const;
      await leaveProgram({ database, notifyWorkers }, { ...session, state: "active" }, email);
      const { page, complaints } = await open("/affiliates?status=left", { at: { context, ...place } });
      await page.getByRole("row").filter({ hasText: "Left" }).getByRole("link").first().click();
      await page.getByText("Left the program", { exact: true }).waitFor();
      await checkScreen(page, "affiliate-left");
      await dashboard.turn(page, `/affiliates/${affiliate_id}?tab=history`, { context, ...place });
      await page.getByText("rita@bank.example").first().waitFor();
      await page.getByText("left the program").first().waitFor();
      await checkScreen(page, "affiliate-left-history");
      await page.getByRole("button", { name: "Take back" }).click();
      await page.getByText("Left the program", { exact: true }).waitFor({ state: "detached" });
      await page.getByText("Active", { exact: true }).first().waitFor();
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );
});
