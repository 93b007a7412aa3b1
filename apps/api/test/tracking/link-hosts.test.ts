/* Links, the script and tracking at an organization's own host name. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HostBrowser, PUBLIC_URL } from "../portal/host-browser.ts";
import { CAMPAIGN } from "../program.ts";
import { startTestService, type TestClient, type TestService } from "../test-service.ts";
import { awayFromTheHour } from "../tracking-program.ts";

const GO = "go.acme.com";
const ELSEWHERE = "acme-links.com";
const PORTAL = "partners.acme.com";
const SITE = "https://www.acme.com";
const CHROME = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
  accept: "text/html,application/xhtml+xml",
};
const CLICK = /^[0-9a-f-]{36}$/;

let service: TestService;
let acme: TestClient;
let globex: TestClient;
/** Each test has a visitor of its own, since the clicks of one are counted together. */
let visitors = 0;
let browser: HostBrowser;

beforeAll(async () => {
  service = await startTestService({ public_url: PUBLIC_URL, trust_proxy: ["127.0.0.1"] });
  acme = await openProgram("acme");
  globex = await openProgram("globex");
  await serve(acme, GO);
  await service.database`
    update organizations set portal_host_wanted = ${PORTAL}, portal_host_proven_at = now()
    where id = ${acme.organization_id}`;
});
afterAll(() => service.close());
beforeEach(() => {
  visitors += 1;
  browser = new HostBrowser(service);
});

async function openProgram(slug: string): Promise<TestClient> {
  const organization = await service.organization();
  await service.database`update organizations set slug = ${slug} where id = ${organization.organization_id}`;
  const site = `https://www.${slug}.com/pricing`;
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, website_url: site, is_default: true });
  await organization.trpc.affiliates.create.mutate({ email: `jane@${slug}.example`, ref_code: "jane" });
  return organization;
}

