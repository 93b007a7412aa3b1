import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addPartner, type Partner } from "@findersfee/domain/testing/attribution/program";
import { makeContext } from "@findersfee/domain/testing/subscriber";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const EMAIL = "rated@example.com";

describe.skipIf(!has_chromium)(`the rate of an affiliate${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let context: Awaited<ReturnType<typeof makeContext>>;
  let partner: Partner;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    context = await makeContext(service.database);
    partner = await addPartner(context, { name: "Rates" }, { email: EMAIL, ref_code: "rated" });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it("is told as the campaign's terms, then by its rules and the affiliate's own, in both languages", async () => {
    const open = (locale: string) => openSignedIn({ service, browser }, { email: EMAIL, path: "", locale });
    const before = await open("en-US");
    await before.page.getByRole("heading", { name: "Your rate" }).waitFor();
    await before.page.getByText(/^You earn 30% of each payment/).waitFor();
    await checkPortalScreen(before.page, "rate-of-campaign");
    expect(before.complaints).toEqual([]);
    await closePage(before.page);

    const { trpc } = await service.staff(context.organization.id);
    await trpc.campaigns.update.mutate({
      id: partner.campaign_id,
      lead_commissions: [
        { kind: "signup", amount: 5 },
        { kind: "demo_booked", amount: 12.5 },
      ],
      rules: [
        {
          ...{ name: "Hidden", conditions: { intervals: ["year"], countries: ["US"] } },
          reward: { type: "percentage", amount: 40 },
        },
      ],
    });
    await trpc.affiliate_rules.set.mutate({
      ...{ affiliate_ids: [partner.affiliate_id], note: "Hidden" },
      rules: [{ conditions: { payments: { to: 1 } }, reward: { type: "percentage", amount: 50 } }],
    });
    const english = await open("en-US");
    await english.page.getByText("50% of the first payment", { exact: true }).waitFor();
    await english.page.getByText("40% of yearly plans in the United States").waitFor();
    await english.page.getByText("For everything else:").waitFor();
    await english.page.getByText("You also earn $5.00 per sign-up and $12.50 per demo booked.").waitFor();
    await checkPortalScreen(english.page, "rate-own");
    expect(english.complaints).toEqual([]);
    await closePage(english.page);
    if (FULL_TESTS) {
      const german = await open("de-DE");
      await german.page.getByRole("heading", { name: "Ihr Satz" }).waitFor();
      await german.page.getByText("für die erste Zahlung").waitFor();
      await german.page.getByText("je Registrierung und").waitFor();
      await checkPortalScreen(german.page, "rate-own-german");
      expect(german.complaints).toEqual([]);
      await closePage(german.page);
    }

    await trpc.affiliate_rules.set.mutate({
      affiliate_ids: [partner.affiliate_id],
      rules: [{ conditions: {}, reward: { type: "percentage", amount: 60 } }],
    });
    await trpc.campaigns.update.mutate({
      ...{ id: partner.campaign_id, limit_type: "months", limit_amount: 12 },
    });
    const all = await open("en-US");
    await all.page.getByText("60% of every payment").waitFor();
    await all.page.getByText("Only the first 12 months of each customer count.").waitFor();
    expect(await all.page.getByText("40% of yearly plans").count()).toBe(0);
    const [row] = await context.database<{ slug: string }[]>`
      select slug from organizations where id = ${context.organization.id}`;
    await all.page.goto(`${service.url}/portal/${row?.slug}/${partner.campaign_id}/join`);
    await all.page.getByText("40% of yearly plans in the United States").waitFor();
    await all.page.getByText("For everything else:").waitFor();
    await all.page.getByText("You also earn $5.00 per sign-up").waitFor();
    await checkPortalScreen(all.page, "join-with-rules");
    expect(all.complaints).toEqual([]);
    await closePage(all.page);
  });
});
