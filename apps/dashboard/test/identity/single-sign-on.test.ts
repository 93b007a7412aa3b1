/* Single sign-on from its settings to the way back, at a real provider. */
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from "@findersfee/api/testing/identity/single-sign-on/identity-provider";
import type { TestService } from "@findersfee/api/testing/test-service";
import { makeSetupLink } from "@findersfee/domain/identity/setup/links";
import { type NameServer, startNameServer } from "@findersfee/domain/testing/portal/name-server";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { openWatched } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finish } from "../in-browser.ts";
import { createPlace, startDashboard } from "../program.ts";
import { makePerson, PASSWORD, typePassword } from "./people.ts";

const DOMAIN = "acme.example";

describe.skipIf(!has_chromium)(`single sign-on${without_chromium}`, () => {
  let names: NameServer;
  let service: TestService;
  let provider: IdentityProvider;
  let browser: Browser;

  beforeAll(async () => {
    names = await startNameServer();
    service = await startDashboard({
      dns_servers: [names.address],
      sign_in_providers: { allow_http: true, allow_private: true },
    });
    provider = await startIdentityProvider(`${service.url}/auth/single-sign-on/callback`);
    browser = await borrowChromium();
  });

  afterAll(async () => {
    await browser.close();
    await provider.close();
    await service.close();
    await names.close();
  });

  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const open = (path: string) => openWatched(browser, `${service.url}${path}`);

  /** Signs in at the provider, from the page for signing in. */
  async function continueAtProvider(page: Page, email: string): Promise<void> {
    await page.getByRole("link", { name: "Continue with single sign-on" }).click();
    await heading(page, "Single sign-on");
    await page.getByRole("textbox", { name: "Work email" }).fill(email);
    await press(page, "Continue");
  }

  it("is set up, used, required, and not needed by an owner while the provider is down", async () => {
    const place = await createPlace(service.database);
    const { home, organization_id } = place;
    const jane = await makePerson(service, place, { name: "Jane Doe", role: "owner" });
    const owner_email = `jane@${DOMAIN}`;
    await service.database`update users set email = ${owner_email} where id = ${jane.user_id}`;
    const settings = await open(`/sign-in?to=${encodeURIComponent(`${home}/settings/single-sign-on`)}`);
    const { page } = settings;
    await typePassword(page, owner_email);
    await heading(page, "Single sign-on");
    await checkScreen(page, "single-sign-on-new");

    await page.getByRole("textbox", { name: "Issuer" }).fill(`${provider.issuer}/elsewhere`);
    await page.getByRole("textbox", { name: "Client ID" }).fill(CLIENT.client_id);
    await page.getByLabel("Client secret", { exact: true }).fill(CLIENT.client_secret);
    await press(page, "Save changes");
    await page.getByText("The provider does not describe itself there, at").waitFor();
    await checkScreen(page, "single-sign-on-refused");
    await page.getByRole("textbox", { name: "Issuer" }).fill(provider.issuer);
    await press(page, "Save changes");
    await page.getByRole("heading", { name: "Email domains" }).waitFor();
    // Sent again, it would be a new secret, which must prove itself.
    expect(await page.getByLabel("Client secret", { exact: true }).inputValue()).toBe("");
    await page.getByRole("textbox", { name: "Domain" }).fill(DOMAIN);
    await press(page, "Add");
    await page.getByText("Not verified").waitFor();
    await press(page, "Check now");
    await page.getByText("The record was not found.").waitFor();
    await checkScreen(page, "single-sign-on-unproven");
    names.records.set(`_findersfee.${DOMAIN}`, [`findersfee=${organization_id}`]);
    await press(page, "Check now");
    await page.getByText("Verified", { exact: true }).waitFor();
    await checkScreen(page, "single-sign-on-proven");

    const email = `kim@${DOMAIN}`;
    provider.accounts.set(email, { sub: "kim", email, email_verified: true, name: "Kim Roe" });
    const member = await open(`/sign-in?to=${encodeURIComponent(`${home}/affiliates`)}`);
    await checkScreen(member.page, "single-sign-on-entrance");
    await continueAtProvider(member.page, `stranger@${DOMAIN}`);
    await member.page.getByText("Your identity provider did not let you in.").waitFor();
    await checkScreen(member.page, "single-sign-on-denied");
    await continueAtProvider(member.page, email);
    await heading(member.page, "Affiliates");
    await checkScreen(member.page, "single-sign-on-signed-in");
    await finish(member, [provider.issuer, "401"]);

    await page.reload();
    await press(page, "Require single sign-on");
    await page.getByText("Required", { exact: true }).waitFor();
    await checkScreen(page, "single-sign-on-required");
    await finish(settings, ["400"]);

    await provider.close();
    const back = await open(`/sign-in?to=${encodeURIComponent(`${home}/settings/single-sign-on`)}`);
    await typePassword(back.page, owner_email);
    await heading(back.page, "This organization requires single sign-on");
    await checkScreen(back.page, "single-sign-on-needed");
    await back.page.getByRole("link", { name: "Continue with single sign-on" }).click();
    await back.page.getByRole("textbox", { name: "Work email" }).fill(owner_email);
    await press(back.page, "Continue");
    await back.page.getByText("Your identity provider does not answer as it should.").waitFor();
    await checkScreen(back.page, "single-sign-on-down");
    const { token } = await makeSetupLink(service.database, owner_email);
    await back.page.goto("about:blank");
    await back.page.goto(`${service.url}/setup#${token}`);
    await back.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await checkScreen(back.page, "single-sign-on-link");
    await press(back.page, "Finish");
    await heading(back.page, "Get started");
    await back.page.goto(`${service.url}${home}/settings/single-sign-on`);
    await press(back.page, "Stop requiring it");
    await back.page.getByText("Optional", { exact: true }).waitFor();
    await finish(back, ["403", "502", "503", "500"]);
  });
});
