/* The settings of the portal: its look, its languages, its host name and its frames. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { PICTURES } from "@findersfee/domain/testing/portal/pictures";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { fitsWindow, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makePerson, typePassword } from "../identity/people.ts";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createPlace } from "../program.ts";

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
    await page.getByText("The file has 196 KiB; a logo may have 128.").waitFor();
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
    await page.getByText("Buttons keep it, with black text.").waitFor();
    expect(await colorOfPreview(page, "Light")).toBe("rgb(255, 238, 0)");
    await page.reload();
    await page.getByText("links use #787000.").waitFor();
    await expect.poll(() => color.inputValue()).toBe("#FFEE00");
    await page.getByRole("combobox", { name: "Languages" }).selectOption({ label: "German and English" });
    const origins = page.getByRole("textbox", { name: "Origins of these pages" });
    await origins.fill("https://app.example.com\nhttps://*.example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an origin on https").waitFor();
    await origins.fill("https://app.example.com\n https://other.example.com ");
    await save(page);
    const [saved] = await dashboard.database`
      select brand_color, languages, frame_origins from organizations where id = ${place.organization_id}`;
    expect(saved).toEqual({
      brand_color: "#ffee00",
      languages: ["de", "en"],
      frame_origins: ["https://app.example.com", "https://other.example.com"],
    });

    // The color picker does the same as typing.
    await page.getByLabel("Pick a color").fill("#1a0b2e");
    await page.getByText("#1a0b2e is too dark for text on black: links use #9385b1.").waitFor();
    expect(await colorOfPreview(page, "Dark")).toBe("rgb(26, 11, 46)");
    // Somebody else saves another color meanwhile.
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

  it.runIf(FULL_TESTS)("says what to do for a host name, and whether a request came there", async () => {
    const place = await createPlace(dashboard.database, "Host");
    const watched = await dashboard.open("/settings/portal", { at: place });
    const { page } = watched;
    await page
      .getByRole("textbox", { name: "Host name" })
      .fill("partners.example.com", { timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The service needs a public address first").waitFor();
    await dashboard.database`
      update organizations set portal_host = 'partners.example.com' where id = ${place.organization_id}`;
    await page.reload();
    await page.getByText("add a CNAME record for partners.example.com that leads to").waitFor();
    await page.getByText("Never", { exact: true }).waitFor();
    await dashboard.database`
      update organizations set portal_host_seen_at = '2026-11-20T09:30:00Z' where id = ${place.organization_id}`;
    await page.reload();
    await page.locator("time[datetime='2026-11-20T09:30:00.000Z']").waitFor();
    await finish(watched, ["400"]);
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
