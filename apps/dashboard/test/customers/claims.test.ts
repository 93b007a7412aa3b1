import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { report as reportFacts } from "@findersfee/domain/testing/attribution/program";
import { refund } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { fillPlace } from "../program.ts";
import { accept, decline, report } from "./claims.ts";

const timeout = LOAD_MILLISECONDS;

describeInBrowser("claims in a browser", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  beforeEach(async () => {
    await dashboard.database`delete from claims where organization_id = ${dashboard.place.organization_id}`;
  });

  const { open, openInTab } = dashboard;

  it("leads from the overview to the evidence, and accepts with the amount", async () => {
    await report(dashboard.place, { email: "customer7@example.com", days: 1 });
    await report(dashboard.place, { email: "nobody@example.com", days: 3 });
    const watched = await openInTab("");
    const { page } = watched;
    await page.getByRole("link", { name: /2 claims of missing sales wait/ }).click();
    await page.getByRole("heading", { level: 1, name: "Claims" }).waitFor();
    await expect.poll(() => page.url()).toContain("state=open");
    await page.getByRole("navigation").getByRole("link", { name: "Claims 2" }).waitFor();
    await page.getByRole("row").filter({ hasText: "customer7@" }).getByRole("link").click();
    await page.getByText("The click was 31 days old; the campaign counts 30 days.").waitFor();
    await page.getByText("31 of 30 days").waitFor();
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: "Accept Jane Doe’s claim" });
    await dialog.getByText("customer7@example.com becomes a referral of Jane Doe").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await fitsWindow(page);
    await dialog.getByRole("textbox", { name: "Answer" }).fill("Thank you for the hint.");
    await dialog.getByRole("button", { name: "Accept, $14.70" }).click();
    await page.getByText("Jane Doe gets $14.70").waitFor();
    await page.getByText("Thank you for the hint.").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Claims 1" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /Accept|Decline/ }).count()).toBe(0);
    await page.getByRole("link", { name: "$14.70" }).first().click();
    await page.getByRole("heading", { level: 1, name: "$14.70 for Jane Doe" }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("declines with words that begin with the facts, after none were written", async () => {
    const id = await report(dashboard.place, { email: "customer8@example.com", days: 1 });
    const watched = await openInTab(`/claims/${id}`);
    const { page } = watched;
    await page.getByText("The report is the only evidence.").waitFor();
    await page.keyboard.press("d");
    const dialog = page.getByRole("dialog", { name: "Decline Jane Doe’s claim" });
    const reason = dialog.getByRole("textbox", { name: "Reason" });
    const proposal = "We found no click on your link and no use of your promo code by this customer.";
    await expect.poll(() => reason.inputValue()).toBe(proposal);
    await reason.fill("");
    await dialog.getByRole("button", { name: "Decline" }).click();
    await dialog.getByText("Enter a reason for the affiliate.").waitFor();
    await reason.fill("No trace of you, sorry.");
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Decline" }).click();
    await page.getByText("Claim declined").waitFor();
    await page.getByText("No trace of you, sorry.").waitFor();
    const mails = await dashboard.database`select kind from mails where about = ${id}`;
    expect(mails).toEqual([{ kind: "claim_decided" }]);
    await page.getByRole("link", { name: "History" }).last().click();
    await page.getByRole("button", { name: /^One item/ }).waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "says that somebody else has decided meanwhile, without losing what was written",
    async () => {
      const id = await report(dashboard.place, { email: "customer8@example.com", days: 1 });
      const watched = await openInTab(`/claims/${id}`);
      const { page } = watched;
      await page.getByRole("button", { name: "Decline…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Reason" }).fill("My own words");
      await decline(dashboard.place, id);
      await dialog.getByText("Operator already declined this claim").waitFor({ timeout });
      await expect
        .poll(() => dialog.getByRole("textbox", { name: "Reason" }).inputValue())
        .toBe("My own words");
      await expect.poll(() => dialog.getByRole("button", { name: "Decline" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "Close" }).first().click();
      await page.getByText("The click was too old.").waitFor();
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)(
    "says so, too, if the decision arrives at the same moment, and calculates a changed payment again",
    async () => {
      const id = await report(dashboard.place, { email: "customer9@example.com", days: 0 });
      const watched = await open(`/claims/${id}`);
      const { page } = watched;
      await page.getByRole("button", { name: "Accept…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Accept, $5.70" }).waitFor();
      await reportFacts(
        dashboard.place.context,
        refund({ subject: "re_9", amount_minor: 1140n, references: ["in_9"], at: new Date() }),
      );
      await dialog.getByRole("button", { name: "Accept, $5.70" }).click();
      await dialog.getByText("The payment changed in the meantime.").waitFor();
      await dialog.getByRole("button", { name: "Accept, $2.85" }).waitFor();
      await page.route("**/trpc/dashboard.claims.get*", (route) => route.abort());
      await accept(dashboard.place, id, "in_9");
      await page.unroute("**/trpc/dashboard.claims.get*");
      await dialog.getByRole("button", { name: "Accept, $2.85" }).click();
      await dialog.getByText("Operator already accepted this claim").waitFor({ timeout });
      await finish(watched, ["409", "ERR_FAILED"]);
    },
  );

  it.runIf(FULL_TESTS)("shows new claims by itself, and viewers no buttons", async () => {
    const watched = await open("/claims", { role: "viewer" });
    const { page } = watched;
    await page.getByText("No claims yet").waitFor();
    const id = await report(dashboard.place, { email: "customer8@example.com", days: 1 });
    await page.getByRole("row").filter({ hasText: "customer8@" }).getByRole("link").click({ timeout });
    await page.getByText("The report is the only evidence.").waitFor();
    await expect.poll(() => page.url()).toContain(id);
    await page.keyboard.press("a");
    await page.keyboard.press("d");
    await expect.poll(() => page.getByRole("button", { name: /Accept|Decline/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await finish(watched);
  });
});
