import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { addPartner, report } from "@findersfee/domain/testing/attribution/program";
import { payment } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { takePicture } from "@findersfee/ui/testing/screens";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace, fillPlace, MARKUP } from "./program.ts";

describeInBrowser("the dashboard in a browser", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  const { open, openInTab } = dashboard;

  async function expectFocus(page: Page, text: string): Promise<void> {
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain(text);
  }

  /** The link of a row covers all of it. */
  async function openRow(page: Page, text: string): Promise<void> {
    await page.getByRole("row").filter({ hasText: text }).getByRole("link").click();
  }

  async function expectPath(page: Page, part: string): Promise<void> {
    await expect.poll(() => page.url()).toContain(part);
  }

  it("finds, filters, opens and leaves a payment by keys alone", async () => {
    const watched = await openInTab("/payments");
    const { page } = watched;
    await page.getByRole("textbox", { name: "Name, email, code, payment ID" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("customer7");
    await page.keyboard.press("Enter");
    await expectPath(page, "text=customer7");
    const rows = page.getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("31 of 30 days").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "$49.00 from customer7@example.com" }).waitFor();
    await expectFocus(page, "customer7@example.com");
    await page.goBack();
    await expectPath(page, "text=customer7");
    await expect.poll(() => rows.count()).toBe(2);
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "Commissions" }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("filters by several outcomes, and says what nothing matches", async () => {
    const watched = await openInTab("/payments");
    const { page } = watched;
    await page.getByRole("button", { name: "Outcome" }).click();
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitemcheckbox", { name: /^Click expired/ }).click();
    await menu.getByRole("menuitemcheckbox", { name: /^Affiliate not approved/ }).click();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expectPath(page, "outcome=click_expired,affiliate_unapproved");
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    await page.getByRole("textbox", { name: "Name, email, code, payment ID" }).fill("nobody@");
    await page.getByText("No payments match “nobody@”").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("customer9@example.com").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("turns pages and comes back, and keeps the number of rows", async () => {
    const many = await createPlace(dashboard.database, "Many");
    const at = (number: number) => new Date(Date.now() - number * 60_000);
    const payments = Array.from({ length: 30 }, (_, number) => {
      return payment({ subject: `in_${number}`, customer_id: `cus_${number}`, at: at(number + 1) });
    });
    await report(many.context, ...payments);
    const watched = await open("/payments?rows=25&period=365d", { at: many });
    const { page } = watched;
    await page.getByRole("link", { name: "Older" }).click();
    // The header and the last five.
    await expect.poll(() => page.getByRole("row").count()).toBe(6);
    await page.goBack();
    await expect.poll(() => page.getByRole("row").count()).toBe(26);
    await page.getByRole("combobox", { name: "Rows per page" }).selectOption("100");
    await expectPath(page, "rows=100");
    await expectPath(page, "period=365d");
    await page.goBack();
    await expectPath(page, "rows=25");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("approves the affiliate of a payment and decides it again", async () => {
    const watched = await openInTab("/payments?outcome=affiliate_unapproved");
    const { page } = watched;
    await openRow(page, "customer6@example.com");
    await page.getByRole("button", { name: "Approve Max Roe" }).click();
    const dialog = page.getByRole("dialog", { name: "Rerun attribution for this payment" });
    await dialog.getByText("1 result would change:").waitFor();
    await dialog.getByText("Affiliate not approved").waitFor();
    await dialog.getByText("$14.70").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Rerun attribution" }).click();
    await page.getByText("1 result changed").waitFor();
    await page.getByText("This payment earned a commission.").waitFor();
    await takePicture(page, "payment-rerun");
    await page.getByRole("link", { name: "View commission" }).click();
    await page.getByRole("heading", { level: 1, name: "$14.70 for Max Roe" }).waitFor();
    await page.getByText("Matches the ledger").waitFor();
    await finish(watched);
  });

  it("voids commissions by a key and restores them by the toast", async () => {
    const watched = await openInTab("/commissions?status=held");
    const { page } = watched;
    await page.getByText("customer4@example.com").waitFor();
    const count = (await page.getByRole("row").count()) - 1;
    await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
    await page.keyboard.press("v");
    await page.getByRole("dialog").getByRole("button", { name: "Void" }).click();
    await page.getByText(`${count} commissions voided`).waitFor();
    await page.getByText("No commissions match").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`${count} commissions restored`).waitFor();
    await page.getByText("customer4@example.com").waitFor();
    await finish(watched);
  });

  it("keeps a commission voided that a dispute voided, and takes that back", async () => {
    const watched = await openInTab("/commissions?text=in_10");
    const { page } = watched;
    await openRow(page, "customer10@example.com");
    await page.getByRole("button", { name: "Keep voided" }).click();
    await page.getByText("It stays voided").waitFor();
    await page.getByText("Stays voided: no → yes").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("It follows its payment again").waitFor();
    await page.getByRole("button", { name: "Keep voided" }).waitFor();
    await finish(watched);
  });

  it("corrects a commission, and explains an amount that it cannot read", async () => {
    const watched = await openInTab("/commissions?text=in_3");
    const { page } = watched;
    await openRow(page, "customer3@example.com");
    await page.getByRole("button", { name: "Correct…" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct this commission" });
    const amount = dialog.getByRole("textbox", { name: "Commission" });
    await amount.fill("12,345.678");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter an amount, such as 49.00.").waitFor();
    await amount.fill("12.50");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "$12.50 for Jane Doe" }).waitFor();
    await page.getByText("Commission: $14.70 → $12.50").waitFor();
    await finish(watched);
  });

  it("tries a payment and shows what it would earn", async () => {
    const watched = await openInTab("/payments/try");
    const { page } = watched;
    await page.getByRole("textbox", { name: "Amount before tax" }).fill("100");
    await page.getByRole("textbox", { name: "Email" }).fill("customer3@example.com");
    await page.getByRole("button", { name: "Calculate" }).click();
    await page.getByText("This payment earned a commission.").waitFor();
    await page.getByText("30% of $100.00").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows a viewer no buttons that would be refused", async () => {
    const watched = await open("/payments", { role: "viewer" });
    const { page } = watched;
    await page.getByText("customer9@example.com").waitFor();
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(0);
    await openRow(page, "customer1@example.com");
    await page.getByText("This payment earned a commission, but nothing of it remains.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Rerun attribution…" }).count()).toBe(0);
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("leaves out filters that the list does not have, and says so", async () => {
    const watched = await open("/payments?colour=red&outcome=nonsense");
    await watched.page.getByText("they were ignored: colour, outcome").waitFor();
    await finish(watched);
  });

  it("sends people who are not signed in to the sign-in, with the way back", async () => {
    const watched = await open("/payments?text=a", { role: null });
    await expectPath(
      watched.page,
      `/sign-in?to=${encodeURIComponent(`${dashboard.place.home}/payments?text=a`)}`,
    );
    await watched.page.getByRole("heading", { level: 1, name: "Sign in to Findersfee" }).waitFor();
    await finish(watched, ["401"]);
  });

  it.runIf(FULL_TESTS)("keeps the rows above which it says that the service is unavailable", async () => {
    const watched = await openInTab("/commissions");
    const { page } = watched;
    await page.getByText("customer4@example.com").waitFor();
    await page.route("**/trpc/dashboard.commissions.list*", (route) => route.abort());
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Due" }).click();
    await page.getByText("The service cannot be reached.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.unroute("**/trpc/dashboard.commissions.list*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("customer3@example.com").waitFor();
    await finish(watched, ["ERR_FAILED"]);
  });

  it("says while it is offline", async () => {
    const watched = await openInTab("/payments");
    await watched.page.context().setOffline(true);
    await watched.page.getByText("You are offline. What you see may be out of date").waitFor();
    await watched.page.getByRole("link", { name: /^Claims/ }).click();
    await watched.page.getByText("You are offline. This page opens").waitFor();
    await watched.page.context().setOffline(false);
    await watched.page.getByRole("heading", { name: "Claims", level: 1 }).waitFor();
    await watched.page.getByText("You are offline.").waitFor({ state: "detached" });
    await finish(watched);
  });

  it("opens a dialog that is not loaded once there is a network again", async () => {
    const place = await createPlace(dashboard.database);
    for (const first_name of ["Kim", "Lee"]) {
      const email = `${first_name.toLowerCase()}@example.com`;
      await addPartner(place.context, {}, { email, first_name, last_name: "Roe" });
    }
    const watched = await open("/affiliates", { at: place });
    const { page } = watched;
    await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
    await page.context().setOffline(true);
    await page.getByText("You are offline. What you see may be out of date").waitFor();
    await page.getByRole("button", { name: "Ban…" }).click();
    const dialog = page.getByRole("dialog", { name: "Ban 2 affiliates?" });
    // By then, all loads of the browser that fail have failed.
    await page.evaluate("new Promise((done) => requestIdleCallback(done, { timeout: 1000 }))");
    expect(await dialog.count()).toBe(0);
    await page.context().setOffline(false);
    await dialog.getByRole("textbox", { name: "Reason" }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("keeps the chosen theme", async () => {
    const watched = await open("/payments");
    const { page } = watched;
    await page.getByRole("button", { name: "Jane Doe" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Dark" }).click();
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await expect.poll(background).toBe("rgb(17, 17, 16)");
    await page.reload();
    await expect.poll(() => page.evaluate("document.documentElement.className")).toBe("dark");
    await finish(watched);
  });

  it("shows texts of strangers as texts, however long", async () => {
    const [row] = await dashboard.database<[{ id: string }]>`
      select id from affiliates where organization_id = ${dashboard.place.organization_id} and email = 'arabic@example.com'`;
    await updateAffiliate(dashboard.place.context, { id: row.id, last_name: MARKUP });
    await dashboard.database`
      update campaigns set name = repeat('z', 10000)
      where organization_id = ${dashboard.place.organization_id} and name = 'Friends'`;
    const watched = await openInTab("/commissions?text=arabic");
    const { page } = watched;
    await page.getByText("¥36,000").first().waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await fitsWindow(page);
    }
    await page.getByRole("row").nth(1).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: MARKUP }).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await fitsWindow(page);
      expect(await axeProblems(page)).toEqual([]);
    }
    await finish(watched);
  });
});
