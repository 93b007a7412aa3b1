import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { eventually } from "@findersfee/database/testing/eventually";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../test-service.ts";
import {
  countedClicks,
  createTrackedProgram,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";
import { Website } from "./website.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
let service: TestService;
let website: Website;
let program: TrackedProgram;

describe.skipIf(!has_chromium)(`in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startTestService();
    website = await Website.start();
  });

  beforeEach(async () => {
    program = await createTrackedProgram(service, {
      campaign: { website_url: "https://www.shop.test/", cookie_duration: 60 },
    });
    website.html = page();
    await website.visit();
  });

  afterEach(() => website.leave());

  afterAll(async () => {
    await website?.close();
    await service?.close();
  });

  function tag(attributes = ""): string {
    const { publishable_key } = program.organization;
    return `<script async src="${service.url}/tracker.js" data-key="${publishable_key}" ${attributes}></script>`;
  }

  function page({ head = tag(), body = "" } = {}): string {
    return `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${head}<body>${body}`;
  }

  function clickIdOf(opened: Page): Promise<string | null | undefined> {
    return opened.evaluate("window.findersfee && window.findersfee.clickId");
  }

  /** The page's click, once it has one. */
  async function knownClick(opened: Page): Promise<string> {
    const handle = await opened.waitForFunction("window.findersfee && window.findersfee.clickId");
    return String(await handle.jsonValue());
  }

  async function clickCookies() {
    return (await website.visitor.cookies()).filter(({ name }) => name.startsWith("findersfee"));
  }

  it("records the click and stores it for the campaign's cookie duration on the registrable domain", async () => {
    const opened = await website.open("/pricing?via=jane&secret=1&sub=newsletter");
    const click_id = await knownClick(opened);
    expect(click_id).toMatch(ID);
    const [row, ...others] = await storedClicks(service.database, program);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: click_id,
      landing_url: website.address("www.shop.test", "/pricing"),
      referrer: null,
      sub_id: "newsletter",
    });
    const [cookie, ...further] = await clickCookies();
    expect(further).toEqual([]);
    expect(cookie).toMatchObject({
      name: "findersfee_click",
      value: click_id,
      domain: ".shop.test",
      path: "/",
      sameSite: "Lax",
      secure: false,
    });
    expect(((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000).toBeCloseTo(60, 1);
    for (const host of ["shop.test", "checkout.eu.shop.test"]) {
      expect(await knownClick(await website.open("/", host))).toBe(click_id);
    }
    expect(await countedClicks(program)).toBe(1);
    expect(website.complaints).toEqual([]);
  });

  it.each(
    casesOf(["/#via=jane", "/#/pricing?via=jane", "/?a=b#!/x?c=d&via=jane", "/?via=JANE"], { short: 1 }),
  )("finds the code in %s", async (path) => {
    expect(await knownClick(await website.open(path))).toMatch(ID);
    expect(await countedClicks(program)).toBe(1);
  });

  it("reads the parameter named by the tag", async () => {
    website.html = page({ head: tag('data-param="ref"') });
    const opened = await website.open("/?ref=jane&via=nobody");
    expect(await knownClick(opened)).toMatch(ID);
    expect(website.complaints).toEqual([]);
  });

  it("does nothing without a valid code", async () => {
    for (const path of ["/", "/?via=", "/?via=x", "/?via=%3Cscript%3E", "/?other=jane", "/#jane"]) {
      const opened = await website.open(path);
      expect(await clickIdOf(opened)).toBeNull();
    }
    expect(await clickCookies()).toEqual([]);
    expect(website.complaints).toEqual([]);
  });

  it("lets the newest click win, and does not count reloads", async () => {
    const john = { email: "john@example.com", ref_code: "john" };
    await program.organization.trpc.affiliates.create.mutate(john);
    const first = await knownClick(await website.open("/?via=jane"));
    const opened = await website.open("/?via=john");
    await eventually(async () => expect(await clickIdOf(opened)).not.toBe(first));
    const second = await clickIdOf(opened);
    expect((await clickCookies()).map(({ value }) => value)).toEqual([second]);
    await opened.reload();
    expect(await knownClick(opened)).toBe(second);
    expect(await storedClicks(service.database, program)).toHaveLength(2);
  });

  it.each(
    casesOf(
      [
        "/?via=jane?utm_source=x",
        "/?x=1&amp;via=jane",
        "/?via=jane%20/",
        "/?utm_source=x?via=jane",
        "/?x=1&#038;via=jane",
        "/?via=jane.",
        "/?via=jane)",
        "/?via=%20jane",
        "/?via=&x#/pricing?x&via=jane",
        "/pricing&via=jane",
      ],
      { short: 3 },
    ),
  )("counts a link that a tool has changed: %s", async (path) => {
    expect(await knownClick(await website.open(path))).toMatch(ID);
    expect(await countedClicks(program)).toBe(1);
    expect(website.complaints).toEqual([]);
  });

  it("keeps the click when a link is followed again, and creates one for another browser", async () => {
    const first = await knownClick(await website.open("/?via=jane"));
    const [again] = await Promise.all([
      website.visitor.waitForEvent("response", (response) => response.url().endsWith("/track/click")),
      website.open("/?via=jane"),
    ]);
    expect((await again.json()).data.click_id).toBe(first);
    await website.visit();
    expect(await knownClick(await website.open("/?via=jane"))).not.toBe(first);
    expect(await storedClicks(service.database, program)).toHaveLength(2);
    expect(await countedClicks(program)).toBe(1);
  });

  it.runIf(FULL_TESTS)("reuses the click of a redirect link", async () => {
    const { organization, campaign } = program;
    const website_url = website.address("www.shop.test", "/welcome?a=b#top");
    await organization.trpc.campaigns.update.mutate({ id: campaign.id, website_url });
    const opened = await website.visitor.newPage();
    await opened.goto(`${service.url}/r/jane?key=${organization.publishable_key}`);
    const click_id = new URL(opened.url()).searchParams.get("ff_click");
    expect(opened.url()).toBe(
      website.address("www.shop.test", `/welcome?a=b&via=jane&ff_click=${click_id}#top`),
    );
    expect(await knownClick(opened)).toBe(click_id);
    await eventually(async () => expect(await clickCookies()).toMatchObject([{ value: click_id }]));
    expect(await countedClicks(program)).toBe(1);
  });

  it.runIf(FULL_TESTS)("stores a click from https with the secure flag", async () => {
    const opened = await website.visitor.newPage();
    const body = website.html.replace(service.url, "https://track.test/affiliates");
    await opened.route("https://www.shop.test/**", (route) =>
      route.fulfill({ contentType: "text/html", body }),
    );
    // A proxy that terminates TLS and serves the service below a path.
    await opened.route("https://track.test/affiliates/**", async (route) => {
      const path = new URL(route.request().url()).pathname.replace("/affiliates", "");
      await route.fulfill({ response: await route.fetch({ url: `${service.url}${path}` }) });
    });
    await opened.goto("https://www.shop.test/?via=jane");
    const click_id = await knownClick(opened);
    expect(await clickCookies()).toMatchObject([{ value: click_id, domain: ".shop.test", secure: true }]);
  });

  it("reports a sign-up, even if called before the script loads", async () => {
    website.html = page({
      head: `${TRACKING_SNIPPET}<script>findersfee.refer("early@example.com", "cus_early")</script>${tag()}`,
    });
    const opened = await website.open("/?via=jane");
    await opened.evaluate('findersfee.refer("later@example.com")');
    await eventually(async () => {
      const { data } = await program.organization.trpc.referrals.list.query({});
      expect(data.map(({ email, processor_customer_id }) => [email, processor_customer_id]).sort()).toEqual([
        ["early@example.com", null],
        ["later@example.com", null],
      ]);
    });
    expect(website.complaints).toEqual([]);
  });

  it("reports a sign-up on another subdomain days later, and none without a click", async () => {
    await knownClick(await website.open("/?via=jane"));
    const opened = await website.open("/", "app.shop.test");
    await knownClick(opened);
    await opened.evaluate('findersfee.refer("customer@example.com")');
    await website.visit();
    const stranger = await website.open("/", "app.shop.test");
    await stranger.waitForFunction("window.findersfee");
    await stranger.evaluate('findersfee.refer("stranger@example.com")');
    const { data } = await program.organization.trpc.referrals.list.query({});
    expect(data.map(({ email }) => email)).toEqual(["customer@example.com"]);
  });

  it("adds the click to Stripe's links, buttons and tables, including later ones", async () => {
    website.html = page({
      body: `<a id="link" href="https://buy.stripe.com/abc?prefilled_promo_code=X">Buy</a>
        <a id="own-domain" href="https://pay.shop.test/b/abc" data-findersfee-checkout>Buy</a>
        <a id="other" href="https://example.com/abc">Other</a>
        <a id="taken" href="https://buy.stripe.com/abc?client_reference_id=order_1">Mine</a>
        <stripe-buy-button buy-button-id="buy_btn_1"></stripe-buy-button>
        <stripe-pricing-table pricing-table-id="prctbl_1" client-reference-id="user_1"></stripe-pricing-table>`,
    });
    const opened = await website.open("/?via=jane");
    const click_id = await knownClick(opened);
    const href = (id: string) => opened.locator(`#${id}`).getAttribute("href");
    expect(await href("link")).toBe(
      `https://buy.stripe.com/abc?prefilled_promo_code=X&client_reference_id=${click_id}`,
    );
    expect(await href("own-domain")).toBe(`https://pay.shop.test/b/abc?client_reference_id=${click_id}`);
    expect(await href("other")).toBe("https://example.com/abc");
    expect(await href("taken")).toBe("https://buy.stripe.com/abc?client_reference_id=order_1");
    const reference = (name: string) => opened.locator(name).first().getAttribute("client-reference-id");
    expect(await reference("stripe-buy-button")).toBe(click_id);
    expect(await reference("stripe-pricing-table")).toBe("user_1");

    await opened.evaluate(`document.body.insertAdjacentHTML("beforeend",
      '<p><a id="late" href="https://buy.stripe.com/late">Buy</a><stripe-pricing-table id="late-table"></stripe-pricing-table>')`);
    await eventually(async () => {
      expect(await href("late")).toBe(`https://buy.stripe.com/late?client_reference_id=${click_id}`);
      expect(await reference("#late-table")).toBe(click_id);
    });
    await opened.evaluate(`document.getElementById("late").href = "https://buy.stripe.com/changed"`);
    await eventually(async () =>
      expect(await href("late")).toBe(`https://buy.stripe.com/changed?client_reference_id=${click_id}`),
    );
    expect(website.complaints).toEqual([]);
  });

  it.runIf(FULL_TESTS)("replaces the older click in Stripe's links", async () => {
    const john = { email: "john@example.com", ref_code: "john" };
    await program.organization.trpc.affiliates.create.mutate(john);
    const first = await knownClick(await website.open("/?via=jane"));
    website.html = page({ body: '<a id="link" href="https://buy.stripe.com/abc">Buy</a>' });
    const opened = await website.open("/?via=john");
    await eventually(async () => {
      const click_id = await clickIdOf(opened);
      expect(click_id).not.toBe(first);
      expect(await opened.locator("#link").getAttribute("href")).toBe(
        `https://buy.stripe.com/abc?client_reference_id=${click_id}`,
      );
    });
  });

  it("honors Do Not Track and Global Privacy Control if the tag enables it", async () => {
    website.html = page({
      head: `${TRACKING_SNIPPET}${tag("data-respect-dnt")}`,
      body: '<a href="https://buy.stripe.com/abc">Buy</a>',
    });
    for (const wish of ["doNotTrack", "globalPrivacyControl"]) {
      const value = wish === "doNotTrack" ? '"1"' : "true";
      await website.visit();
      await website.visitor.addInitScript(
        `Object.defineProperty(navigator, "${wish}", { get: () => ${value} })`,
      );
      const opened = await website.open("/?via=jane");
      await opened.waitForFunction("window.findersfee.clickId === null");
      await opened.evaluate('findersfee.refer("customer@example.com")');
      await expect.poll(() => opened.locator("a").getAttribute("href")).toBe("https://buy.stripe.com/abc");
      expect(await clickCookies()).toEqual([]);
    }
    expect(await storedClicks(service.database, program)).toEqual([]);
    await website.visit();
    expect(await knownClick(await website.open("/?via=jane"))).toMatch(ID);
    expect(website.complaints).toEqual([]);
  });

  it("works without cookies for the current page", async () => {
    // In a sandboxed frame, reading cookies throws, and the origin is opaque.
    website.html = page({
      head: "",
      body: `<iframe sandbox="allow-scripts" srcdoc='${tag()}' src="about:blank"></iframe>`,
    });
    await website.open("/?via=jane");
    await website.visitor.addInitScript(`Object.defineProperty(Document.prototype, "cookie", {
      get() { throw new DOMException("no cookies", "SecurityError") },
      set() { throw new DOMException("no cookies", "SecurityError") } })`);
    website.html = page();
    const opened = await website.open("/?via=jane");
    expect(await knownClick(opened)).toMatch(ID);
    await opened.evaluate('findersfee.refer("customer@example.com")');
    expect((await program.organization.trpc.referrals.list.query({})).data).toHaveLength(1);
    expect(website.complaints).toEqual([]);
  });

  it.runIf(FULL_TESTS)("stores the click on the host if there is no registrable domain", async () => {
    const local = await createTrackedProgram(service, { campaign: { website_url: "http://localhost:3000" } });
    program = local;
    website.html = page();
    const click_id = await knownClick(await website.open("/?via=jane", "localhost"));
    expect(await clickCookies()).toMatchObject([{ value: click_id, domain: "localhost" }]);
  });

  it("throws no errors in the page for an unknown code, a rejection or an unavailable service", async () => {
    const errors: string[] = [];
    const watch = async (head: string, host?: string) => {
      website.html = page({
        head: `${TRACKING_SNIPPET}<script>findersfee.refer("c@example.com")</script>${head}`,
      });
      const opened = await website.visitor.newPage();
      opened.on("pageerror", (error) => errors.push(String(error)));
      await opened.goto(website.address(host ?? "www.shop.test", "/?via=nobody"), { waitUntil: "load" });
      await opened.evaluate("Promise.resolve(window.findersfee.refer('c@example.com'))");
      return await clickIdOf(opened);
    };
    expect(await watch(tag())).toBeNull();
    expect(await watch(tag().replace("ff_pk_", "ff_pk_x"))).toBeNull();
    expect(await watch(tag(), "www.other.test")).toBeNull();
    website.headers = { "content-security-policy": `connect-src 'none'` };
    expect(await watch(tag())).toBeNull();
    website.headers = {};
    expect(await watch(tag().replace(service.url, "http://127.0.0.1:9"))).toBeUndefined();
    expect(await watch(tag().replace("/tracker.js", "/tracker-blocked.js"))).toBeUndefined();
    expect(await watch(`<script>window.fetch = undefined</script>${tag()}`)).toBeNull();
    expect(errors).toEqual([]);
    expect(await clickCookies()).toEqual([]);
  });
});
