/* The portal at an organization's own host name, and the limits of its sessions. */

import type { DueMail } from "@findersfee/database/mails/mails";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { composeMail } from "@findersfee/domain/mails/compose";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import { type NameServer, startNameServer } from "@findersfee/domain/testing/portal/name-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";
import { ENDPOINT_POLICY, startTestService, type TestClient, type TestService } from "../test-service.ts";
import { mailedTo } from "./affiliate-browser.ts";
import { HostBrowser, PUBLIC_URL } from "./host-browser.ts";

const OWN = "app.example.com";
const API = "api.example.com";
const ACME = "partners.acme.example";
const GLOBEX = "partners.globex.example";
const JANE = "jane@example.com";
const COOKIE = "__Host-findersfee_portal";

let service: TestService;
let names: NameServer;
let acme: TestClient;
let globex: TestClient;

beforeAll(async () => {
  names = await startNameServer();
  service = await startTestService({
    public_url: PUBLIC_URL,
    service_hosts: [API],
    dns_servers: [names.address],
  });
  acme = await openProgram("acme", ACME);
  globex = await openProgram("globex", GLOBEX);
  for (const { trpc } of [acme, globex]) await trpc.affiliates.create.mutate({ email: JANE });
});
afterAll(async () => {
  await names.close();
  await service.close();
});

async function openProgram(slug: string, host: string): Promise<TestClient> {
  const organization = await service.organization();
  await service.database`
    update organizations set slug = ${slug}, name = ${slug}, portal_host_wanted = ${host},
      portal_host_proven_at = now()
    where id = ${organization.organization_id}`;
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  return organization;
}

const ask = (browser: HostBrowser, host: string, email = JANE) =>
  browser.send(host, "/portal/auth/code", { body: { email } });

const enter = (browser: HostBrowser, host: string, code: string) =>
  browser.send(host, "/portal/auth/sign-in", { body: { code } });

const me = (browser: HostBrowser, host: string) => browser.send(host, "/portal/trpc/me.get");

/** A browser that has signed in at a host. */
async function signIn(host: string, email = JANE): Promise<HostBrowser> {
  const browser = new HostBrowser(service);
  await ask(browser, host, email);
  const { code } = await mailedTo(service, email);
  const { status, text } = await enter(browser, host, code);
  if (status !== 200) throw new Error(text);
  return browser;
}

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) => [
  status,
  body?.error?.code ?? body?.error,
];

