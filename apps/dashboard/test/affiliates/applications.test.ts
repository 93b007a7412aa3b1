import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { banAffiliates } from "@findersfee/domain/ban-affiliates";
import {
  addAffiliate,
  addPartner,
  click,
  commissions,
  report,
} from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, second } from "@findersfee/domain/testing/attribution/reported";
import { runJobs } from "@findersfee/domain/testing/work";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage, fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { turnTo } from "../in-browser.ts";
import { createPlace, fillPlace, type Place, startDashboard, type Visit, visit } from "../program.ts";

let service: TestService;
let browser: Browser;
let place: Place;
let campaign_id: string;

describe.skipIf(!has_chromium)(`people in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startDashboard();
    browser = await borrowChromium();
  });

  beforeEach(async () => {
    place = await createPlace(service.database);
    const partner = await addPartner(place.context, {
      name: "Partners",
      approval_needed: true,
      is_default: true,
    });
    campaign_id = partner.campaign_id;
    await place.context.database`
      update affiliates set approved = true where organization_id = ${place.organization_id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, options: Visit = {}) =>
    visit(browser, { service, place, path: `${place.home}${path}` }, options);

  async function apply(email: string, first_name: string): Promise<string> {
    return await addAffiliate(place.context, { campaign_id, email, first_name, approved: false });
  }

  const approved = async () =>
    (
      await service.database<{ email: string }[]>`
        select email from affiliates
        where organization_id = ${place.organization_id} and approved and email like '%@example.com' order by email`
    ).map(({ email }) => email);

  /** Sends the decisions at once that would wait for six seconds. */
  async function letTimePass(page: Page): Promise<void> {
    await page.clock.runFor(7_000);
  }

  it.runIf(FULL_TESTS)(
    "asks for the campaigns beside the applications, which saves a round trip",
    async () => {
      const { page } = await open("/affiliates");
      const campaigns = page.waitForRequest("**/trpc/campaigns.list*");
      await page.route("**/trpc/dashboard.affiliates.waiting*", async (route) => {
        await campaigns;
        await route.continue();
      });
      await page.goto(`${service.url}${place.home}/affiliates/waiting`);
      await page.getByText("No open applications").waitFor();
      await closePage(page);
    },
  );

  it.runIf(FULL_TESTS)("approves several applications, and takes that back in time", async () => {
    await apply("ann@example.com", "Ann");
    await apply("kim@example.com", "Kim");
    const { page, complaints } = await open("/affiliates?status=waiting");
    await page.clock.install();
    await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approving 2 affiliates…").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone. Nothing was sent.").waitFor();
    await letTimePass(page);
    expect(await approved()).toEqual([]);

    await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approving 2 affiliates…").waitFor();
    expect(await approved()).toEqual([]);
    await letTimePass(page);
    await expect.poll(approved).toEqual(["ann@example.com", "kim@example.com"]);
    await page.getByText("No affiliates match").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.runIf(FULL_TESTS)("sends an approval that waits when the page is left", async () => {
    await apply("ann@example.com", "Ann");
    const { page } = await open("/affiliates/waiting");
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    await page.keyboard.press("a");
    await page.getByText("Approving 1 affiliate…").waitFor();
    expect(await approved()).toEqual([]);
    await page.goto("about:blank");
    await expect.poll(approved).toEqual(["ann@example.com"]);
    await closePage(page);
  });

  it("decides applications by keys, declines with a reason, and opens the next one", async () => {
    const ann = await apply("ann@example.com", "Ann");
    await apply("kim@example.com", "Kim");
    await apply("lee@example.com", "Lee");
    const { page, complaints } = await open("/affiliates/waiting");
    await page.clock.install();
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Kim" }).waitFor();
    await page.keyboard.press("k");
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("textbox", { name: "Reason" }).fill("We look for writers at the moment.");
    await page.getByText("Email preview").click();
    await page.getByText("Your application to Acme's affiliate program").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Decline", exact: true }).click();
    await page.getByRole("heading", { name: "Kim" }).waitFor();
    await page.keyboard.press("z");
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("textbox", { name: "Reason" }).fill("We look for writers at the moment.");
    await page.getByRole("button", { name: "Decline", exact: true }).click();
    await page.getByRole("heading", { name: "Kim" }).waitFor();
    await letTimePass(page);
    await expect
      .poll(
        async () =>
          await service.database`
            select decline_reason, (select count(*)::int from mails where affiliate_id = ${ann}) as mails
            from affiliates where id = ${ann}`,
      )
      .toEqual([{ decline_reason: "We look for writers at the moment.", mails: 1 }]);
    await page.goto(`${service.url}${place.home}/affiliates/${ann}`);
    await page.getByText("We look for writers at the moment.").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("decides all applications at once, from a bar that stays in view, and shows one toast of the decision", async () => {
    for (let number = 10; number < 70; number += 1) await apply(`a${number}@example.com`, `Ann ${number}`);
    const { page, complaints } = await open("/affiliates/waiting");
    await page.clock.install();
    await page.getByText("50 of 60").waitFor();
    await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
    const bar = page.getByText(/^\d+ selected$/).locator("xpath=..");
    const { y = -1, height = 0 } = (await bar.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    await checkScreen(page, "applications-selected");
    await page.getByRole("button", { name: "Select all 60" }).click();
    await page.getByText("60 selected").waitFor();
    await bar.getByRole("button", { name: "Decline…" }).click();
    await page.getByRole("dialog", { name: "Decline 60 applications" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("checkbox", { name: "Select Ann 10" }).uncheck();
    await bar.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approving 59 affiliates…").waitFor();
    await page.keyboard.press("z");
    await page.getByText("Undone. Nothing was sent.").waitFor();
    await expect.poll(() => page.getByText("Approving 59 affiliates…").count()).toBe(0);
    await letTimePass(page);
    expect(await approved()).toEqual([]);
    await page.getByRole("button", { name: "Select all 60" }).click();
    await page.getByText("60 selected").waitFor();
    await bar.getByRole("button", { name: "Approve" }).click();
    await page.getByText("No open applications").waitFor();
    await letTimePass(page);
    await expect.poll(async () => (await approved()).length).toBe(60);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.runIf(FULL_TESTS)("shows no decisions to viewers", async () => {
    await apply("ann@example.com", "Ann");
    const { page, complaints } = await open("/affiliates/waiting", { role: "viewer" });
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    await page.keyboard.press("a");
    await expect.poll(() => page.getByRole("button", { name: /Approve|Decline/ }).count()).toBe(0);
    await turnTo(page, `${service.url}${place.home}/affiliates`);
    await page.getByRole("link", { name: "1 application" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Add affiliate" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "offers to decide payments again that earned nothing before the approval",
    async () => {
      const affiliate_id = await apply("ann@example.com", "Ann");
      const click_id = await click(place.context, { affiliate_id, at: second(5) });
      const customer = { customer_id: "cus_1", email: "b@c.test" };
      await report(
        place.context,
        checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
        payment({ subject: "in_1", ...customer, at: second(20) }),
        payment({ subject: "in_2", ...customer, at: second(30) }),
      );
      const { page, complaints } = await open("/affiliates/waiting");
      await page.clock.install();
      await page.getByRole("heading", { name: "Ann" }).waitFor();
      await page.keyboard.press("a");
      await page.getByText("Approving 1 affiliate…").waitFor();
      await letTimePass(page);
      await page.getByText("2 payments earned nothing before the approval.").waitFor();
      await page.getByRole("button", { name: "Rerun attribution…" }).click();
      await page.getByText("2 results would change:").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await turnTo(page, `${service.url}${place.home}/affiliates/${affiliate_id}`);
      const notice = page.getByText("2 payments earned nothing because Ann was not approved.");
      await notice.waitFor();
      await checkScreen(page, "affiliate-refused-notice");
      await page.getByRole("button", { name: "Rerun attribution…" }).last().click();
      await page.getByText("2 results would change:").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Rerun attribution", exact: true }).click();
      await page.getByText("2 results changed").waitFor();
      await expect.poll(() => notice.count()).toBe(0);
      expect(await commissions(place.context)).toHaveLength(2);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it.runIf(FULL_TESTS)(
    "asks beside a payment what becomes of money that the ban held, as elsewhere",
    async () => {
      const affiliate_id = await apply("ann@example.com", "Ann");
      await place.context.database`update affiliates set approved = true where id = ${affiliate_id}`;
      const click_id = await click(place.context, { affiliate_id, at: second(5) });
      const customer = { customer_id: "cus_1", email: "b@c.test" };
      await banAffiliates(place.context, { ids: [affiliate_id], reason: null, due: "hold" });
      await report(
        place.context,
        checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
        payment({ subject: "in_1", ...customer, at: second(20) }),
      );
      const { page, complaints } = await open("/payments");
      await page.getByRole("row").filter({ hasText: "b@c.test" }).getByRole("link").first().press("Enter");
      await page.getByRole("button", { name: "Unban Ann…" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Unban Ann?" });
      await checkScreen(page, "payment-unban");
      await dialog.getByRole("radio", { name: "Pay it" }).check();
      await dialog.getByRole("button", { name: "Unban" }).press("Enter");
      await page.getByText("1 result would change:").waitFor();
      const [{ holds } = { holds: 1 }] = await place.context.database<{ holds: number }[]>`
      select count(*)::int as holds from payout_holds where affiliate_id = ${affiliate_id}`;
      expect(holds).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it("adds an affiliate, says that a code is taken, and keeps what was typed over a reload", async () => {
    const jane = await addAffiliate(place.context, {
      campaign_id,
      email: "jane@example.com",
      ref_code: "jane",
    });
    const { page, complaints } = await open("/affiliates/new");
    await page.getByRole("textbox", { name: "Email", exact: true }).fill("jane@example.com");
    await page.getByRole("textbox", { name: "First name" }).fill("Second");
    await page.getByRole("textbox", { name: "Link code" }).fill("JANE");
    await page.getByRole("link", { name: "jane@example.com" }).waitFor();
    await page.reload();
    await page.getByText("Restored").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "First name" }).inputValue()).toBe("Second");
    await page.getByRole("textbox", { name: "Link code" }).fill("second");
    await page.getByText("Available").waitFor();
    await page.getByRole("button", { name: "Add affiliate" }).click();
    const link = page.getByRole("link", { name: "Open" });
    await expect.poll(() => link.getAttribute("href")).toContain(jane);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Email", exact: true }).fill("second@example.com");
    await page.getByRole("button", { name: "Add affiliate" }).click();
    await page.getByRole("heading", { level: 1, name: "Second" }).waitFor();
    await turnTo(page, `${service.url}${place.home}/affiliates/new`);
    await page.getByRole("heading", { level: 1, name: "Add affiliate" }).waitFor();
    await expect.poll(() => page.getByText("Restored").count()).toBe(0);
    expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
    await closePage(page);
  });

  it("imports a file, after its wrong lines were mended, and saves the result", async () => {
    await addAffiliate(place.context, { campaign_id, email: "jane@example.com" });
    const { page, complaints } = await open("/affiliates/import");
    const lines = [
      "E-Mail;Vorname;Irrelevant",
      "ann@example.com;Ann;1",
      "not an email;Kim;2",
      "JANE@example.com;Jane;3",
    ];
    await page.getByRole("textbox", { name: /Paste rows/ }).fill(lines.join("\n"));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("combobox", { name: "E-Mail" }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "Vorname" }).inputValue()).toBe("first_name");
    await page.getByRole("button", { name: "Check rows" }).click();
    await page.getByText("Email: Must be an email address").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await fitsWindow(page);
    await page.getByRole("button", { name: "not an email" }).click();
    await page.getByRole("textbox", { name: "Email", exact: true }).fill("kim@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Check rows" }).click();
    await page.getByText("No rows").waitFor();
    expect(await service.database`select from jobs where organization_id = ${place.organization_id}`).toEqual(
      [],
    );
    await page.getByRole("button", { name: "Import 2" }).click();
    await page.getByRole("button", { name: /Importing affiliates/ }).waitFor();
    await runJobs(place.context);
    await page.getByRole("button", { name: "1 task finished" }).click();
    await page.getByText("2 created").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^affiliates-import-.*\.csv$/);
    await page.getByText("kim@example.com").waitFor();
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "shows what happened to a customer, by either time, and changes the email",
    async () => {
      await fillPlace(place);
      const { page, complaints } = await open("/referrals");
      await page.getByRole("textbox", { name: "Name, email, code, ID" }).fill("customer4");
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      await page.getByRole("row").filter({ hasText: "customer4@" }).getByRole("link").click();
      await page.getByText("Clicked Jane Doe’s link").waitFor();
      const kinds = () => page.locator("main ol > li").allInnerTexts();
      const before = await kinds();
      expect(before.findIndex((text) => text.includes("Checkout"))).toBeLessThan(
        before.findIndex((text) => text.includes("Refund")),
      );
      await page.getByRole("link", { name: "As received" }).click();
      await expect.poll(() => page.url()).toContain("by=received");
      expect((await kinds()).length).toBe(before.length);
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Email", exact: true }).fill("new@example.com");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "new@example.com" }).waitFor();
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );
});
