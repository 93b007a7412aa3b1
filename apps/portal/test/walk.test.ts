/* The way of an affiliate, in English and in German: from the program's page to the statement of a payout. */

import { mailedTo } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestClient, TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { genericHeaders, STRIPE_SECRET, stripeHeaders } from "@findersfee/domain/testing/processors/signed";
import { stripeSale } from "@findersfee/domain/testing/processors/stripe/sale";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { openWatched, showsInTime } from "@findersfee/ui/testing/watched-page";
import { startTestWorker } from "@findersfee/worker/testing/test-worker";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claims as claims_de } from "../src/texts/de/claims.ts";
import { frame as frame_de } from "../src/texts/de/frame.ts";
import { home as home_de } from "../src/texts/de/home.ts";
import { join as join_de } from "../src/texts/de/join.ts";
import { payouts as payouts_de } from "../src/texts/de/payouts.ts";
import { sign_in as sign_in_de } from "../src/texts/de/sign-in.ts";
import { claims } from "../src/texts/en/claims.ts";
import { frame } from "../src/texts/en/frame.ts";
import { home } from "../src/texts/en/home.ts";
import { join } from "../src/texts/en/join.ts";
import { payouts } from "../src/texts/en/payouts.ts";
import { sign_in } from "../src/texts/en/sign-in.ts";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreenAgain } from "./screens.ts";

/** The user agent of a person's browser: clicks of automatic browsers do not count. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
const JANE = "jane@example.com";
const BUYER = "kim@example.com";
const UNTRACKED = "lee@example.com";

const LANGUAGES = {
  en: {
    locale: "en-US",
    texts: { claims, frame, home, join, payouts, sign_in },
    waiting: "Acme is reviewing your application",
    amounts: { commission: "$14.70", sum: "$44.10" },
  },
  de: {
    locale: "de-DE",
    texts: {
      claims: claims_de,
      frame: frame_de,
      home: home_de,
      join: join_de,
      payouts: payouts_de,
      sign_in: sign_in_de,
    },
    waiting: "Acme prüft Ihre Bewerbung",
    amounts: { commission: /14,70\s\$/, sum: /44,10\s\$/ },
  },
};

type Walked = (typeof LANGUAGES)["en" | "de"];

/** The day, as date fields have it. */
const today = () => new Date().toISOString().slice(0, 10);

