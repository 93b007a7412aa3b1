import type { TestService } from "@findersfee/api/testing/test-service";
import { createAdjustment } from "@findersfee/domain/ledger/adjustments/create";
import { payOut } from "@findersfee/domain/testing/ledger/program";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, type Earners, NOBODY } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const CLAWBACK = "Refund of the order 4711, after its payout";
const BONUS = "Winner of the autumn contest";

describe.skipIf(!has_chromium)(`adjustments in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let earners: Earners;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    earners = await createEarners(service.database);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function adjust(amount: number, reason: string): Promise<void> {
    const { context } = earners;
    const [row] = await service.database<{ id: string }[]>`
      select id from affiliates where organization_id = ${context.organization.id} and email = ${NOBODY}`;
    await createAdjustment(context, { affiliate_id: row?.id ?? "", amount, reason });
  }

  it("say what is carried forward and why, and are lines of earnings and statements", async () => {
    await adjust(-12, CLAWBACK);
    const { page, complaints } = await openSignedIn(
      { service, browser },
      { email: NOBODY, path: "", locale: "en-US" },
    );
    await page.getByText("−$12.00 is carried forward. New earnings make up for it first.").waitFor();
    await page.getByRole("link", { name: CLAWBACK }).first().waitFor();
    await checkPortalScreen(page, "home-carried-forward");
    await page.getByRole("link", { name: CLAWBACK }).first().click();
    await page.getByRole("heading", { level: 1, name: "Adjustment of −$12.00" }).waitFor();
    await page.getByText("Acme adjusted your balance").waitFor();
    await checkPortalScreen(page, "earning-adjustment");
    await adjust(40, BONUS);
    await payOut(earners.context, new Date().toISOString().slice(0, 7));
    await page.goto(`${service.url}/portal/earnings`);
    await page.getByText(BONUS).waitFor();
    await page.getByText(CLAWBACK).waitFor();
    await checkPortalScreen(page, "earnings-adjustments");
    await page.goto(`${service.url}/portal/payouts`);
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByText("Commissions, reversals and adjustments").waitFor();
    await page.getByText(BONUS).waitFor();
    await page.getByText("−$12.00").waitFor();
    await checkPortalScreen(page, "statement-adjustments");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("are in German, too", async () => {
    const { page } = await openSignedIn(
      { service, browser },
      { email: NOBODY, path: "/earnings", locale: "de-DE" },
    );
    await page.getByText(BONUS).click();
    await page.getByText(/hat Ihren Saldo angepasst$/).waitFor();
    await page.getByRole("heading", { level: 1, name: /^Anpassung von/ }).waitFor();
    await closePage(page);
  });
});
