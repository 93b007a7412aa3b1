import { openPortal } from "@findersfee/api/testing/portal/affiliate-browser";
import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import { buildPortal } from "@findersfee/portal/build";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { openWatched, showsInTime } from "@findersfee/ui/testing/watched-page";
import { MailServer } from "@findersfee/worker/testing/mail-server";
import { mailSender } from "@findersfee/worker/testing/mailing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDashboard } from "../../scripts/build.ts";
import { createPlace, fillPlace, type Place, visit } from "../program.ts";
import { dayAgo } from "./claims.ts";

const JANE = "jane@example.com";

describe.skipIf(!has_chromium)(`a missing sale in portal and dashboard${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let mails: MailServer;
  let place: Place;

  beforeAll(async () => {
    service = await startTestService({}, undefined, {
      dashboard: await buildDashboard(),
      portal: await buildPortal(),
    });
    browser = await borrowChromium();
    mails = await MailServer.start();
    place = await createPlace(service.database);
    await fillPlace(place);
    await service.database`
      insert into portal_accounts (email, language) values (${JANE}, 'de') on conflict (email) do nothing`;
  });

  afterAll(async () => {
    await mails?.close();
    await browser?.close();
    await service?.close();
  });

  async function openAsJane(path: string) {
    const { cookies } = await openPortal(service, JANE);
    const kept = [...cookies].map(([name, value]) => ({
      ...{ name, value, domain: "127.0.0.1", path: "/", expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: "Lax" as const },
    }));
    return await openWatched(browser, `${service.url}${path}`, {
      locale: "de-DE",
      storageState: { cookies: kept, origins: [] },
    });
  }

  it("is reported by the affiliate, accepted by the organization, and answered in the affiliate's language", async () => {
    const jane = await openAsJane("/portal/missing-sale");
    await jane.page.clock.install();
    await jane.page.reload({ waitUntil: "networkidle" });
    await jane.page.getByRole("textbox", { name: "E-Mail-Adresse" }).fill("customer7@example.com");
    await jane.page.getByLabel("Tag des Kaufs").fill(dayAgo(1));
    await jane.page.getByRole("textbox", { name: "Woran sieht man" }).fill("Bestellung 4711");
    await jane.page.getByRole("button", { name: "Verkauf melden" }).click();
    await jane.page.getByText("Wird geprüft").waitFor();

    const ann = await visit(browser, { service, place, path: `${place.home}/claims?state=open` });
    await ann.page.getByRole("row").filter({ hasText: "customer7@" }).getByRole("link").click();
    await ann.page.getByText("Bestellung 4711").waitFor();
    await ann.page.getByRole("button", { name: "Accept…" }).click();
    await ann.page.getByRole("textbox", { name: "Answer" }).fill("Danke für den Hinweis!");
    await ann.page.getByRole("button", { name: "Accept, $14.70" }).click();
    await ann.page.getByText("Jane Doe gets $14.70").waitFor();
    expect(ann.complaints).toEqual([]);

    await showsInTime(jane.page, jane.page.getByText("Anerkannt"));
    await jane.page.getByText("Danke für den Hinweis!").waitFor();
    await jane.page.getByRole("link", { name: "Zur Provision" }).waitFor();
    expect(jane.complaints).toEqual([]);

    await service.database`delete from mails where kind <> 'claim_decided'`;
    const sender = mailSender({ url: service.database_url }, mails);
    await sender.send();
    await sender.close();
    const [mail] = mails.received;
    expect(mail?.recipients).toEqual([JANE]);
    expect(mail?.headers.subject).toBe("Acme hat den von Ihnen gemeldeten Verkauf anerkannt");
    expect(mail?.text.replaceAll("\u00a0", " ")).toContain("Ihre Provision: 14,70 $");
    expect(mail?.text).toContain("> Danke für den Hinweis!");
  });
});
