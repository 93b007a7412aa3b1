import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addPartner, payOut, report } from "@findersfee/domain/testing/attribution/program";
import { payment } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { fillPlace } from "../program.ts";
import { report as reportClaim } from "./claims.ts";

const DAY_MILLISECONDS = 86_400_000;

describeInBrowser("moves, credits and stops in a browser", (dashboard) => {
  beforeAll(async () => {
    await fillPlace(dashboard.place);
    const fields = { email: "sam@example.com", first_name: "Sam", last_name: "Poe" };
    await addPartner(dashboard.place.context, { name: "Agencies" }, fields);
  });

  const { open, openInTab } = dashboard;

  const idOf = async (table: "referrals" | "payment_decisions", column: string, value: string) => {
    const { database, place } = dashboard;
    const [row] = await database<{ id: string }[]>`
      select id from ${database(table)}
      where organization_id = ${place.organization_id} and ${database(column)} = ${value} and replaced_at is null`;
    return row?.id ?? "";
  };

  /** Chooses an affiliate by the keyboard, in the options that are shown from the beginning. */
  async function choose(page: Page, dialog: Locator, name: string): Promise<void> {
    const field = page.getByRole("combobox", { name: "Affiliate" });
    await expect
      .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.type(name.split(" ")[0] ?? "");
    await expect
      .poll(() => page.getByRole("option").allInnerTexts())
      .toEqual([expect.stringContaining(name)]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: new RegExp(`^Affiliate ${name}`) }).waitFor();
  }

  it("moves a customer with its unpaid commissions, and undoes it", async () => {
    const id = await idOf("referrals", "email", "customer3@example.com");
    const watched = await openInTab(`/referrals/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Move…" }).click();
    const dialog = page.getByRole("dialog", { name: "Move customer3@example.com to another affiliate" });
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Move customer" }).click();
    await dialog.getByText("Choose an affiliate.").waitFor();
    await dialog.getByRole("button", { name: /^Affiliate/ }).press("Enter");
    await choose(page, dialog, "Sam Poe");
    await dialog.getByRole("region", { name: "What changes" }).getByText("−$14.70").waitFor();
    await checkScreen(page, "move-dialog");
    await dialog.getByRole("button", { name: "Move customer" }).click();
    await dialog.getByText("Enter a reason.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("reason");
    await page.keyboard.type("Sam brought her, says Jane.");
    await dialog.getByRole("button", { name: "Move customer" }).click();
    await page.getByText("Customer moved to Sam Poe").waitFor();
    await page.getByText("Moved to Sam Poe by Jane Doe").waitFor();
    await page.getByText("Jane Doe moved the customer to Sam Poe").waitFor();
    await checkScreen(page, "referral-moved");
    await page.getByRole("button", { name: "Undo the move" }).click();
    const undo = page.getByRole("dialog", { name: "Undo the move" });
    await undo.getByRole("region", { name: "What changes" }).waitFor();
    expect(await undo.getByText(/include some of this/).count()).toBe(0);
    await undo.getByRole("textbox", { name: "Reason" }).fill("She did not.");
    await undo.getByRole("button", { name: "Undo the move" }).click();
    await page.getByText("Jane Doe undid the move to Sam Poe").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Undo the move" }).count()).toBe(0);
    await finish(watched);
  });

  it("stops and resumes a customer, of which viewers see the state alone", async () => {
    const id = await idOf("referrals", "email", "customer2@example.com");
    const watched = await openInTab(`/referrals/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Stop commissions…" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop commissions for customer2@example.com" });
    await dialog.getByText("No past payments change.").waitFor();
    await dialog.getByRole("textbox", { name: "Reason" }).fill("A reseller.");
    await dialog.getByRole("button", { name: "Stop commissions" }).click();
    await page.getByText("Payments from this customer earn nothing").waitFor();
    await checkScreen(page, "referral-stopped");
    await dashboard.turn(page, "/referrals");
    const row = page.getByRole("row", { name: /customer2@example\.com/ });
    await row.getByText("No subscription · stopped").waitFor();
    await checkScreen(page, "referrals-stopped");
    await dashboard.turn(page, `/referrals/${id}`);
    const viewer = await open(`/referrals/${id}`, { role: "viewer" });
    await viewer.page.getByText("Payments from this customer earn nothing").waitFor();
    expect(await viewer.page.getByRole("button", { name: /Resume|Undo|Move|Stop/ }).count()).toBe(0);
    await finish(viewer);
    await page.getByRole("button", { name: "Resume…" }).click();
    const resume = page.getByRole("dialog");
    await resume.getByRole("textbox", { name: "Reason" }).fill("No reseller.");
    await resume.getByRole("button", { name: "Resume commissions" }).click();
    await page.getByText("Jane Doe resumed commissions for the customer").waitFor();
    await page.getByRole("button", { name: "Stop commissions…" }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("credits a payment and earlier ones, after what changed meanwhile", async () => {
    const id = await idOf("payment_decisions", "payment_id", "in_8");
    const watched = await openInTab(`/payments/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Credit an affiliate…" }).click();
    const dialog = page.getByRole("dialog", { name: "Credit an affiliate for this payment" });
    await choose(page, dialog, "Jane Doe");
    await dialog.getByText("+$29.70").waitFor();
    const customer = { customer_id: "cus_8", email: "customer8@example.com" };
    const at = new Date(Date.now() - 10 * DAY_MILLISECONDS);
    await report(dashboard.place.context, payment({ subject: "in_80", ...customer, at, currency: "USD" }));
    await dialog.getByRole("checkbox", { name: /earlier payments/ }).check();
    await dialog.getByText("in_80").waitFor();
    const later = new Date();
    await report(dashboard.place.context, payment({ subject: "in_81", ...customer, at: later }));
    await dialog.getByRole("textbox", { name: "Reason" }).fill("A friend told him.");
    await dialog.getByRole("button", { name: "Credit affiliate" }).click();
    await dialog.getByText("Something changed in the meantime.").waitFor();
    await dialog.getByText("in_81").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await checkScreen(page, "credit-dialog");
    await dialog.getByRole("button", { name: "Credit affiliate" }).click();
    await page.getByText("Credited to Jane Doe by Jane Doe").waitFor();
    await checkScreen(page, "payment-credited");
    await page.getByRole("button", { name: "Undo the credit" }).click();
    const undo = page.getByRole("dialog");
    await undo.getByText("Credited to Jane Doe by Jane Doe").waitFor();
    await undo.getByRole("textbox", { name: "Reason" }).fill("By mistake.");
    await undo.getByRole("button", { name: "Undo the credit" }).click();
    await page.getByText("Nobody referred the customer").waitFor();
    await finish(watched, ["409"]);
  });

  it("asks for an email that the processor did not report", async () => {
    const { context } = dashboard.place;
    await report(context, payment({ subject: "in_90", customer_id: "cus_90", at: new Date() }));
    const watched = await openInTab(`/payments/${await idOf("payment_decisions", "payment_id", "in_90")}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Credit an affiliate…" }).click();
    const dialog = page.getByRole("dialog");
    await choose(page, dialog, "Jane Doe");
    await dialog.getByRole("textbox", { name: "Customer’s email" }).fill("kim@customers.test");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Known by phone.");
    await dialog.getByRole("region", { name: "What changes" }).waitFor();
    await dialog.getByRole("button", { name: "Credit affiliate" }).click();
    await page.getByText("Jane Doe is credited").waitFor();
    await finish(watched, ["400"]);
  });

  it("offers to move another affiliate's customer where a claim is about it", async () => {
    const claim_id = await reportClaim(dashboard.place, { email: "customer5@example.com", days: 2 });
    const watched = await openInTab(`/claims/${claim_id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Move the customer…" }).click();
    const dialog = page.getByRole("dialog", { name: "Move customer5@example.com to another affiliate" });
    await dialog.getByRole("region", { name: "What changes" }).waitFor();
    await checkScreen(page, "move-dialog-of-claim");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Jane is right.");
    await dialog.getByRole("button", { name: "Move customer" }).click();
    await page.getByText("Jane Doe has already earned a commission for this payment.").waitFor();
    await finish(watched);
  });

  it("says before an undo that payouts have some of it", async () => {
    await payOut(dashboard.place.context);
    const watched = await openInTab(
      `/referrals/${await idOf("referrals", "email", "customer5@example.com")}`,
    );
    const { page } = watched;
    await page.getByRole("button", { name: "Undo the move" }).click();
    const undo = page.getByRole("dialog", { name: "Undo the move" });
    await undo.getByText("Payouts to Jane Doe include some of this").waitFor();
    await checkScreen(page, "undo-dialog");
    await finish(watched);
  });
});
