import type { TestService } from "@findersfee/api/testing/test-service";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { payOut } from "@findersfee/domain/testing/ledger/program";
import { reportConversion } from "@findersfee/domain/tracking/report-conversion";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, type Earners, NOBODY } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const CUSTOMER = "lead@customers.test";

describe.skipIf(!has_chromium)(`leads in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let earners: Earners;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    earners = await createEarners(service.database);
    const { context } = earners;
    await service.database`update organizations set hold_days = 0 where id = ${context.organization.id}`;
    const [row] = await service.database<{ id: string; campaign_id: string }[]>`
      select id, campaign_id from affiliates
      where organization_id = ${context.organization.id} and email = ${NOBODY}`;
    await updateCampaign(context, {
      id: row?.campaign_id ?? "",
      lead_commissions: [
        { kind: "signup", amount: 2.5, daily_limit: null },
        { kind: "demo_booked", amount: 60, daily_limit: null },
      ],
    });
    const referral = {
      affiliate_id: row?.id ?? "",
      email: CUSTOMER,
      subscription_status: "signed_up",
    } as const;
    await createReferral(context, referral);
    await reportConversion(context, { kind: "demo_booked", email: CUSTOMER });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, locale: string) =>
    openSignedIn({ service, browser }, { email: NOBODY, path, locale });

  it("say in plain words what earned, in earnings and statements", async () => {
    const { page, complaints } = await open("/earnings", "en-US");
    await page.getByText("Sign-up", { exact: true }).waitFor();
    await checkPortalScreen(page, "earnings-leads");
    await page.getByText("demo booked", { exact: true }).waitFor();
    await page.getByRole("link", { name: CUSTOMER }).first().click();
    await page.getByText(`demo booked: ${CUSTOMER}`).waitFor();
    await page.getByText("Acme pays a fixed commission for this.").waitFor();
    await checkPortalScreen(page, "earning-lead");
    await payOut(earners.context, new Date().toISOString().slice(0, 7));
    await page.goto(`${service.url}/portal/payouts`);
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByText("demo booked", { exact: true }).waitFor();
    await checkPortalScreen(page, "statement-leads");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("are in German, too", async () => {
    const { page } = await open("/earnings", "de-DE");
    await page.getByText("Registrierung", { exact: true }).waitFor();
    await page.getByRole("link", { name: CUSTOMER }).last().click();
    await page.getByText(`Registrierung: ${CUSTOMER}`).waitFor();
    await page.getByText("Acme zahlt dafür eine feste Provision.").waitFor();
    await closePage(page);
  });
});
