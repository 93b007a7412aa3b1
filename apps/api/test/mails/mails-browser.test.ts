import { affiliateApproved } from "@findersfee/domain/mails/affiliate-approved";
import { mailHtml } from "@findersfee/domain/mails/html";
import { newPaidReferral } from "@findersfee/domain/mails/new-paid-referral";
import { payoutEmailChanged } from "@findersfee/domain/mails/payout-email-changed";
import { payoutPaid } from "@findersfee/domain/mails/payout-paid";
import { payoutsFailed } from "@findersfee/domain/mails/payouts-failed";
import { portalCode } from "@findersfee/domain/mails/portal-code";
import { unsubscribeKey, unsubscribeToken } from "@findersfee/domain/mails/unsubscribe-token";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../program.ts";
import { ENDPOINT_POLICY, sharedTestService, type TestService } from "../test-service.ts";

const NARROW = { width: 400, height: 800 };
const LONG = "Averylongnamewithoutanyspacesthatgoesonandonandonandonforalongtime";
const EVIL = `<img src="https://evil.example/x.png" onerror="document.title='evil'">`;

const shared = { organization_name: `Acme ${LONG}`, first_name: EVIL };
const payout = { affiliate_name: LONG, amount_minor: 12_000n, currency: "USD", period: "2026-11" };
const MAILS = {
  "affiliate approved": affiliateApproved(
    {
      ...shared,
      campaign_name: LONG,
      welcome_message: `${EVIL}\n${LONG}`,
      links: [`https://example.com/${LONG}?via=${LONG}`],
      promo_codes: [LONG],
      is_code_pending: false,
    },
    "de",
  ),
  "new paid referral": newPaidReferral(
    {
      ...shared,
      campaign_name: LONG,
      website_url: null,
      customer: `${LONG}@${LONG}.example`,
      commission_minor: 99_999_999_999_999n,
      currency: "KWD",
      payable_at: new Date("2026-09-30"),
      in_review: true,
      time_zone: "UTC",
      unsubscribe_url: `https://example.com/${LONG}`,
    },
    "de",
  ),
  "payout paid": payoutPaid(
    {
      ...shared,
      ...payout,
      id: "019a0000-0000-7000-8000-000000000000",
      payment_count: 12,
      method: "paypal",
      payout_email: `${LONG}@example.com`,
      paid_at: new Date("2026-09-30"),
      time_zone: "America/Argentina/ComodRivadavia",
    },
    "de",
  ),
  "payout email changed": payoutEmailChanged(
    {
      ...shared,
      support_email: null,
      campaign_name: LONG,
      email: `${LONG}@example.com`,
      former_email: null,
      changed_at: new Date("2026-09-30"),
      time_zone: "America/Argentina/ComodRivadavia",
      url: null,
    },
    "de",
  ),
  "code for the portal": portalCode(
    {
      organization_name: `${EVIL} ${LONG}`,
      campaign_name: `${LONG} ${EVIL}`,
      code: "123456",
      url: `https://example.com/${LONG}`,
    },
    "de",
  ),
  "payouts failed": payoutsFailed({
    ...shared,
    count: 7,
    payouts: [
      { ...payout, status_reason: LONG, is_erased: true },
      { ...payout, affiliate_name: EVIL, status_reason: EVIL, is_erased: false },
    ],
  }),
};

let browser: Browser;

describe.skipIf(!has_chromium)(`in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    browser = await borrowChromium();
  });

  afterAll(() => browser?.close());

  async function overflowOf(page: Page): Promise<unknown> {
    return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  /** The colors behind and in front of the heading, from 0 (black) to 1. */
  async function lightnessOf(page: Page): Promise<{ card: number; heading: number }> {
    const [card = "", heading = ""] = (await page.evaluate(
      `[getComputedStyle(document.querySelector(".card")).backgroundColor, getComputedStyle(document.querySelector("h1")).color]`,
    )) as string[];
    return { card: lightness(card), heading: lightness(heading) };
  }

  function lightness(color: string): number {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
    return (red + green + blue) / 3 / 255;
  }

  it.each(Object.entries(MAILS))("shows the mail “%s” narrow, light and dark", async (_, content) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ colorScheme, viewport: NARROW });
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.setContent(mailHtml({ footer: [], ...content }));
      expect(await overflowOf(page)).toBe(0);
      const { card, heading } = await lightnessOf(page);
      if (colorScheme === "light") expect(card - heading).toBeGreaterThan(0.7);
      else expect(heading - card).toBeGreaterThan(0.7);
      await expect.poll(() => page.evaluate("document.querySelectorAll('img, script').length")).toBe(0);
      expect(requests).toEqual([]);
      await page.close();
    }
  });

  it("turns notifications off with the page's button", async () => {
    let service: TestService | null = null;
    try {
      service = await sharedTestService();
      const { organization, affiliate } = await createProgram(service);
      const token = unsubscribeToken(unsubscribeKey(ENDPOINT_POLICY.secrets_key), {
        organization_id: organization.organization_id,
        affiliate_id: affiliate.id,
      });
      const page = await browser.newPage({ viewport: NARROW });
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(`${service.url}/unsubscribe/${token}`);
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("button", { name: "Turn off these emails" }).click();
      await page.getByRole("heading", { name: "Referral notifications are off" }).waitFor();
      // The browser requests an icon on its own.
      expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
      const { body } = await organization.rest("GET", `/affiliates/${affiliate.id}`);
      expect(body.data.new_paid_referral_notifications).toBe(false);
    } finally {
      await service?.close();
    }
  });
});