describe("an organization's host", () => {
  it("serves its portal, and leads there from /", async () => {
    const browser = new HostBrowser(service);
    const root = await browser.send(ACME, "/");
    expect([root.status, root.headers.get("location")]).toEqual([302, "/portal"]);
    const join = await browser.send(ACME, "/join?from=blog");
    expect([join.status, join.headers.get("location")]).toEqual([302, "/portal/acme/join?from=blog"]);
    for (const host of [ACME, ACME.toUpperCase(), `${ACME}.`, `${ACME}:8443`]) {
      expect((await browser.send(host, "/portal/look")).body.data, host).toMatchObject({
        organization_id: acme.organization_id,
        slug: "acme",
      });
    }
    expect((await browser.send(ACME, "/portal/look?organization=acme")).status).toBe(200);
    expect((await browser.send(ACME, "/portal/look?organization=globex")).status).toBe(404);
  });

  it.each([
    "/sign-in",
    "/me",
    "/setup",
    "/o/acme",
    "/organizations",
    "/docs",
    "/v1/campaigns",
    "/v1/openapi.json",
    "/v1/trpc/campaigns.list",
    "/trpc/dashboard.portal.get",
    "/account/trpc/me.get",
    "/auth/sign-in",
    "/unsubscribe/x",
    "/track/click",
    "/portalx",
    "//portal",
  ])("has nothing at %s", async (path) => {
    const browser = new HostBrowser(service);
    const headers = { authorization: `Bearer ${acme.api_key}`, accept: "text/html" };
    expect((await browser.send(ACME, path, { headers })).status).toBe(404);
    expect((await browser.send(ACME, path, { headers, body: {} })).status).toBe(404);
  });

  const FORWARDED = { "x-forwarded-host": ACME, forwarded: `host=${ACME}` };

  it.each([OWN, `${OWN}:8443`, `${OWN.toUpperCase()}.`, API, "localhost:3000", "127.0.0.1", "[::1]:3000"])(
    "is not %s, where the whole service is",
    async (host) => {
      const browser = new HostBrowser(service);
      const headers = { ...FORWARDED, authorization: `Bearer ${acme.api_key}` };
      expect((await browser.send(host, "/portal/look", { headers })).status).toBe(404);
      expect((await browser.send(host, "/docs", { headers })).headers.get("location")).toMatch(/docs\/$/);
      expect((await browser.send(host, "/v1/campaigns", { headers })).status).toBe(200);
    },
  );

  it.each(["nobody.example", "192.0.2.1", "localhost.evil.example", `x.${ACME}`, `${ACME}@x`])(
    "is not %s, where nothing is but the answers to probes",
    async (host) => {
      const browser = new HostBrowser(service);
      const headers = { ...FORWARDED, authorization: `Bearer ${acme.api_key}` };
      for (const path of [
        "/",
        "/sign-in",
        "/portal/look?organization=acme",
        "/v1/campaigns",
        "/tracker.js",
      ]) {
        expect(codeOf(await browser.send(host, path, { headers })), path).toEqual([
          421,
          "misdirected_request",
        ]);
      }
      expect((await browser.send(host, "/healthz")).status).toBe(200);
      expect((await browser.send(host, "/readyz")).status).toBe(200);
    },
  );

  it("is any one without PUBLIC_URL", async () => {
    const local = await startTestService();
    try {
      expect((await new HostBrowser(local).send("findersfee.lan", "/docs")).status).toBe(302);
    } finally {
      await local.close();
    }
  });

  it("changes the language of people who are in no program of others alone", async () => {
    const mine = "only-acme@example.com";
    await acme.trpc.affiliates.create.mutate({ email: mine });
    for (const email of [JANE, mine]) {
      const browser = await signIn(ACME, email);
      const body = { language: "de" };
      expect((await browser.send(ACME, "/portal/trpc/settings.set_language", { body })).status).toBe(200);
    }
    const stored = await service.database`
      select email, language from portal_accounts where email = any (${[JANE, mine]}::text[])`;
    expect([...stored]).toEqual([{ email: mine, language: "de" }]);
  });

  it.runIf(FULL_TESTS)(
    "counts once its record proves it, and until another one is stored, within seconds",
    async () => {
      const initech = await openProgram("initech", "partners.initech.com");
      const browser = new HostBrowser(service);
      const lookAt = async (host: string) => (await browser.send(host, "/portal/look")).status;
      expect(await lookAt("partners.initech.com")).toBe(200);
      const settings = (await service.staff(initech.organization_id, "admin")).trpc.dashboard.portal;
      await expect.poll(async () => (await settings.get.query()).host_seen_at).not.toBeNull();
      const host = "xn--bcher-kva.initech.com";
      const stored = await settings.update.mutate({ host: "bücher.initech.com" });
      expect(stored).toMatchObject({ host, host_seen_at: null, urls: { host: null } });
      await expect.poll(() => lookAt("partners.initech.com")).toBe(421);
      expect((await settings.check_host.mutate({})).host_proof?.failure).toBe("missing");
      expect(await lookAt(host)).toBe(421);
      const record = stored.host_proof?.record ?? { name: "", value: "" };
      names.records.set(record.name, [record.value]);
      expect(await settings.check_host.mutate({})).toMatchObject({
        urls: { host: `https://${host}/portal` },
      });
      await expect.poll(() => lookAt(host)).toBe(200);
      for (const refused of [OWN, API, "findersfee.internal"]) {
        const update = settings.update.mutate({ host: refused });
        await expect(update, refused).rejects.toMatchObject({ data: { issues: [{ path: "host" }] } });
      }
      // The former name is closed to others.
      const other = (await service.staff(globex.organization_id, "admin")).trpc.dashboard.portal;
      const taking = other.update.mutate({ host: "partners.initech.com" });
      await expect(taking).rejects.toMatchObject({ data: { issues: [{ path: "host" }] } });
    },
  );

  it("shows and joins its own programs alone", async () => {
    const program = async (of: TestClient, slug: string) => {
      const [row] = await service.database<[{ id: string }]>`
        update campaigns set joining = 'listed' where organization_id = ${of.organization_id} returning id`;
      return { slug, campaign_id: row.id };
    };
    const [own, foreign] = [await program(acme, "acme"), await program(globex, "globex")];
    const browser = new HostBrowser(service);
    for (const [{ slug, campaign_id }, status] of [
      [own, 200],
      [foreign, 404],
    ] as const) {
      expect((await browser.send(ACME, `/portal/auth/programs/${slug}`)).status).toBe(status);
      expect((await browser.send(ACME, `/portal/auth/programs/${slug}/${campaign_id}`)).status).toBe(status);
      const email = `new@${slug}.example`;
      const body = { slug, campaign_id, email, first_name: "Jane", language: "en", custom_fields: [] };
      expect((await browser.send(ACME, "/portal/auth/join", { body })).status).toBe(status);
    }
    const { code } = await mailedTo(service, "new@acme.example");
    expect((await enter(browser, ACME, code)).body.data.joined).toMatchObject({ is_new: true });
    expect((await me(browser, ACME)).body.result.data.programs).toHaveLength(1);
  });
});

