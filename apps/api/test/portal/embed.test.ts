/* The portal in a frame of the organization's product: tokens of its backend, and the sessions that they open. */
import { createTRPCClient, httpLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PortalRouter } from "../../src/portal/router.ts";
import { call, errorOf, surfaces } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { sharedTestService, type TestClient, type TestService } from "../test-service.ts";
import { openPortal } from "./affiliate-browser.ts";

let service: TestService;
let acme: TestClient;
let globex: TestClient;
let affiliate_id: string;
let emails = 0;

beforeAll(async () => {
  service = await sharedTestService();
  [acme, globex] = [await newOrganization(), await newOrganization()];
  affiliate_id = await newAffiliate(acme);
});
afterAll(() => service.close());

async function newOrganization(): Promise<TestClient> {
  const organization = await service.organization();
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  return organization;
}

async function newAffiliate({ trpc }: TestClient): Promise<string> {
  emails += 1;
  return (await trpc.affiliates.create.mutate({ email: `affiliate-${emails}@example.com` })).id;
}

const makeToken = ({ trpc }: TestClient, id = affiliate_id) =>
  trpc.portal_tokens.create.mutate({ affiliate_id: id });

const slugIn = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";

async function exchange(
  body: object,
  headers: Record<string, string> = {},
): Promise<{
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: checked below
  body: any;
}> {
  const response = await fetch(`${service.url}/portal/auth/embed`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.origin, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function openFrame(organization: TestClient, id = affiliate_id): Promise<string> {
  const { token, url } = await makeToken(organization, id);
  const { body } = await exchange({ organization: slugIn(url), token });
  return body.data.session;
}

function framed(session: string, id = affiliate_id) {
  const headers = {
    "findersfee-portal-session": session,
    "findersfee-affiliate": id,
    origin: service.origin,
  };
  return createTRPCClient<PortalRouter>({
    links: [httpLink({ url: `${service.url}/portal/trpc`, headers })],
  });
}

const codeOf = async (promise: Promise<unknown>) =>
  await promise.then(
    () => null,
    (error) => error.data.code,
  );

describe("a portal token", () => {
  it("is made on both surfaces, expires in two minutes, and is in the fragment of the frame's address", async () => {
    for (const surface of surfaces) {
      const { status, data } = await call(surface, acme, {
        name: "portal_tokens.create",
        input: { affiliate_id },
      });
      expect([status, data.affiliate_id]).toEqual([200, affiliate_id]);
      expect(data.url).toBe(`${service.url}/portal/embed/${slugIn(data.url)}#${data.token}`);
      expect(data.token).toMatch(/^[\w-]{43}$/);
      const left = Date.parse(data.expires_at) - Date.now();
      expect(left).toBeGreaterThan(100_000);
      expect(left).toBeLessThanOrEqual(120_000);
    }
  });

  it("is refused for affiliates of others, erased ones, and those of test data", async () => {
    const name = "portal_tokens.create";
    expect((await errorOf(globex, name, { affiliate_id })).code).toBe("not_found");
    const erased = await newAffiliate(acme);
    const staff = await service.staff(acme.organization_id);
    await staff.trpc.dashboard.erasures.affiliate.mutate({ affiliate_id: erased });
    expect((await errorOf(acme, name, { affiliate_id: erased })).issues).toEqual([
      { path: "affiliate_id", message: "This affiliate was erased." },
    ]);
    const tests = await newOrganization();
    const invented = await newAffiliate(tests);
    await service.database`
      update organizations set test_of = ${acme.organization_id} where id = ${tests.organization_id}`;
    expect((await errorOf(tests, name, { affiliate_id: invented })).issues).toEqual([
      { path: "affiliate_id", message: "Affiliates of test data have no portal." },
    ]);
  });

  it("is exchanged once, without a cookie", async () => {
    const { token, url } = await makeToken(acme);
    const input = { organization: slugIn(url), token };
    const first = await exchange(input);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ affiliate_id });
    expect(first.headers.get("set-cookie")).toBeNull();
    expect(first.headers.get("cache-control")).toBe("no-store");
    const left = Date.parse(first.body.data.expires_at) - Date.now();
    expect(left).toBeGreaterThan(59 * 60_000);
    expect(left).toBeLessThanOrEqual(60 * 60_000);
    const second = await exchange(input);
    expect([second.status, second.body.error.code]).toEqual([404, "link_invalid"]);
  });

  it("is refused when it is forged, expired, or of another organization, all with one answer", async () => {
    const { token, url } = await makeToken(acme);
    const slug = slugIn(url);
    const other = await makeToken(globex, await newAffiliate(globex));
    const expired = await makeToken(acme);
    await service.database`update portal_tokens set expires_at = now() where id = ${expired.id}`;
    const refused = [
      { organization: slug, token: `${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}` },
      { organization: slug, token: "" },
      { organization: slug, token: "\u{1f600}".repeat(40) },
      { organization: slug, token: expired.token },
      { organization: slug, token: other.token },
      { organization: "nobody", token },
    ];
    for (const input of refused) {
      const { status, body } = await exchange(input);
      expect([status, body.error.message]).toEqual([
        404,
        "This token is incomplete, was used, or has expired.",
      ]);
    }
    expect((await exchange({ organization: slug, token, more: 1 })).status).toBe(400);
    // None of these used it up.
    expect((await exchange({ organization: slug, token })).status).toBe(200);
    expect((await exchange({ organization: slugIn(other.url), token: other.token })).status).toBe(200);
  });

  it("is not exchanged for a page of another site", async () => {
    const { token, url } = await makeToken(acme);
    const input = { organization: slugIn(url), token };
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const { status, body } = await exchange(input, headers);
      expect([status, body.error.code]).toEqual([403, "forbidden_origin"]);
    }
    expect((await exchange(input, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

describe("the session of a frame", () => {
  it("sees its affiliate alone, although the address has others", async () => {
    const campaign = await acme.trpc.campaigns.create.mutate({ ...CAMPAIGN, name: "Second" });
    const { email } = await acme.trpc.affiliates.get.query({ id: affiliate_id });
    const { id: second } = await acme.trpc.affiliates.create.mutate({ email, campaign_id: campaign.id });
    const elsewhere = (await globex.trpc.affiliates.create.mutate({ email })).id;
    const session = await openFrame(acme);
    const me = await framed(session).me.get.query();
    expect(me.programs.map((program) => program.affiliate_id)).toEqual([affiliate_id]);
    expect(await framed(session).home.get.query()).toBeTypeOf("object");
    for (const id of [second, elsewhere]) {
      expect(await codeOf(framed(session, id).home.get.query())).toBe("not_an_affiliate");
      expect(await codeOf(framed(session, id).program.get.query())).toBe("not_an_affiliate");
    }
  });

  it("is in no list, and cannot see or end others", async () => {
    const { email } = await acme.trpc.affiliates.get.query({ id: affiliate_id });
    const session = await openFrame(acme);
    const { sessions } = framed(session);
    expect(await codeOf(sessions.list.query())).toBe("embedded_session");
    expect(await codeOf(sessions.end_others.mutate({}))).toBe("embedded_session");
    const browser = await openPortal(service, email);
    const cookie = `findersfee_portal=${browser.cookies.get("findersfee_portal")}`;
    const headers = { cookie, origin: service.origin };
    const own = createTRPCClient<PortalRouter>({
      links: [httpLink({ url: `${service.url}/portal/trpc`, headers })],
    });
    expect((await own.sessions.list.query()).map(({ is_current }) => is_current)).toEqual([true]);
    // Ending all others ends it, too.
    await own.sessions.end_others.mutate({});
    await expect.poll(() => codeOf(framed(session).me.get.query())).toBe("session_expired");
  });

  it("shows a banned affiliate its state, and nothing else", async () => {
    const id = await newAffiliate(acme);
    await acme.trpc.affiliates.update.mutate({ id, banned: true });
    const session = await openFrame(acme, id);
    expect((await framed(session, id).me.get.query()).programs).toMatchObject([{ state: "banned" }]);
    await framed(session, id).closed.get.query();
    expect(await codeOf(framed(session, id).home.get.query())).toBe("affiliate_not_active");
  });

  it("ends when it expires, and when the affiliate has another address", async () => {
    const id = await newAffiliate(acme);
    const session = await openFrame(acme, id);
    await acme.trpc.affiliates.update.mutate({ id, email: `moved-${id}@example.com` });
    await expect.poll(async () => (await framed(session, id).me.get.query()).programs).toEqual([]);
    await service.database`update portal_sessions set expires_at = now() where affiliate_id = ${id}`;
    await expect.poll(() => codeOf(framed(session, id).me.get.query())).toBe("session_expired");
  });

  it("changes nothing for a page of another site", async () => {
    const session = await openFrame(acme);
    const response = await fetch(`${service.url}/portal/trpc/claims.create`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "findersfee-portal-session": session,
        "findersfee-affiliate": affiliate_id,
        "sec-fetch-site": "cross-site",
      },
      body: "{}",
    });
    expect(response.status).toBe(403);
  });
});
