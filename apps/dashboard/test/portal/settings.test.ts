/* The settings of the portal: its look, its languages, its host name and its frames. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { startNameServer } from "@findersfee/domain/testing/portal/name-server";
import { PICTURES } from "@findersfee/domain/testing/portal/pictures";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import { fitsWindow, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makePerson, typePassword } from "../identity/people.ts";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createPlace, startDashboard, visit } from "../program.ts";

describeInBrowser("the settings of the portal", (dashboard) => {
  const choose = (page: Page, name: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer });

  const save = async (page: Page) => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
  };

  const colorOfPreview = (page: Page, theme: "Light" | "Dark") =>
    page.evaluate(`
      [...document.querySelectorAll("figure")].filter((one) => one.textContent.startsWith("${theme}"))
        .map((one) => getComputedStyle(one.querySelector(".bg-solid")).backgroundColor)[0]`);

  it.runIf(FULL_TESTS)("takes a logo, and says why it refuses one", async () => {
    const place = await createPlace(dashboard.database, "Logo");
    const watched = await dashboard.open("/settings/portal", { at: place });
    const { page } = watched;
    await page.getByText("No logo yet").waitFor({ timeout: LOAD_MILLISECONDS });
    await choose(page, "large.png", Buffer.alloc(200_000));
    await page.getByText("The file is 196 KiB; the limit is 128.").waitFor();
    await choose(page, "page.png", Buffer.from("<svg onload=alert(1)>"));
    await page.getByRole("alert").getByText("PNG").waitFor();
    await choose(page, "logo.png", Buffer.from(PICTURES.png, "base64"));
    await page.getByText("Logo saved").waitFor();
    await expect.poll(() => page.getByRole("img", { name: "Logo of Logo" }).count()).toBe(2);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No logo yet").waitFor();
    await finish(watched, ["400"]);
  });

  it("shows what becomes of a color, saves it with the languages and frames, and keeps a draft of it", async () => {
    const place = await createPlace(dashboard.database, "Color");
    const watched = await dashboard.open("/settings/portal", { at: place });
    const { page } = watched;
    const color = page.getByRole("textbox", { name: "Brand color" });
    await color.fill("yellow", { timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be # and six hexadecimal digits").waitFor();
    await color.fill("#FFEE00");
    await page.getByText("#ffee00 is too light for text on white: links use #787000.").waitFor();
    await page.getByText("Buttons use it, with black text.").waitFor();
    expect(await colorOfPreview(page, "Light")).toBe("rgb(255, 238, 0)");
    await page.reload();
    await page.getByText("links use #787000.").waitFor();
    await expect.poll(() => color.inputValue()).toBe("#FFEE00");
    await page.getByRole("combobox", { name: "Languages" }).selectOption({ label: "German and English" });
    await page.getByRole("textbox", { name: "Imprint" }).fill("https://example.com/imprint");
    const privacy = page.getByRole("textbox", { name: "Privacy policy" });
    await privacy.fill("http://example.com/privacy");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an https address.").waitFor();
    await privacy.fill("https://example.com/privacy");
    const origins = page.getByRole("textbox", { name: "Allowed origins" });
    await origins.fill("https://app.example.com\nhttps://*.example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an origin on https").waitFor();
    await origins.fill("https://app.example.com\n https://other.example.com ");
    await save(page);
    const [saved] = await dashboard.database`
      select brand_color, imprint_url, privacy_url, languages, frame_origins from organizations where id = ${place.organization_id}`;
    expect(saved).toEqual({
      brand_color: "#ffee00",
      imprint_url: "https://example.com/imprint",
      privacy_url: "https://example.com/privacy",
      languages: ["de", "en"],
      frame_origins: ["https://app.example.com", "https://other.example.com"],
    });

    // The color picker does the same as typing.
    await page.getByLabel("Pick a color").fill("#1a0b2e");
    await page.getByText("#1a0b2e is too dark for text on black: links use #9385b1.").waitFor();
    expect(await colorOfPreview(page, "Dark")).toBe("rgb(26, 11, 46)");
    // Another person saves another color in the meantime.
    await dashboard.database`
      update organizations set brand_color = '#00aa88' where id = ${place.organization_id}`;
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("#00aa88").waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await fitsWindow(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${dashboard.service.url}${place.home}/settings/history`);
    await page.locator("summary").first().click();
    await page.getByRole("row", { name: /^Languages .*German/ }).waitFor();
    await finish(watched, ["400"]);
  });

  it("says which records a host name needs, and whether it is proven, failing or no longer served", async () => {
    const place = await createPlace(dashboard.database, "Host");
    const watched = await dashboard.open("/settings/portal", { at: place });
    const { page } = watched;
    await page
      .getByRole("textbox", { name: "Portal domain" })
      .fill("partners.example.com", { timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The service needs a public address first").waitFor();
    let checked = 0;
    const show = async (columns: Record<string, string | null>, title: string) => {
      await dashboard.database`
        update organizations set ${dashboard.database(columns)} where id = ${place.organization_id}`;
      await page.reload();
      await page.getByText(title).waitFor();
      checked += 1;
      await (checked === 1 ? checkScreen : checkScreenAgain)(page, `portal-host-${checked}`);
    };
    await show({ portal_host_wanted: "partners.example.com" }, "partners.example.com is not verified yet");
    await page.getByText("_findersfee.partners.example.com", { exact: true }).waitFor();
    await page.getByText(`findersfee=${place.organization_id}`, { exact: true }).waitFor();
    for (const part of ["Name", "Value", "Target"]) {
      expect(await page.getByRole("button", { name: `Copy: ${part}` }).count(), part).toBe(1);
    }
    await page.getByText("Add a CNAME record for partners.example.com.").waitFor();
    expect(await page.getByRole("link", { name: "https://partners.example.com/portal" }).count()).toBe(0);
    const at = "2026-11-20T09:30:00.000Z";
    await show({ portal_host_checked_at: at, portal_host_failure: "missing" }, "found no TXT record");
    await page.locator(`time[datetime='${at}']`).waitFor();
    await show({ portal_host_failure: "different" }, "another organization’s ID");
    await show({ portal_host_failure: "unanswered" }, "name servers did not answer");
    await show(
      { portal_host_failure: null, portal_host_proven_at: at, portal_host_seen_at: at },
      "The portal is served at partners.example.com",
    );
    expect(await page.locator(`time[datetime='${at}']`).count()).toBe(3);
    await show(
      { portal_host_failure: "missing", portal_host_failing_since: at },
      "The record of partners.example.com is missing",
    );
    await page.locator("time[datetime='2026-11-27T09:30:00.000Z']").waitFor();
    await show({ portal_host_proven_at: null }, "The portal is no longer served at partners.example.com");
    await show(
      { portal_host_proven_at: at, portal_host_failing_since: null, portal_host_unreachable_since: at },
      "The portal does not answer at partners.example.com",
    );
    await page.getByText("Not answering since").locator(`time[datetime='${at}']`).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await fitsWindow(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)(
    "says whether links work at their host name, and when its cookies are set",
    async () => {
      const place = await createPlace(dashboard.database, "Links");
      const show = async (columns: Record<string, string | null>, title: string, picture: string) => {
        await dashboard.database`
        update organizations set ${dashboard.database(columns)} where id = ${place.organization_id}`;
        await page.reload();
        await page.getByText(title).waitFor();
        await checkScreenAgain(page, picture);
      };
      const watched = await dashboard.open("/settings/portal", { at: place });
      const { page } = watched;
      await page.getByRole("textbox", { name: "Link domain" }).waitFor({ timeout: LOAD_MILLISECONDS });
      const at = "2026-11-20T09:30:00.000Z";
      await show({ link_host_wanted: "go.example.com" }, "go.example.com is not verified yet", "link-host-1");
      await show(
        { link_host_proven_at: at, link_host_checked_at: at },
        "The service does not answer at go.example.com yet",
        "link-host-2",
      );
      await show({ link_url: "https://go.example.com" }, "Links work at go.example.com", "link-host-3");
      await page.getByText("https://go.example.com/jane", { exact: true }).waitFor();
      await show(
        { link_url: null, link_host_answered_at: at, link_host_unreachable_since: at },
        "Links at go.example.com do not answer",
        "link-host-unreachable",
      );
      await page.getByText("Then click “Check links now”").waitFor();
      await dashboard.database`
      update organizations set onboarding_dismissed_at = now() where id = ${place.organization_id}`;
      await page.goto(`${dashboard.service.url}${place.home}`);
      await page.getByText("Links at go.example.com do not answer").waitFor();
      await page.getByText("check its DNS, its certificate and the reverse proxy").waitFor();
      await checkScreenAgain(page, "overview-unreachable");
      await page.goBack();
      await show(
        { link_host_failing_since: at, link_host_failure: "missing", link_url: null },
        "The record of go.example.com is missing",
        "link-host-4",
      );
      await show({ link_host_proven_at: null }, "Links no longer work at go.example.com", "link-host-5");
      await page.getByRole("checkbox", { name: "Set the cookie when a link is opened" }).check();
      await page.getByRole("button", { name: "Save" }).click();
      await expect
        .poll(
          async () =>
            (
              await dashboard.database`select link_cookies from organizations where id = ${place.organization_id}`
            )[0]?.link_cookies,
        )
        .toBe(true);
      await page.setViewportSize({ width: 320, height: 700 });
      await fitsWindow(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await finish(watched);
    },
  );

  it("checks the record when it is asked to", async () => {
    const names = await startNameServer();
    const service = await startDashboard({ dns_servers: [names.address] });
    const place = await createPlace(service.database, "Check");
    await service.database`
      update organizations set portal_host_wanted = 'partners.acme.com' where id = ${place.organization_id}`;
    const watched = await visit(dashboard.browser, {
      service,
      place,
      path: `${place.home}/settings/portal`,
    });
    const { page } = watched;
    try {
      const check = page.getByRole("button", { name: "Check now" });
      await check.click({ timeout: LOAD_MILLISECONDS });
      await page.getByText("The last check found no TXT record").waitFor();
      names.records.set("_findersfee.partners.acme.com", [`findersfee=${place.organization_id}`]);
      await check.click();
      await page.getByText("The portal is served at partners.acme.com").waitFor();
      await finish(watched);
    } finally {
      await service.close();
      await names.close();
    }
  });

  it.runIf(FULL_TESTS)("shows a viewer everything, and lets them change nothing", async () => {
    const place = await createPlace(dashboard.database, "View");
    const viewer = await makePerson(dashboard.service, place, { name: "Jill Doe", role: "viewer" });
    const address = `${dashboard.service.url}/sign-in?to=${place.home}/settings/portal`;
    const watched = await openWatched(dashboard.browser, address);
    const { page } = watched;
    await typePassword(page, viewer.email);
    await page.getByText("An admin or owner can change these settings.").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Brand color" }).isDisabled()).toBe(true);
    for (const name of ["Save", "Upload a logo"]) {
      await expect.poll(() => page.getByRole("button", { name }).count(), { message: name }).toBe(0);
    }
    await finish(watched);
  });
});
