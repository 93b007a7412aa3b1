import { mailedTo } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestClient, TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage, openWatched, setVisibility } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { join as de } from "../src/texts/de/join.ts";
import { join as en } from "../src/texts/en/join.ts";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";

const FIELDS = [
  { id: "site", label: "Your website", type: "text", options: [], required: true },
  { id: "plan", label: "How will you recommend us?", type: "textarea", options: [], required: false },
  { id: "size", label: "Readers a month", type: "select", options: ["Under 1,000", "More"], required: true },
  { id: "where", label: "Where?", type: "multi_select", options: ["Blog", "Newsletter"], required: true },
] as const;

/** The languages, with the words of other pages and components. */
const LANGUAGES = {
  en: {
    locale: "en-US",
    join: en,
    restored: "Restored",
    code: "Six-digit code",
    sign_in: "Sign in",
    waiting: "Acme is reviewing your application",
    edit: "Edit",
    save: "Save",
    saved: "Your changes are saved.",
  },
  de: {
    locale: "de-DE",
    join: de,
    restored: "Wiederhergestellt",
    code: "Sechsstelliger Code",
    sign_in: "Anmelden",
    waiting: "Acme prüft Ihre Bewerbung",
    edit: "Bearbeiten",
    save: "Speichern",
    saved: "Ihre Änderungen sind gespeichert.",
  },
};

type Language = keyof typeof LANGUAGES;