const serve = ({ organization_id }: TestClient, host: string, link_cookies = false) =>
  service.database`
    update organizations
    set link_host_wanted = ${host}, link_host_proven_at = now(), link_url = ${`https://${host}`},
      link_cookies = ${link_cookies}
    where id = ${organization_id}`;

const open = (path: string, headers: Record<string, string> = {}, host = GO) =>
  browser.send(host, path, {
    headers: { ...CHROME, "x-forwarded-for": `198.51.100.${visitors}`, ...headers },
  });

const post = (path: string, body: object, headers: Record<string, string> = {}, host = GO) =>
  browser.send(host, path, {
    body,
    headers: {
      "user-agent": CHROME["user-agent"],
      "x-forwarded-for": `198.51.100.${visitors}`,
      origin: SITE,
      "sec-fetch-site": "same-site",
      ...headers,
    },
  });

const clicks = async ({ organization_id }: TestClient) =>
  (await service.database`select from clicks where organization_id = ${organization_id}`).length;

describe("a link at an organization's host name", () => {
  it.each([
    "/jane",
    "/JANE",
    "/jane/",
    "/jane.",
    "/jane)",
    "/jane?utm_source=x",
    "/jane&utm_source=x",
    "/jane%3Futm_source=x",
    "/jane?key=ff_pk_other&utm_source=x",
    "/r/jane?utm_source=x",
    "//jane",
  ])("leads %s to the campaign's page, with the click and other parameters", async (path) => {
    const { status, headers, text } = await open(path);
    const target = new URL(headers.get("location") ?? "");
    expect([status, text, target.origin + target.pathname]).toEqual([302, "", `${SITE}/pricing`]);
    if (path === "//jane") return;
    expect(target.searchParams.get("via")).toBe("jane");
    expect(target.searchParams.get("ff_click")).toMatch(CLICK);
    expect(target.searchParams.get("utm_source")).toBe(path.includes("utm") ? "x" : null);
    expect(target.searchParams.has("key")).toBe(false);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it.each(["/", "/nobody", "/favicon.ico", "/wp-login.php", "/a/b/c"])(
    "leads %s to the organization's page, without a click",
    async (path) => {
      const before = await clicks(acme);
      const { status, headers } = await open(path);
      expect([status, headers.get("location")]).toEqual([302, `${SITE}/pricing`]);
      expect(await clicks(acme)).toBe(before);
    },
  );

  it("is of its organization alone, though others have the same code", async () => {
    const [own, foreign] = [await clicks(acme), await clicks(globex)];
    await open("/jane");
    expect([await clicks(acme), await clicks(globex)]).toEqual([own + 1, foreign]);
  });

  it.each(["/portal", "/portal/look", "/.well-known/nothing"])(
    "shows visitors a page instead of JSON at %s",
    async (path) => {
      const { status, headers, text } = await open(path);
      if (status === 302) return;
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(text).toContain("This link does not work.");
    },
  );

  it("does not exist at other hosts", async () => {
    expect((await open("/jane", {}, PORTAL)).status).toBe(404);
    const unknown = await open("/jane", {}, "go.nobody.com");
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([421, "text/html; charset=utf-8"]);
    expect((await open("/jane", { accept: "application/json" }, "go.nobody.com")).body?.error?.code).toBe(
      "misdirected_request",
    );
    for (const path of ["/v1/campaigns", "/trpc/dashboard.portal.get", "/sign-in", "/docs"]) {
      const { status, headers } = await open(path, { authorization: `Bearer ${acme.api_key}` });
      expect([status, headers.get("location")], path).toEqual([302, `${SITE}/pricing`]);
    }
  });

  it("is not tracked without a publishable key", async () => {
    const initech = await openProgram("initech");
    await serve(initech, "go.initech.com");
    await service.database`
      update api_keys set revoked_at = now()
      where organization_id = ${initech.organization_id} and kind = 'publishable'`;
    const { status, headers } = await open("/jane", {}, "go.initech.com");
    expect([status, headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect(await clicks(initech)).toBe(0);
  });
});

describe("the cookie of a link", () => {
  const HOST = "go.globex.com";
  const jane = (headers: Record<string, string> = {}, host = HOST) => open("/jane", headers, host);

  it("is set if the organization wants it, on the domain of its website, until the click expires", async () => {
    await serve(globex, HOST, true);
    const { headers } = await jane();
    const id = new URL(headers.get("location") ?? "").searchParams.get("ff_click");
    const [line = ""] = headers.getSetCookie();
    const [, seconds] = /Max-Age=(\d+)/.exec(line) ?? [];
    expect(line.replace(/Max-Age=\d+/, "Max-Age=…")).toBe(
      `findersfee_click=${id}; Path=/; Max-Age=…; SameSite=Lax; Domain=globex.com; Secure`,
    );
    const [{ cookie_duration }] = await service.database<[{ cookie_duration: number }]>`
      select cookie_duration from campaigns where organization_id = ${globex.organization_id}`;
    expect(Math.ceil(Number(seconds) / 86_400)).toBe(cookie_duration);
  });

  it("brings the same click back within the hour", async () => {
    await awayFromTheHour();
    await jane();
    const before = await clicks(globex);
    const first = browser.cookiesOf(HOST).get("findersfee_click");
    await jane();
    expect(browser.cookiesOf(HOST).get("findersfee_click")).toBe(first);
    expect(await clicks(globex)).toBe(before);
  });

  it("keeps the first click in a campaign with first-click attribution, and counts the new one", async () => {
    const { trpc, organization_id } = globex;
    const [{ id }] = await service.database<[{ id: string }]>`
      select id from campaigns where organization_id = ${organization_id}`;
    await trpc.affiliates.create.mutate({ email: "joe@globex.example", ref_code: "joe" });
    await service.database`update campaigns set attribution = 'first_click' where id = ${id}`;
    await expect
      .poll(async () => {
        browser = new HostBrowser(service);
        await jane();
        const first = browser.cookiesOf(HOST).get("findersfee_click");
        const { headers } = await open("/joe", {}, HOST);
        const counted = new URL(headers.get("location") ?? "").searchParams.get("ff_click");
        return first !== counted && browser.cookiesOf(HOST).get("findersfee_click") === first;
      })
      .toBe(true);
    await service.database`update campaigns set attribution = 'last_click' where id = ${id}`;
  });

  it.each([
    { dnt: "1" },
    { "sec-gpc": "1" },
    { "user-agent": "Googlebot/2.1" },
    { "sec-purpose": "prefetch" },
  ])("is not set for %o", async (headers) => {
    expect((await jane(headers as Record<string, string>)).headers.getSetCookie()).toEqual([]);
  });

  it("is not set on a domain that the website does not have", async () => {
    const hooli = await openProgram("hooli");
    await serve(hooli, ELSEWHERE, true);
    const { status, headers } = await jane({}, ELSEWHERE);
    expect([status, headers.getSetCookie()]).toEqual([302, []]);
  });
});

describe("tracking at an organization's host name", () => {
  it("serves the script, and says which organization it is", async () => {
    const script = await open("/tracker.js");
    expect([script.status, script.text.startsWith("(()=>{")]).toEqual([200, true]);
    expect((await open("/track/host")).body).toEqual({
      success: true,
      data: { organization_id: acme.organization_id },
    });
    expect((await open("/track/host", {}, "app.example.com")).status).toBe(404);
    expect((await open("/track/host", {}, PORTAL)).status).toBe(404);
  });

  it("takes clicks and sign-ups without a key, and sets the cookie of the page's site", async () => {
    const clicked = await post("/track/click", { code: "jane", url: SITE });
    const { click_id, cookie } = clicked.body.data;
    expect([clicked.status, cookie, click_id]).toEqual([200, true, expect.stringMatching(CLICK)]);
    expect(clicked.headers.get("access-control-allow-origin")).toBe(SITE);
    expect(clicked.headers.get("access-control-allow-credentials")).toBe("true");
    expect(clicked.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^findersfee_click=${click_id}; Path=/; Max-Age=\\d+; SameSite=Lax; Domain=acme.com; Secure$`,
        ),
      ),
    ]);
    const email = `customer-${visitors}@example.net`;
    expect((await post("/track/signup", { click_id, email })).status).toBe(200);
    const referrals = await service.database`
      select from referrals where organization_id = ${acme.organization_id} and email = ${email}`;
    expect(referrals).toHaveLength(1);
  });

  it.each([
    ["another site's address", { "sec-fetch-site": "cross-site" }],
    ["a browser that does not say it", { "sec-fetch-site": "" }],
  ])("leaves the cookie to the script for %s", async (_, headers) => {
    const clicked = await post("/track/click", { code: "jane", url: SITE }, headers);
    expect([clicked.body.data.cookie, clicked.headers.getSetCookie()]).toEqual([false, []]);
  });

  it("sets it behind a proxy of the site, too, at the service's own host name", async () => {
    const headers = { "sec-fetch-site": "same-origin", origin: "https://acme.com" };
    const body = { key: acme.publishable_key, code: "jane", url: SITE };
    const clicked = await post("/track/click", body, headers, "app.example.com");
    expect(clicked.headers.getSetCookie()).toEqual([expect.stringContaining("Domain=acme.com")]);
  });

  it("refuses pages of others, and keys of other organizations", async () => {
    const foreign = await post("/track/click", { code: "jane" }, { origin: "https://www.globex.com" });
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
    for (const key of [globex.publishable_key, globex.api_key]) {
      const { status, headers } = await post("/track/click", { key, code: "jane" });
      expect([status, headers.getSetCookie()]).toEqual([key === globex.api_key ? 403 : 401, []]);
    }
    const { status } = await post("/track/signup", {
      key: globex.publishable_key,
      click_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      email: "x@example.net",
    });
    expect(status).toBe(401);
  });

  it("needs a key at other hosts", async () => {
    const { status } = await post("/track/click", { code: "jane" }, {}, "app.example.com");
    expect(status).toBe(400);
  });
});

describe("an affiliate's links", () => {
  it("are at the host name once the service has answered there, and at the website until then", async () => {
    const umbrella = await openProgram("umbrella");
    const link = async () => (await umbrella.trpc.affiliates.list.query({})).data[0]?.links[0]?.url;
    expect(await link()).toBe("https://www.umbrella.com/pricing?via=jane");
    await serve(umbrella, "go.umbrella.com");
    await service.database`
      update organizations set link_url = null where id = ${umbrella.organization_id}`;
    expect(await link()).toBe("https://www.umbrella.com/pricing?via=jane");
    await service.database`
      update organizations set link_url = 'https://go.umbrella.com' where id = ${umbrella.organization_id}`;
    expect(await link()).toBe("https://go.umbrella.com/jane");
    await service.database`
      update affiliate_codes set code = 'portal'
      where organization_id = ${umbrella.organization_id} and kind = 'link'`;
    expect(await link()).toBe("https://go.umbrella.com/r/portal");
    const { headers } = await open("/r/portal", {}, "go.umbrella.com");
    expect(new URL(headers.get("location") ?? "").searchParams.get("via")).toBe("portal");
  });
});
