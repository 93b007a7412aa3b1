/* Lists with more rows than a page: their numbers, and changes of all rows that match. */

import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { fillPlace, LONG_NAME } from "./program.ts";

const WAITING = 230;

describeInBrowser("lists of many rows", (dashboard) => {
  beforeAll(async () => {
    await fillPlace(dashboard.place);
    await apply(WAITING);
  });

  const { openInTab } = dashboard;

  /** Applications to "Friends", in the past. */
  async function apply(count: number, name = "applicant"): Promise<void> {
    const { organization_id } = dashboard.place;
    await dashboard.database`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization_id}, first_id_of(timestamptz '2026-02-01' + number * interval '1 minute'), campaign.id,
        ${name} || number || '@applicants.test', ${LONG_NAME}, 'Roe ' || number, false, false, true,
        timestamptz '2026-02-01' + number * interval '1 minute'
      from generate_series(1, ${count}::int) as number, campaigns campaign
      where campaign.organization_id = ${organization_id} and campaign.name = 'Friends'`;
  }

  const countOf = async (where: "approved" | "waiting"): Promise<number> => {
    const { organization_id } = dashboard.place;
    const [row] = await dashboard.database<[{ count: number }]>`
      select count(*)::int as count from affiliates
      where organization_id = ${organization_id} and email like '%@applicants.test'
        and approved = ${where === "approved"}`;
    return row.count;
  };

  const selectPage = (page: Page) =>
    page.getByRole("checkbox", { name: "Select all rows on this page" }).check();

  it("have their numbers beside the title, those that match and all", async () => {
    const watched = await openInTab("/affiliates");
    const { page } = watched;
    await page.getByText("235", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Campaign" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Friends" }).click();
    await page.getByText("231 of 235", { exact: true }).waitFor();
    await finish(watched);
  });

  it("moves all rows that match, and says which could not be moved and why", async () => {
    const { organization_id } = dashboard.place;
    await dashboard.database`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization_id}, first_id_of(timestamptz '2026-01-01'), id, 'applicant77@applicants.test', '', '', true, false, true,
        now()
      from campaigns where organization_id = ${organization_id} and name = 'Partner program'`;
    const watched = await openInTab("/affiliates?status=waiting");
    const { page } = watched;
    await page.getByText(/^\d+ of 23\d$/).waitFor();
    await selectPage(page);
    await page.getByText("50 selected").waitFor();
    await checkScreen(page, "affiliates-page-selected");
    await page.getByRole("button", { name: /^Select all 2\d\d$/ }).click();
    await page.getByText(/^2\d\d selected$/).waitFor();
    await page.getByRole("button", { name: "Move…" }).click();
    const asked = page.getByRole("dialog", { name: /^Move 2\d\d affiliates$/ });
    await asked.getByLabel("Campaign").selectOption({ label: "Partner program" });
    await asked.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("1 row could not be changed:").waitFor();
    const dialog = page.getByRole("dialog", { name: /^Move 2\d\d affiliates$/ });
    await dialog
      .getByText("The other campaign has an affiliate with the email of one of these.", { exact: true })
      .waitFor();
    await dialog.getByText(/^2\d\d rows changed\.$/).waitFor();
    await checkScreen(page, "affiliates-many-moved");
    await dialog.getByRole("button", { name: "Close" }).first().click();
    const [left] = await dashboard.database<[{ emails: string[] }]>`
      select array_agg(affiliate.email) as emails from affiliates affiliate
      join campaigns campaign on campaign.id = affiliate.campaign_id
      where affiliate.organization_id = ${organization_id} and campaign.name = 'Friends' and not affiliate.approved`;
    expect(left.emails).toEqual(["applicant77@applicants.test"]);
    await finish(watched, ["409"]);
  });

  it("approves the rows that were confirmed, and none that came later", async () => {
    const watched = await openInTab("/affiliates?status=waiting");
    const { page } = watched;
    await page.getByText(/^\d+ of \d+$/).waitFor();
    await selectPage(page);
    await page.getByRole("button", { name: /^Select all 2\d\d$/ }).click();
    await page.getByText(/^2\d\d selected$/).waitFor();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /^Approve 2\d\d affiliates$/ });
    await dialog.getByText("not rows that match later").waitFor();
    await checkScreen(page, "affiliates-approve-many");
    const { organization_id } = dashboard.place;
    await dashboard.database`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization_id}, first_id_of(now()), id, 'late@applicants.test', '', '', false, false, true, now()
      from campaigns where organization_id = ${organization_id} and name = 'Friends'`;
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByText(/^2\d\d rows changed\.$/).waitFor();
    expect(await countOf("waiting")).toBe(1);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await expect.poll(() => page.getByText(/^\d+ selected$/).count()).toBe(0);
    await page.getByText("late@applicants.test").first().waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("goes on after the connection was lost", async () => {
    const { organization_id } = dashboard.place;
    await dashboard.database`
      update affiliates set approved = false
      where organization_id = ${organization_id} and email like 'applicant%@applicants.test'`;
    const watched = await openInTab("/affiliates?status=waiting");
    const { page } = watched;
    // The rows were changed beside the application.
    await page.reload();
    await page.getByText(/^2\d\d of \d+$/).waitFor();
    await page.getByText(/^\d+ of \d+$/).waitFor();
    await selectPage(page);
    await page.getByRole("button", { name: /^Select all 2\d\d$/ }).click();
    await page.getByText(/^2\d\d selected$/).waitFor();
    let requests = 0;
    await page.route("**/trpc/dashboard.affiliates.approve*", async (route) => {
      requests += 1;
      await (requests === 2 ? route.abort() : route.continue());
    });
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /^Approve 2\d\d affiliates$/ });
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByText("rows may not be changed yet").waitFor();
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText(/^2\d\d rows changed\.$/).waitFor();
    expect(await countOf("waiting")).toBe(0);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await page.unroute("**/trpc/dashboard.affiliates.approve*");
    await finish(watched, ["ERR_FAILED"]);
  });
});