describe("a session of a host", () => {
  it("is in a cookie of that host alone", async () => {
    const browser = new HostBrowser(service);
    const asked = await ask(browser, ACME);
    const { code } = await mailedTo(service, JANE);
    const entered = await enter(browser, ACME, code);
    const lines = [...asked.headers.getSetCookie(), ...entered.headers.getSetCookie()];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toMatch(
        /^__Host-findersfee_portal(_code)?=[A-Za-z0-9_-]*; Path=\/; HttpOnly; SameSite=Lax; /,
      );
      expect(line).toMatch(/; Secure$/);
      expect(line).not.toMatch(/domain/i);
    }
  });

  it("sees the programs of its organization alone", async () => {
    const programs = async (host: string) =>
      (await me(await signIn(host), host)).body.result.data.programs.map(
        ({ organization_name }: { organization_name: string }) => organization_name,
      );
    expect(await programs(ACME)).toEqual(["acme"]);
    expect(await programs(GLOBEX)).toEqual(["globex"]);
    expect(await programs(OWN)).toEqual(["globex", "acme"]);
  });

  it("cannot work for an affiliate of another organization", async () => {
    const browser = await signIn(ACME);
    const affiliates = await service.database<{ id: string; organization_id: string }[]>`
      select id, organization_id from affiliates where email = ${JANE}`;
    for (const { id, organization_id } of affiliates) {
      const headers = { "findersfee-affiliate": id };
      const { status } = await browser.send(ACME, "/portal/trpc/program.get", { headers });
      expect(status).toBe(organization_id === acme.organization_id ? 200 : 403);
    }
  });

  it("is refused at every other host, in each direction", async () => {
    for (const from of [OWN, ACME, GLOBEX]) {
      const token = (await signIn(from)).cookiesOf(from).get(COOKIE) ?? "";
      for (const to of [OWN, ACME, GLOBEX]) {
        const thief = new HostBrowser(service);
        thief.cookiesOf(to).set(COOKIE, token);
        // Twice: the second one finds the token in the cache.
        for (const _ of [1, 2]) {
          expect(codeOf(await me(thief, to)), `${from} at ${to}`).toEqual(
            from === to ? [200, undefined] : [401, expect.anything()],
          );
        }
      }
    }
  });

  it("lists and ends the sessions of its host alone", async () => {
    const email = "max@example.com";
    for (const { trpc } of [acme, globex]) await trpc.affiliates.create.mutate({ email });
    const own = await signIn(OWN, email);
    const at_globex = await signIn(GLOBEX, email);
    const at_acme = await signIn(ACME, email);
    await signIn(ACME, email);
    const list = async (browser: HostBrowser, host: string): Promise<{ id: string }[]> =>
      (await browser.send(host, "/portal/trpc/sessions.list")).body.result.data;
    const end = async (browser: HostBrowser, host: string, id: string) =>
      (await browser.send(host, "/portal/trpc/sessions.end", { body: { id } })).status;
    expect(await list(at_acme, ACME)).toHaveLength(2);
    expect(await list(at_globex, GLOBEX)).toHaveLength(1);
    const all = await list(own, OWN);
    expect(all).toHaveLength(4);
    const [globex_session] = await list(at_globex, GLOBEX);
    expect(await end(at_acme, ACME, globex_session?.id ?? "")).toBe(404);
    const ended = await at_acme.send(ACME, "/portal/trpc/sessions.end_others", { body: {} });
    expect(ended.body.result.data).toEqual({ ended: 1 });
    expect(await list(own, OWN)).toHaveLength(3);
    // The service's own host is the person's alone: there, every session can be ended.
    expect(await end(own, OWN, globex_session?.id ?? "")).toBe(200);
    await expect.poll(async () => (await me(at_globex, GLOBEX)).status).toBe(401);
  });
});

