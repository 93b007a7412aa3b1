import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { eventually } from "@findersfee/database/testing/eventually";
import { buildScript } from "@findersfee/tracker/build";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { staffOf } from "../staff.ts";
import { startTestService, type TestService } from "../test-service.ts";
import {
  BROWSER,
  countedClicks,
  createTrackedProgram,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

let service: TestService;
/** The organization's pages, and a proxy of the script that can hold it. */
let pages: Server;
let browser: Browser;
let context: BrowserContext;
let program: TrackedProgram;
let html = "";
/** Requests for the script that wait; null: the script is sent at once. */
let held: ServerResponse[] | null = null;
/** The endpoints that were asked while the service was away; null: it is there. */
let unanswered: string[] | null = null;
/** The number of requests that a firewall refused; null: there is none. */
let refused: number | null = null;
const complaints: string[] = [];

describe.skipIf(!has_chromium)(`in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startTestService();
    pages = createServer((request, response) => {
      const { url = "" } = request;
      if (url === "/ff/tracker.js?blocked") response.destroy();
      else if (url.startsWith("/ff/tracker.js")) {
        if (held === null) sendScript(response);
        else held.push(response);
      } else if (url.startsWith("/ff/track/")) void pass(request, response);
      else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    browser = await borrowChromium();
  });

  beforeEach(async () => {
    held = null;
    unanswered = refused = null;
    complaints.length = 0;
    program = await createTrackedProgram(service, { campaign: { website_url: "https://www.shop.test/" } });
    html = page();
    context = await browser.newContext({ userAgent: BROWSER });
    context.setDefaultTimeout(LOAD_MILLISECONDS);
  });

  afterEach(async () => {
    for (const response of held ?? []) response.destroy();
    await context.close();
  });

  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await service?.close();
  });

  /** Passes a request on to the service, as a proxy of the organization does. */
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (refused !== null) {
      refused += 1;
      response.writeHead(403, { "content-type": "text/html" }).end("<h1>Forbidden</h1>");
      return;
    }
    if (unanswered !== null) {
      unanswered.push(request.url ?? "");
      // A load balancer may refuse requests, too.
      response.writeHead(503, { "retry-after": "2" }).end();
      return;
    }
    const answer = await fetch(`${service.url}${request.url?.slice(3)}`, {
      method: "POST",
      headers: {
        origin: String(request.headers.origin),
        "content-type": String(request.headers["content-type"]),
        "user-agent": String(request.headers["user-agent"]),
      },
      body: await text(request),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  }

  function sendScript(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/javascript", "cache-control": "no-store" });
    response.end(buildScript("tracker.js"));
  }

  function release(): void {
    for (const response of held ?? []) sendScript(response);
    held = null;
  }

  function tag(attributes = ""): string {
    // The script's own address determines the address of its endpoints.
    return `<script async src="/ff/tracker.js" data-key="${program.organization.publishable_key}" ${attributes}></script>`;
  }

  function page({ head = `${TRACKING_SNIPPET}${tag()}`, body = "" } = {}): string {
    return `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${head}<body>${body}`;
  }

  function address(path: string, host = "www.shop.test"): string {
    return `http://${host}:${(pages.address() as AddressInfo).port}${path}`;
  }

  /** Opens a page, without waiting for a held script. */
  async function open(path: string, host?: string): Promise<Page> {
    const opened = await context.newPage();
    opened.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    opened.on("pageerror", (error) => complaints.push(String(error)));
    await opened.goto(address(path, host), { waitUntil: "commit" });
    await opened.waitForFunction("document.body && window.findersfee");
    return opened;
  }

  async function knownClick(opened: Page): Promise<string> {
    return String(
      await (await opened.waitForFunction("window.findersfee && window.findersfee.clickId")).jsonValue(),
    );
  }

  async function emails(): Promise<string[]> {
    const { data } = await program.organization.trpc.referrals.list.query({});
    return data.map(({ email }) => email).sort();
  }

  async function findersfeeCookies(): Promise<string[]> {
    return (await context.cookies())
      .filter(({ name }) => name.startsWith("findersfee"))
      .map(({ value }) => value);
  }

  it("answers a call before the script has arrived when the sign-up was sent, and then leaves", async () => {
    held = [];
    html = page({
      body: `<form><button>Sign up</button></form><script>
        document.querySelector("form").onsubmit = async (event) => {
          event.preventDefault();
          window.result = await findersfee.refer("awaited@example.com");
          location.href = "/welcome#" + JSON.stringify(window.result);
        };</script>`,
    });
    const opened = await open("/?via=jane");
    await opened.getByRole("button").click();
    await eventually(async () => expect(held?.length).toBe(1));
    release();
    await opened.waitForURL("**/welcome#*");
    expect(decodeURIComponent(new URL(opened.url()).hash)).toBe('#{"accepted":true}');
    expect(await emails()).toEqual(["awaited@example.com"]);
    expect(complaints).toEqual([]);
  });

  it("sends a sign-up of a visitor who leaves at once, with the click of an earlier page", async () => {
    await knownClick(await open("/?via=jane"));
    held = [];
    const opened = await open("/signup");
    await opened.evaluate(`findersfee.refer("gone@example.com"); location.href = "http://www.other.test:9/"`);
    await eventually(async () => expect(await emails()).toEqual(["gone@example.com"]));
  });

  it("sends a sign-up on the landing page from the tab's next page", async () => {
    held = [];
    const opened = await open("/?via=jane&sub=newsletter");
    await opened.evaluate(`findersfee.refer("next@example.com"); location.href = "/welcome"`);
    await opened.waitForURL("**/welcome", { waitUntil: "commit" });
    await eventually(async () => expect(held?.length).toBe(2));
    release();
    await knownClick(opened);
    await eventually(async () => expect(await emails()).toEqual(["next@example.com"]));
    expect(await opened.evaluate("sessionStorage.length")).toBe(0);
    expect(await storedClicks(service.database, program)).toMatchObject([
      { landing_url: address("/"), sub_id: "newsletter" },
    ]);
  });

  it("stores nothing of a visitor who comes from no link", async () => {
    held = [];
    const opened = await open("/");
    await opened.evaluate(`findersfee.refer("stranger@example.com"); location.href = "/welcome"`);
    await opened.waitForURL("**/welcome", { waitUntil: "commit" });
    expect(await opened.evaluate("sessionStorage.length")).toBe(0);
  });

  describe("while the service is away", () => {
    const click = "/ff/track/click";
    const sign_up = "/ff/track/signup";
    const asked = (endpoint: string) => eventually(async () => expect(unanswered).toContain(endpoint));

    it("tries a click again, with the sign-up that waits for it", async () => {
      unanswered = [];
      const opened = await open("/?via=jane");
      await asked(click);
      await opened.evaluate(`void findersfee.refer("patient@example.com")`);
      unanswered = null;
      await knownClick(opened);
      await eventually(async () => expect(await emails()).toEqual(["patient@example.com"]));
      expect(await countedClicks(program)).toBe(1);
    });

    it("tries a sign-up again", async () => {
      const opened = await open("/?via=jane");
      await knownClick(opened);
      unanswered = [];
      await opened.evaluate(`void findersfee.refer("patient@example.com")`);
      await asked(sign_up);
      unanswered = null;
      await eventually(async () => expect(await emails()).toEqual(["patient@example.com"]));
    });

    it("gives the known click meanwhile, and null without one", async () => {
      unanswered = [];
      const stranger = await open("/?via=jane");
      expect(await stranger.evaluate("findersfee.ready")).toBeNull();
      await stranger.close();
      unanswered = null;
      const click_id = await knownClick(await open("/?via=jane"));
      unanswered = [];
      const opened = await open("/?via=joe");
      expect(await opened.evaluate("findersfee.ready")).toBe(click_id);
    });

    it("sends nothing once the visitor has decided against it", async () => {
      html = page({ head: `${TRACKING_SNIPPET}${tag('data-consent="wait"')}` });
      unanswered = [];
      const opened = await open("/?via=jane");
      await opened.evaluate(`void findersfee.consent(true); void findersfee.refer("no@example.com")`);
      await asked(click);
      await opened.evaluate("void findersfee.consent(false)");
      const before = unanswered.length;
      unanswered = null;
      // Longer than until the next try would have come.
      await opened.evaluate("new Promise((done) => setTimeout(done, 4_500))");
      expect(before).toBeLessThanOrEqual(2);
      expect(await storedClicks(service.database, program)).toEqual([]);
      expect(await emails()).toEqual([]);
      expect(await findersfeeCookies()).toEqual([]);
    });

    it("takes a refusal that is no JSON for an answer", async () => {
      refused = 0;
      const opened = await open("/?via=jane");
      expect(await opened.evaluate("findersfee.ready")).toBeNull();
      await opened.evaluate("new Promise((done) => setTimeout(done, 2_500))");
      expect(refused).toBe(1);
      refused = null;
    });
  });

  it("answers with null when the script is blocked, and sends the sign-up of a known click", async () => {
    const blocked = tag().replace("tracker.js", "tracker.js?blocked");
    await knownClick(await open("/?via=jane"));
    html = page({ head: `${TRACKING_SNIPPET}${blocked}` });
    const opened = await open("/");
    const results = await opened.evaluate(`Promise.all([
      findersfee.ready, findersfee.refer("blocked@example.com").then((result) => result)])`);
    expect(results).toEqual([null, null]);
    expect(await opened.evaluate(`findersfee.refer("later@example.com")`)).toBeNull();
    await eventually(async () =>
      expect(await emails()).toEqual(["blocked@example.com", "later@example.com"]),
    );
    // The browser's own.
    expect(complaints.filter((complaint) => !complaint.startsWith("Failed to load resource"))).toEqual([]);
  });

  it("answers with null when the script never arrives", async () => {
    held = [];
    const opened = await open("/?via=jane");
    expect(
      await opened.evaluate(`Promise.all([findersfee.ready, findersfee.refer("a@example.com")])`),
    ).toEqual([null, null]);
    // It is sent nevertheless.
    release();
    await eventually(async () => expect(await emails()).toEqual(["a@example.com"]));
  });

  it("gives the click's id when the visit is recorded", async () => {
    held = [];
    html = page({
      head: `${TRACKING_SNIPPET}<script>findersfee.ready.then((id) => (window.known = id))</script>${tag()}`,
    });
    const opened = await open("/?via=jane");
    await eventually(async () => expect(held?.length).toBe(1));
    release();
    const click_id = await knownClick(opened);
    expect(await (await opened.waitForFunction("window.known")).jsonValue()).toBe(click_id);
    const stranger = await (await browser.newContext({ userAgent: BROWSER })).newPage();
    await stranger.goto(address("/"));
    expect(await stranger.evaluate("findersfee.ready")).toBeNull();
    await stranger.context().close();
  });

  it("counts the address that the visitor opened, when a router has changed it since", async () => {
    held = [];
    html = page({
      head: `${TRACKING_SNIPPET}<script>history.replaceState(null, "", "/home")</script>${tag()}`,
    });
    const opened = await open("/pricing?via=jane");
    await eventually(async () => expect(held?.length).toBe(1));
    release();
    await knownClick(opened);
    expect(await storedClicks(service.database, program)).toMatchObject([
      { landing_url: address("/pricing") },
    ]);
  });

  it("reads the first of several parameters that has a code", async () => {
    html = page({ head: `${TRACKING_SNIPPET}${tag('data-param="via, ref, fpr"')}` });
    for (const path of ["/?fpr=jane", "/?ref=jane&fpr=nobody", "/?via=jane&ref=nobody"]) {
      await context.clearCookies();
      await knownClick(await open(path));
    }
    expect(await countedClicks(program)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("carries the click to the organization's other domains, for ten minutes", async () => {
    const { staff } = await staffOf(service, program.organization.organization_id);
    await staff.settings.update.mutate({ website_domains: ["acme.test"] });
    const other = address("/start?a=b", "app.acme.test");
    html = page({
      head: `${TRACKING_SNIPPET}${tag('data-domains="shop.test, acme.test"')}`,
      body: `<a id="other" href="${other}">Other</a> <a id="own" href="/pricing">Own</a>
        <a id="foreign" href="http://foreign.test:9/">Foreign</a>`,
    });
    const opened = await open("/?via=jane");
    const click_id = await knownClick(opened);
    await opened.locator("#other").click();
    await opened.waitForURL("**/start?*");
    const carried = new URL(opened.url()).searchParams;
    expect(carried.get("a")).toBe("b");
    expect(carried.get("ff_click")?.split(".")[0]).toBe(click_id);
    expect(await knownClick(opened)).toBe(click_id);
    const cookies = await context.cookies();
    expect(cookies.map(({ domain, value }) => [domain, value]).sort()).toEqual([
      [".acme.test", click_id],
      [".shop.test", click_id],
    ]);
    expect(await storedClicks(service.database, program)).toHaveLength(1);
    expect(await countedClicks(program)).toBe(1);

    const back = await open("/");
    await back.locator("#own").hover();
    await back.mouse.down({ button: "middle" });
    expect(await back.locator("#own").getAttribute("href")).toBe("/pricing");
    await back
      .locator("#foreign")
      .evaluate((link) => link.dispatchEvent(new Event("mousedown", { bubbles: true })));
    expect(await back.locator("#foreign").getAttribute("href")).toBe("http://foreign.test:9/");

    await context.clearCookies();
    const late = `/start?ff_click=${click_id}.${Date.now() - 601_000}`;
    const shared = await open(late, "app.acme.test");
    expect(await shared.evaluate("findersfee.ready")).toBeNull();
    expect(complaints).toEqual([]);
  });

  describe("with data-consent", () => {
    beforeEach(() => {
      html = page({
        head: `${TRACKING_SNIPPET}${tag('data-consent="wait"')}`,
        body: `<a id="next" href="/pricing?plan=pro">Pricing</a> <a id="here" href="#faq">FAQ</a>`,
      });
    });

    it("stores and sends nothing before, and counts the link with a consent on a later page", async () => {
      const opened = await open("/?via=jane&sub=newsletter");
      await opened.waitForFunction("findersfee.clickId === null");
      await opened.locator("#here").click();
      expect(opened.url()).toBe(address("/?via=jane&sub=newsletter#faq"));
      await opened.locator("#next").click();
      await opened.waitForURL("**/pricing?*");
      expect(opened.url()).toBe(address("/pricing?plan=pro&via=jane&sub=newsletter"));
      expect(await opened.evaluate("sessionStorage.length + localStorage.length")).toBe(0);
      expect(await findersfeeCookies()).toEqual([]);
      expect(await storedClicks(service.database, program)).toEqual([]);

      const click_id = await opened.evaluate("findersfee.consent(true)");
      expect(await findersfeeCookies()).toEqual([click_id]);
      expect(await storedClicks(service.database, program)).toMatchObject([
        { id: click_id, sub_id: "newsletter" },
      ]);
      expect(await opened.evaluate('findersfee.refer("customer@example.com")')).toEqual({ accepted: true });
      expect(complaints).toEqual([]);
    });

    it("hears a decision before the script has arrived", async () => {
      held = [];
      const opened = await open("/?via=jane");
      const answer = opened.evaluate("findersfee.consent(true)");
      await eventually(async () => expect(held?.length).toBe(1));
      release();
      expect(await answer).toBe(await knownClick(opened));
    });

    it("deletes the click when the consent is withdrawn, and no longer carries the code", async () => {
      const opened = await open("/?via=jane");
      await opened.evaluate("findersfee.consent(true)");
      expect(await findersfeeCookies()).toHaveLength(1);
      expect(await opened.evaluate("findersfee.consent(false)")).toBeNull();
      expect(await findersfeeCookies()).toEqual([]);
      expect(await opened.evaluate('findersfee.refer("no@example.com")')).toBeNull();
      await opened.locator("#next").click();
      await opened.waitForURL("**/pricing?*");
      expect(opened.url()).toBe(address("/pricing?plan=pro"));
      expect(await emails()).toEqual([]);
    });

    it("stores no sign-up of a visitor who leaves undecided", async () => {
      held = [];
      const opened = await open("/?via=jane");
      await opened.evaluate(`findersfee.refer("no@example.com"); location.href = "/welcome"`);
      await opened.waitForURL("**/welcome", { waitUntil: "commit" });
      expect(await opened.evaluate("sessionStorage.length")).toBe(0);
    });
  });
});