describe.skipIf(!has_chromium)(`joining${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let acme: TestClient;
  let slug: string;
  let campaign_id: string;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    acme = await addOrganization(service, "Acme");
    const { organization_id } = acme;
    [{ slug }] = await service.database<[{ slug: string }]>`
      update organizations set terms_url = 'https://acme.example/terms' where id = ${organization_id} returning slug`;
    const { data } = await acme.trpc.campaigns.list.query({});
    campaign_id = data[0]?.id ?? "";
    await acme.trpc.campaigns.update.mutate({
      id: campaign_id,
      approval_needed: true,
      limit_type: "months",
      limit_amount: 12,
      first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
      collect_details: true,
      details_text: "Tell us <b>more</b>",
      custom_fields: FIELDS.map((field) => ({ ...field, options: [...field.options] })),
    });
    await service.database`update campaigns set joining = 'listed' where id = ${campaign_id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, language: Language) =>
    openWatched(browser, `${service.url}/portal/${path}`, { locale: LANGUAGES[language].locale });

  const box = (page: Page, name: string) => page.getByRole("textbox", { name });

  /** Sends the form empty, then complete; returns with the step of the code. */
  async function apply(page: Page, { email, language }: { email: string; language: Language }) {
    const { join, restored } = LANGUAGES[language];
    const check = email === "jane-en@example.com" ? checkPortalScreen : checkPortalScreenAgain;
    const send = page.getByRole("button", { name: join.send });
    await check(page, `join-${language}`);
    await send.click();
    await page.getByText(join.check_fields).waitFor();
    await expect.poll(() => page.getByText(join.problems.required).count()).toBe(4);
    await page.getByText(join.problems.choose).waitFor();
    await page.getByText(join.problems.terms).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("first_name");
    await check(page, `join-refused-${language}`);
    await box(page, join.first_name).fill("x".repeat(10_000));
    await box(page, join.email).fill("jane");
    await send.click();
    await page.getByText(join.problems.email).waitFor();
    await page.getByText(join.problems.too_long("100")).waitFor();
    await box(page, join.first_name).fill("Jane");
    await box(page, join.email).fill(email);
    await box(page, "Your website").fill("jane.example");
    await page.getByLabel("Readers a month").selectOption("More");
    await page.getByLabel("Newsletter").check();
    await page.getByRole("checkbox", { name: join.terms }).check();
    // A reload keeps the typed texts.
    await page.reload();
    await page.getByText(restored).waitFor();
    await expect.poll(() => page.getByLabel("Newsletter").isChecked()).toBe(true);
    await send.click();
    await page.getByText(join.code_hint(email)).waitFor();
  }

  it.each(FULL_TESTS ? (["en", "de"] as const) : (["en"] as const))(
    "leads from the form to home while the page is open (%s)",
    async (language) => {
      const { join, restored, code, waiting, edit, save, saved } = LANGUAGES[language];
      const email = `jane-${language}@example.com`;
      const { page, complaints } = await open(slug, language);
      await page.getByRole("heading", { name: join.programs("Acme") }).waitFor();
      await checkPortalScreen(page, `programs-${language}`);
      await page.getByRole("link", { name: join.title("Partner program") }).click();
      await page.getByRole("heading", { name: join.title("Partner program") }).waitFor();
      await apply(page, { email, language });
      await checkPortalScreen(page, `join-code-${language}`);

      // The form stays for those who go back to it.
      await page.getByRole("button", { name: join.back }).click();
      await expect.poll(() => box(page, join.first_name).inputValue()).toBe("Jane");
      await page.getByRole("button", { name: join.send }).click();
      // The page asks for the code once another one was mailed: the one before no longer counts.
      await box(page, code).waitFor();
      await box(page, code).fill((await mailedTo(service, email)).code);
      await page.getByRole("heading", { name: waiting }).waitFor();
      await expect
        .poll(() => page.evaluate("JSON.stringify(Object.keys(sessionStorage))"))
        .not.toContain("draft");
      await checkPortalScreen(page, `waiting-${language}`);

      await page.getByRole("button", { name: edit }).click();
      await box(page, "Your website").fill("");
      await page.getByRole("button", { name: save }).click();
      await page.getByText(join.problems.required).waitFor();
      await box(page, "Your website").fill("janes-blog.example");
      await page.getByLabel("Blog", { exact: true }).check();
      await page.reload();
      await page.getByText(restored).waitFor();
      await checkPortalScreen(page, `waiting-edited-${language}`);
      await page.getByRole("button", { name: save }).click();
      await page.getByText(saved).waitFor();
      await page.getByText("Blog, Newsletter").waitFor();
      const { data } = await acme.trpc.affiliates.list.query({ email });
      expect(data[0]?.custom_fields[0]?.value).toBe("janes-blog.example");
      const [account] = await service.database`select language from portal_accounts where email = ${email}`;
      expect(account).toEqual({ language });

      await acme.trpc.affiliates.update.mutate({ id: data[0]?.id ?? "", approved: true });
      await page.getByText("acme.example/?via=").first().waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/portal\/?$/);
      expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
      await closePage(page);
    },
  );

  it("shows a program in the reader's language at its short address, and stores answers in the program's own", async () => {
    const globex = await addOrganization(service, "Globex");
    const [organization] = await service.database<[{ slug: string }]>`
      select slug from organizations where id = ${globex.organization_id}`;
    const { data } = await globex.trpc.campaigns.list.query({});
    const id = data[0]?.id ?? "";
    const [, , size, where] = FIELDS;
    await globex.trpc.campaigns.update.mutate({
      id,
      approval_needed: true,
      dashboard_text: "Read this",
      custom_fields: [size, where].map((field) => ({ ...field, options: [...field.options] })),
      translations: {
        de: {
          name: "Partnerprogramm",
          dashboard_text: "**Lesen** Sie das",
          custom_fields: [
            { id: "size", label: "Leser im Monat", options: ["Unter 1.000", "Mehr"] },
            { id: "where", options: ["Weblog", null] },
          ],
        },
      },
    });
    await service.database`update campaigns set joining = 'listed' where id = ${id}`;
    const { page, complaints } = await open(`${organization.slug}/join`, "de");
    await page.getByRole("heading", { name: de.title("Partnerprogramm") }).waitFor();
    await page.getByRole("textbox", { name: de.first_name }).fill("Jane");
    await box(page, de.email).fill("jane-own@example.com");
    await page.getByLabel("Leser im Monat").selectOption("Mehr");
    await page.getByLabel("Newsletter").check();
    await page.getByLabel("Weblog").check();
    await checkPortalScreenAgain(page, "join-translated");
    // The typed texts stay in another language.
    await page.getByRole("button", { name: "EN English" }).click();
    await page.getByRole("heading", { name: en.title("Partner program") }).waitFor();
    await expect.poll(() => page.getByLabel("Readers a month").inputValue()).toBe("More");
    await page.getByRole("button", { name: "DE Deutsch" }).click();
    await page.getByRole("button", { name: de.send }).click();
    await box(page, LANGUAGES.de.code).waitFor();
    await box(page, LANGUAGES.de.code).fill((await mailedTo(service, "jane-own@example.com")).code);
    await page.getByText("Weblog, Newsletter").waitFor();
    await page.getByText("Leser im Monat").waitFor();
    await checkPortalScreenAgain(page, "waiting-translated");
    const { data: affiliates } = await globex.trpc.affiliates.list.query({ email: "jane-own@example.com" });
    const [affiliate] = affiliates;
    expect(affiliate?.custom_fields).toEqual([
      { id: "size", label: "Readers a month", value: "More" },
      { id: "where", label: "Where?", value: "Blog, Newsletter" },
    ]);
    await globex.trpc.affiliates.update.mutate({ id: affiliate?.id ?? "", approved: true });
    await page.getByText("Lesen Sie das").waitFor();

    // With a second program, the short address has the list.
    const { id: second } = await globex.trpc.campaigns.create.mutate({
      name: "Agencies",
      website_url: "https://globex.example",
      commission_type: "percentage",
      commission_amount: 20,
    });
    await page.goto(`${service.url}/portal/${organization.slug}/join`);
    await page.getByRole("heading", { name: de.title("Partnerprogramm") }).waitFor();
    await service.database`update campaigns set joining = 'listed' where id = ${second}`;
    // Browsers have the list of before for a minute.
    const later = await open(`${organization.slug}/join`, "de");
    await later.page.getByRole("heading", { name: de.programs("Globex") }).waitFor();
    await later.page.getByRole("heading", { name: "Partnerprogramm" }).waitFor();
    await later.page.getByRole("heading", { name: "Agencies" }).waitFor();
    expect([...complaints, ...later.complaints].filter((text) => !text.includes("401"))).toEqual([]);
    await closePage(later.page);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "shows the reason as soon as the application is declined, and takes the link of the mail in another browser",
    async () => {
      const { sign_in, waiting, edit } = LANGUAGES.en;
      const email = "kim@example.com";
      const asking = await open(`${slug}/${campaign_id}/join`, "en");
      await apply(asking.page, { email, language: "en" });
      await closePage(asking.page);
      const { link } = await mailedTo(service, email);
      const { page, complaints } = await open(`sign-in/confirm#${link}`, "en");
      expect(await service.database`select from affiliates where email = ${email}`).toEqual([]);
      await page.getByRole("button", { name: sign_in }).click();
      await page.getByRole("heading", { name: waiting }).waitFor();
      const [{ id }] = await service.database<
        [{ id: string }]
      >`select id from affiliates where email = ${email}`;

      let asked = 0;
      page.on("request", (request) => {
        if (request.url().includes("me.get")) asked += 1;
      });
      await page.clock.install();
      await page.reload({ waitUntil: "networkidle" });
      await page.getByRole("heading", { name: waiting }).waitFor();
      await setVisibility(page, "hidden");
      const before = asked;
      await page.clock.runFor(60_000);
      expect(asked).toBe(before);
      await setVisibility(page, "visible");
      await expect.poll(() => asked).toBeGreaterThan(before);

      const { trpc } = await service.staff(acme.organization_id);
      await trpc.dashboard.affiliates.decline.mutate({
        ids: [id],
        reason: "We look for writers.",
        mail: false,
      });
      await page.clock.runFor(10_000);
      await page.getByText("We look for writers.").waitFor();
      await expect.poll(() => page.getByRole("button", { name: edit }).count()).toBe(0);
      await checkPortalScreen(page, "declined");

      await page.getByRole("button", { name: "Download or erase my data" }).click();
      await page.getByRole("button", { name: "Erase my data" }).waitFor();
      await checkPortalScreen(page, "declined-data");
      await page.getByRole("button", { name: "Erase my data" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill(email);
      await dialog.getByRole("button", { name: "Erase my data" }).click();
      await page.getByText("Your data was erased").waitFor();
      expect(await service.database`select from affiliates where email = ${email}`).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it("has no words about applications where none is reviewed", async () => {
    const update = (approval_needed: boolean) =>
      acme.trpc.campaigns.update.mutate({ id: campaign_id, approval_needed });
    await update(false);
    const { page } = await open(`${slug}/${campaign_id}/join`, "en");
    await page.getByRole("button", { name: "Join", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Your details" }).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/appl(y|ication)|review/i);
    await checkPortalScreen(page, "join-unreviewed");
    await update(true);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("says that a program is closed, also while its form or its code is open", async () => {
    const { join, code: code_field } = LANGUAGES.en;
    const path = `${slug}/${campaign_id}/join`;
    const { page } = await open(path, "en");
    await apply(page, { email: "lee@example.com", language: "en" });
    const { code } = await mailedTo(service, "lee@example.com");

    const [first] = FIELDS;
    const custom_fields = [{ ...first, options: [], id: "new", label: "Your country" }];
    await acme.trpc.campaigns.update.mutate({ id: campaign_id, custom_fields });
    await box(page, code_field).fill(code);
    await page.getByText(join.form_changed).waitFor();
    await checkPortalScreen(page, "join-changed");
    await box(page, "Your country").fill("Chile");
    await service.database`update campaigns set joining = 'closed' where id = ${campaign_id}`;
    await page.getByRole("button", { name: join.send }).click();
    await page.getByRole("heading", { name: join.closed }).waitFor();
    for (const address of ["nobody-has-this", `${slug}/${campaign_id}/join`, slug]) {
      await page.goto(`${service.url}/portal/${address}`);
      await page.getByRole("heading", { name: join.closed }).waitFor();
    }
    await checkPortalScreen(page, "join-closed");
    await closePage(page);
  });
});
