/* Affiliates who have not agreed, as staff see them. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import { beforeEach, expect, it } from "vitest";
import { describeInBrowser } from "../in-browser.ts";
import { createPlace, type Place } from "../program.ts";

describeInBrowser("affiliates who have not agreed, in a browser", (dashboard) => {
  let place: Place;
  let ann: string;
  let bob: string;

  /** Ann has agreed, Bob has not answered, and the address of Cid is somebody else's. */
  beforeEach(async () => {
    place = await createPlace(dashboard.database);
    const { context } = place;
    const person = (first_name: string) => ({
      email: `${first_name.toLowerCase()}@example.com`,
      first_name,
      last_name: "Roe",
    });
    const partner = await addPartner(context, {}, person("Ann"));
    const { campaign_id } = partner;
    ann = partner.affiliate_id;
    bob = await addAffiliate(context, { campaign_id, ...person("Bob") });
    const cid = await addAffiliate(context, { campaign_id, ...person("Cid") });
    const { database } = dashboard;
    await database`update affiliates set agreed_at = now() where id = ${ann}`;
    await database`update affiliates set disowned_at = now() where id = ${cid}`;
  });

  const mailsTo = (id: string) =>
    dashboard.database`select kind, state from mails where affiliate_id = ${id} order by created_at`;

  const wait = (id: string, until: Date) =>
    dashboard.database`update mails set awaits_quota = true, due_at = ${until} where affiliate_id = ${id}`;

  /** The next midnight of UTC. */
  const tomorrow = () =>
    new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`);

  it("are named and filtered in the list, and invited from it", async () => {
    const { page, complaints } = await dashboard.open("/affiliates", { at: place });
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("Bob Roe").getByText("Active · not agreed").waitFor();
    await row("Cid Roe").getByText("Active · “Not mine”").waitFor();
    expect(await row("Ann Roe").getByText("not agreed").count()).toBe(0);
    await checkScreen(page, "affiliates-agreement");
    await page.getByRole("button", { name: "Agreement" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Not agreed yet" }).click();
    await expect.poll(() => page.url()).toContain("agreement=open");
    await row("Ann Roe").waitFor({ state: "detached" });
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("checkbox", { name: "Select Bob Roe", exact: true }).check();
    await page.getByRole("button", { name: "Send invitation" }).click();
    await page.getByText("Sending the invitation").waitFor();
    expect(await mailsTo(bob)).toEqual([{ kind: "affiliate_approved", state: "due" }]);
    await page.getByRole("button", { name: "Send invitation" }).click();
    await page.getByText("Nothing was sent").waitFor();
    expect(await mailsTo(bob)).toHaveLength(1);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("have a page that says what that means, whether they were invited, and invites them", async () => {
    const { page, complaints } = await dashboard.open(`/affiliates/${bob}`, { at: place });
    await page.getByText("The person has not agreed to be your affiliate yet").waitFor();
    await page.getByText("No invitation was emailed to this address").waitFor();
    await page.getByText("Not agreed yet", { exact: true }).waitFor();
    await checkScreen(page, "affiliate-not-agreed");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy invitation link" }).click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toBe(`${dashboard.service.url}/portal?program=${bob}`);
    await page.getByRole("button", { name: "Send invitation" }).click();
    await page.getByText("An invitation is being sent.").waitFor();
    expect(await page.getByRole("button", { name: "Send invitation" }).count()).toBe(0);
    expect(await mailsTo(bob)).toEqual([{ kind: "affiliate_approved", state: "due" }]);

    await dashboard.database`
      update mails set state = 'sent', due_at = null, finished_at = now() - interval '25 hours'
      where affiliate_id = ${bob}`;
    await page.reload();
    await page.getByText("An invitation was emailed:").waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("An invitation is being sent.").waitFor();
    expect(await mailsTo(bob)).toHaveLength(2);

    await dashboard.turn(page, `/affiliates/${ann}`, place);
    await page.getByText(/^Agreed · /).waitFor();
    expect(await page.getByText("has not agreed").count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "whose mails wait for the quota are on their page, in Health, and in what needs somebody",
    async () => {
      const { context } = place;
      const until = tomorrow();
      await dashboard.database`
      insert into mails (organization_id, kind, about, affiliate_id)
      values (${context.organization.id}, 'affiliate_approved', ${bob}, ${bob})`;
      await wait(bob, until);
      await dashboard.database`
      update organizations set onboarding_dismissed_at = now() where id = ${context.organization.id}`;
      const { page, complaints } = await dashboard.open(`/affiliates/${bob}`, {
        at: place,
        timezoneId: "UTC",
      });
      await page.getByText(/^An email to this affiliate waits until .*(00:00|12:00.AM)/).waitFor();
      expect(await page.getByText("An invitation is being sent.").count()).toBe(0);
      await checkScreen(page, "affiliate-mail-waits");
      await dashboard.turn(page, "", place);
      const need = page.getByRole("listitem").filter({ hasText: "Today’s quota of emails" });
      await need.getByText("1 email waits").waitFor();
      await checkScreen(page, "overview-mails-wait");
      await need.getByRole("link").click();
      await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
      await page.getByText(/^1 email waits until .*(00:00|12:00.AM)/).waitFor();
      await checkScreen(page, "health-mails-wait");
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );

  it("are named in the preview of a payout run, which pays them", async () => {
    const { context } = place;
    const [{ id: cid }] = await dashboard.database<[{ id: string }]>`
      select id from affiliates where disowned_at is not null and organization_id = ${context.organization.id}`;
    let number = 0;
    for (const affiliate_id of [ann, bob, cid]) {
      number += 1;
      const at = (days: number) => new Date(Date.now() - days * 86_400_000);
      const customer = { customer_id: `cus_${number}`, email: `customer${number}@example.com` };
      const click_ids = [await click(context, { affiliate_id, at: at(70) })];
      await report(
        context,
        checkout({ subject: `cs_${number}`, ...customer, click_ids, at: at(69) }),
        payment({ subject: `in_${number}`, ...customer, at: at(68) }),
      );
    }
    const { page, complaints } = await dashboard.open("/payouts/next", { at: place });
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("Bob Roe").getByText("not agreed", { exact: true }).waitFor();
    await row("Cid Roe").getByText("“Not mine”", { exact: true }).waitFor();
    expect(await row("Ann Roe").getByText("not agreed").count()).toBe(0);
    await checkScreen(page, "payouts-next-agreement");
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});