describe("a code of a host", () => {
  it("is accepted at no other host, even with the cookie of the browser that asked for it", async () => {
    for (const from of [OWN, ACME]) {
      const browser = new HostBrowser(service);
      await ask(browser, from);
      const { code, link } = await mailedTo(service, JANE);
      for (const to of [OWN, ACME, GLOBEX].filter((host) => host !== from)) {
        const other = new HostBrowser(service);
        for (const [name, value] of browser.cookiesOf(from)) other.cookiesOf(to).set(name, value);
        expect(codeOf(await enter(other, to, code))).toEqual([401, "code_invalid"]);
        const by_link = await other.send(to, "/portal/auth/sign-in/link", { body: { token: link } });
        expect(codeOf(by_link)).toEqual([404, "link_invalid"]);
      }
      // None of these used it up.
      expect((await enter(browser, from, code)).status).toBe(200);
    }
  });

  it("is mailed to affiliates of the organization alone, and the answer is the same", async () => {
    const email = "only-globex@example.com";
    await globex.trpc.affiliates.create.mutate({ email });
    const answer = await ask(new HostBrowser(service), ACME, email);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: {} }]);
    expect(await service.database`select from mails where recipient = ${email}`).toEqual([]);
    await ask(new HostBrowser(service), GLOBEX, email);
    expect(await service.database`select from mails where recipient = ${email}`).toHaveLength(1);
  });

  it.each([
    [ACME, ACME],
    [OWN, OWN],
  ])("asked for at %s has a link to %s", async (host, expected) => {
    await ask(new HostBrowser(service), host);
    const [mail] = await service.database<DueMail[]>`
      select mail.*, organization.name as organization_name from mails mail
      join organizations organization on organization.id = mail.organization_id
      join portal_codes code on code.id::text = mail.about
      where mail.recipient = ${JANE} order by code.id desc limit 1`;
    if (mail === undefined) throw new Error("no code was mailed");
    const { secrets_key } = ENDPOINT_POLICY;
    const parts = {
      sql: service.database,
      secrets_key,
      key: unsubscribeKey(secrets_key),
      public_url: PUBLIC_URL,
    };
    const { link } = await mailedTo(service, JANE);
    const address = `https://${expected}/portal/sign-in/confirm#${link}`;
    expect(await composeMail(parts, mail)).toMatchObject({ text: expect.stringContaining(address) });
    if (host === OWN) return;
    await service.database`update organizations set portal_host_proven_at = null where slug = 'acme'`;
    expect(await composeMail(parts, mail)).toHaveProperty("dropped");
    await service.database`update organizations set portal_host_proven_at = now() where slug = 'acme'`;
  });
});

describe("a change at a host", () => {
  it("comes from a page of that host", async () => {
    const browser = await signIn(ACME);
    const signOut = (headers: Record<string, string>) =>
      browser.send(ACME, "/portal/auth/sign-out", { body: {}, headers });
    for (const headers of [
      { origin: PUBLIC_URL },
      { origin: `https://${GLOBEX}` },
      { origin: `http://${ACME}` },
      { origin: `https://${ACME}:8443` },
      { origin: "null" },
      { origin: `https://${ACME}`, "sec-fetch-site": "same-site" },
      { origin: `https://${ACME}`, "sec-fetch-site": "cross-site" },
    ]) {
      expect(codeOf(await signOut(headers)), JSON.stringify(headers)).toEqual([403, "forbidden_origin"]);
    }
    expect((await signOut({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await me(browser, ACME)).status).toBe(401);
  });

  it("does not come from there at the service's own host", async () => {
    const browser = await signIn(OWN);
    const headers = { origin: `https://${ACME}` };
    const refused = await browser.send(OWN, "/portal/auth/sign-out", { body: {}, headers });
    expect(codeOf(refused)).toEqual([403, "forbidden_origin"]);
    const dashboard = await browser.send(OWN, "/auth/sign-in", { body: {}, headers });
    expect(codeOf(dashboard)).toEqual([403, "forbidden_origin"]);
  });
});