describe.skipIf(!has_chromium)(`the way of an affiliate${without_chromium}`, () => {
  let service: TestService;
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    const { database, database_url: url } = service;
    worker = await startTestWorker(
      { database, url, close: async () => {} },
      { secrets_key: Buffer.alloc(32) },
    );
    browser = await borrowChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await worker?.stop();
    await service?.close();
  });

  const box = (page: Page, name: string) => page.getByRole("textbox", { name });

  /** An organization that pays without a holding period, and approves each affiliate itself. */
  async function openProgram() {
    const acme = await addOrganization(service, "Acme");
    const { trpc } = await service.staff(acme.organization_id);
    await trpc.dashboard.settings.update.mutate({ hold_days: 0 });
    const campaign = (await acme.trpc.campaigns.list.query({})).data[0];
    await acme.trpc.campaigns.update.mutate({ id: campaign?.id ?? "", approval_needed: true });
    const [{ slug }] = await service.database<[{ slug: string }]>`
      update organizations set languages = '{en,de}' where id = ${acme.organization_id} returning slug`;
    await service.database`update campaigns set joining = 'listed' where id = ${campaign?.id ?? ""}`;
    const stripe = { name: "stripe", signing_secret: STRIPE_SECRET, livemode: false } as const;
    await trpc.dashboard.processors.connect.mutate(stripe);
    const biller = await trpc.dashboard.processors.connect.mutate({ name: "generic" });
    return { acme, slug, trpc, biller_secret: biller.signing_secret };
  }

  type Program = Awaited<ReturnType<typeof openProgram>>;

  /** A customer follows the affiliate's link, and pays Stripe. */
  async function buy({ organization_id, publishable_key }: TestClient, code: string): Promise<void> {
    const link = `${service.url}/r/${code}?key=${publishable_key}`;
    const followed = await fetch(link, { redirect: "manual", headers: { "user-agent": USER_AGENT } });
    const click_id = new URL(followed.headers.get("location") ?? "").searchParams.get("ff_click");
    for (const body of stripeSale(click_id ?? "")) {
      await send(`stripe/${organization_id}`, body, stripeHeaders(body));
    }
  }

  /** Two payments of a customer who was not referred, reported by another biller. */
  async function payUntracked({ acme, biller_secret }: Program): Promise<void> {
    for (const payment_id of ["p_1", "p_2"]) {
      const data = { customer_id: "c_1", email: UNTRACKED, payment_id, currency: "USD", revenue_amount: 49 };
      const body = JSON.stringify({ type: "payment", occurred_at: new Date(), data });
      const headers = genericHeaders(body, { id: `m_${payment_id}`, secret: biller_secret });
      await send(`generic/${acme.organization_id}`, body, headers);
    }
  }

  async function send(path: string, body: string, headers: Record<string, string>): Promise<void> {
    const answer = await fetch(`${service.url}/processors/${path}`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  }

  async function joinProgram(page: Page, { texts, waiting }: Walked, email: string): Promise<void> {
    await page.getByRole("link", { name: texts.join.title("Partner program") }).click();
    await box(page, texts.join.first_name).fill("Jane");
    await box(page, texts.join.last_name).fill("Doe");
    await box(page, texts.join.email).fill(email);
    await page.getByRole("button", { name: texts.join.send }).click();
    await box(page, texts.sign_in.code).waitFor();
    expect(await service.database`select from affiliates where email = ${email}`).toEqual([]);
    await box(page, texts.sign_in.code).fill((await mailedTo(service, email)).code);
    await page.getByRole("heading", { name: waiting }).waitFor();
  }

  async function signInAgain(page: Page, { texts }: Walked, email: string): Promise<void> {
    const menu = page.getByRole("button", { name: texts.frame.menu });
    const sign_out = page.getByRole("button", { name: texts.frame.sign_out });
    // The page follows the decision, which closes the menu.
    await expect
      .poll(
        async () => {
          if (!(await sign_out.isVisible())) await menu.click({ timeout: 2_000 });
          await sign_out.click({ timeout: 2_000 });
          return true;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    await page.getByRole("heading", { name: texts.sign_in.title }).waitFor();
    await box(page, texts.sign_in.email).fill(email);
    await page.getByRole("button", { name: texts.sign_in.send_code }).click();
    await box(page, texts.sign_in.code).waitFor();
    await box(page, texts.sign_in.code).fill((await mailedTo(service, email)).code);
    await page.getByRole("heading", { level: 1, name: texts.frame.home }).waitFor();
  }

  /** Reports a sale on the page; the organization accepts it in the dashboard. */
  async function claim(page: Page, { texts }: Walked, { trpc }: Program): Promise<void> {
    await page.getByRole("button", { name: texts.frame.menu }).click();
    await page.getByRole("link", { name: texts.frame.missing_sale }).click();
    await box(page, texts.claims.email).fill(UNTRACKED);
    await page.getByLabel(texts.claims.day).fill(today());
    await box(page, texts.claims.note).fill("Lee read my newsletter.");
    await page.getByRole("button", { name: texts.claims.send }).click();
    await page.getByText(texts.claims.received).waitFor();
    const { data } = await trpc.dashboard.claims.list.query({});
    const id = data[0]?.id ?? "";
    const { payments } = await trpc.dashboard.claims.get.query({ id });
    const chosen = { id, payment_decision_id: payments[0]?.id ?? "" };
    const { version } = await trpc.dashboard.claims.preview.mutate(chosen);
    await trpc.dashboard.claims.accept.mutate({ ...chosen, version });
    await showsInTime(page, page.getByText(texts.claims.states.accepted, { exact: true }));
  }

  /** The organization pays the due amounts. */
  async function pay({ trpc, acme }: Program): Promise<void> {
    await trpc.dashboard.payout_runs.start.mutate({ method: "manual" });
    const listed = async () => (await acme.trpc.payouts.list.query({})).data;
    await expect.poll(async () => (await listed()).length).toBe(1);
    const ids = (await listed()).map(({ id }) => id);
    await trpc.dashboard.payouts.move.mutate({ ids, status: "paid", through_processing: true });
  }

  it.each(FULL_TESTS ? (["en", "de"] as const) : (["en"] as const))(
    "leads from the program's page to the statement of a payout (%s)",
    async (name) => {
      const walked = LANGUAGES[name];
      const { texts, amounts } = walked;
      const email = `${name}-${JANE}`;
      const program = await openProgram();
      const { acme, trpc, slug } = program;
      const { page, complaints } = await openWatched(browser, `${service.url}/portal/${slug}`, {
        locale: walked.locale,
      });
      // Each wait for the next question of an open page would take ten seconds.
      await page.clock.install();
      await page.reload({ waitUntil: "networkidle" });
      await joinProgram(page, walked, email);
      const [affiliate] = (await acme.trpc.affiliates.list.query({ email })).data;
      await trpc.dashboard.affiliates.approve.mutate({ ids: [affiliate?.id ?? ""] });
      await showsInTime(page, page.getByRole("heading", { level: 1, name: texts.frame.home }));
      await signInAgain(page, walked, email);

      // A paid invoice arrives while the page is open.
      await buy(acme, affiliate?.links[0]?.code ?? "");
      await showsInTime(page, page.getByRole("link", { name: BUYER }));
      await page.getByText(amounts.commission).first().waitFor();
      await checkPortalScreenAgain(page, `walk-home-${name}`);

      await payUntracked(program);
      await expect
        .poll(async () => (await trpc.dashboard.payments.list.query({ text: "p_2" })).data.length)
        .toBe(1);
      await claim(page, walked, program);

      await pay(program);
      await page.getByRole("link", { name: texts.frame.payouts }).first().click();
      await page
        .getByRole("link", { name: /2026|20\d\d/ })
        .first()
        .click();
      await page.getByRole("heading", { level: 1, name: texts.payouts.statement }).waitFor();
      await page.getByText(UNTRACKED).first().waitFor();
      await page.getByText(BUYER).waitFor();
      await page.getByText(amounts.sum).first().waitFor();
      await checkPortalScreenAgain(page, `walk-statement-${name}`);
      await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe(name);
      // The feed waits for transactions of other tests that began before.
      await expect
        .poll(async () => (await acme.trpc.events.list.query({})).data.slice(0, 2).map(({ type }) => type), {
          timeout: 60_000,
        })
        .toEqual(["affiliate.created", "affiliate.approved"]);
      expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
      await page.context().close();
    },
  );
});
