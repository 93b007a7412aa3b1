import { createTRPCClient, httpLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PortalRouter } from "../../src/portal/router.ts";
import { CAMPAIGN } from "../program.ts";
import { type StaffClient, sharedTestService, type TestClient, type TestService } from "../test-service.ts";
import { openFrame, openPortal, openView } from "./affiliate-browser.ts";

let service: TestService;
let acme: TestClient;
let owner: StaffClient;
let jane: string;

beforeAll(async () => {
  service = await sharedTestService();
  acme = await service.organization();
  await acme.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  owner = await service.staff(acme.organization_id);
  jane = (await acme.trpc.affiliates.create.mutate({ email: "jane@example.com" })).id;
});
afterAll(() => service.close());

const headersOf = (session: string, affiliate_id = jane) => ({
  "findersfee-portal-session": session,
  "findersfee-affiliate": affiliate_id,
  origin: service.origin,
});

const viewing = (session: string, affiliate_id = jane) =>
  createTRPCClient<PortalRouter>({
    links: [httpLink({ url: `${service.url}/portal/trpc`, headers: headersOf(session, affiliate_id) })],
  });

async function codeOf(request: Promise<unknown>): Promise<string | null> {
  try {
    await request;
    return null;
  } catch (error) {
    return (error as { data?: { code?: string } }).data?.code ?? String(error);
  }
}

async function exchange(path: string, input: object, host?: string) {
  const headers: Record<string, string> = { "content-type": "application/json", origin: service.origin };
  if (host !== undefined) headers.host = host;
  const response = await fetch(`${service.url}/portal/auth/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(input),
  });
  // biome-ignore lint/suspicious/noExplicitAny: checked by the tests
  return { status: response.status, body: (await response.json()) as any };
}

const tokenOf = async (client = owner, id = jane) =>
  new URL((await client.trpc.dashboard.affiliates.viewPortal.mutate({ id })).url).hash.slice(1);

describe("the portal, viewed by staff", () => {
  it("opens once, for one affiliate, and the audit log says who opened it", async () => {
    const token = await tokenOf();
    const { body } = await exchange("view", { token });
    expect(body.data).toMatchObject({ affiliate_id: jane });
    const lasts = Date.parse(body.data.expires_at) - Date.now();
    expect(lasts).toBeGreaterThan(29 * 60_000);
    expect(lasts).toBeLessThanOrEqual(30 * 60_000);
    expect((await exchange("view", { token })).body.error.code).toBe("link_invalid");

    const portal = viewing(body.data.session);
    const me = await portal.me.get.query();
    expect(me).toMatchObject({ email: "jane@example.com", by_staff: true });
    expect(me.programs.map(({ affiliate_id }) => affiliate_id)).toEqual([jane]);
    await portal.home.get.query();
    await portal.settings.get.query();

    const changes = await owner.trpc.dashboard.changes.list.query({ resource_id: jane });
    expect(changes.data[0]).toMatchObject({
      resource: "affiliate",
      action: "viewed",
      actor: `user ${owner.user_id}`,
    });
  });

  it("shows one affiliate alone, although the address has others", async () => {
    const { id } = await acme.trpc.campaigns.create.mutate({ ...CAMPAIGN, name: "Second" });
    const second = await acme.trpc.affiliates.create.mutate({ email: "jane@example.com", campaign_id: id });
    const session = await openView(service, owner.trpc, jane);
    expect((await viewing(session).me.get.query()).programs).toHaveLength(1);
    expect(await codeOf(viewing(session, second.id).program.get.query())).toBe("not_an_affiliate");
  });

  it("changes nothing, and leaves no trace of a sign-in", async () => {
    const { id, email } = await acme.trpc.affiliates.create.mutate({ email: "max@example.com" });
    const rowOf = async () => (await service.database`select * from affiliates where id = ${id}`)[0];
    const before = await rowOf();
    const session = await openView(service, owner.trpc, id);
    const portal = viewing(session, id);
    expect(await codeOf(portal.leaving.leave.mutate({ email }))).toBe("staff_view");
    expect(await codeOf(portal.settings.set_language.mutate({ language: "de" }))).toBe("staff_view");
    expect(await codeOf(portal.sessions.list.query())).toBe("staff_view");
    expect(await rowOf()).toEqual(before);
    expect(await service.database`select from portal_codes where email = ${email}`).toHaveLength(0);
    const file = await fetch(`${service.url}/portal/files/${id}/data.json`, {
      headers: headersOf(session, id),
    });
    expect(file.status).toBe(403);
    expect(await file.json()).toMatchObject({ error: { code: "staff_view" } });
    // The affiliate's own list of sessions does not have it.
    const browser = await openPortal(service, email);
    const own = createTRPCClient<PortalRouter>({
      links: [
        httpLink({
          url: `${service.url}/portal/trpc`,
          headers: {
            cookie: `findersfee_portal=${browser.cookies.get("findersfee_portal")}`,
            origin: service.origin,
          },
        }),
      ],
    });
    expect(await own.sessions.list.query()).toHaveLength(1);
  });

  it("is the only way for people: tokens of frames are for API keys", async () => {
    for (const staff of [owner, await service.staff(acme.organization_id, "viewer")]) {
      const refused = staff.trpc.portal_tokens.create.mutate({ affiliate_id: jane });
      await expect(refused).rejects.toMatchObject({
        data: { code: "forbidden_role" },
        message:
          "Only API keys can call this operation. To see the portal as an affiliate sees it, choose “View as affiliate” on the affiliate’s page in the dashboard.",
      });
    }
  });

  it("needs the role admin in the organization of the affiliate", async () => {
    const viewer = await service.staff(acme.organization_id, "viewer");
    expect(await codeOf(tokenOf(viewer))).toBe("forbidden_role");
    const globex = await service.organization();
    expect(await codeOf(tokenOf(await service.staff(globex.organization_id)))).toBe("not_found");
  });

  it.each<[string, (staff: StaffClient) => Promise<unknown>]>([
    [
      "sign out of the dashboard",
      ({ user_id }) => service.database`delete from user_sessions where user_id = ${user_id}`,
    ],
    ["are removed", ({ user_id }) => service.database`delete from members where user_id = ${user_id}`],
    [
      "become viewers",
      ({ user_id }) => service.database`update members set role = 'viewer' where user_id = ${user_id}`,
    ],
    [
      "are disabled",
      ({ user_id }) => service.database`update users set disabled_at = now() where id = ${user_id}`,
    ],
  ])("ends when they %s", async (_, end) => {
    const staff = await service.staff(acme.organization_id, "admin");
    const session = await openView(service, staff.trpc, jane);
    await viewing(session).me.get.query();
    await end(staff);
    await expect.poll(() => codeOf(viewing(session).me.get.query())).toBe("session_expired");
  });

  it("ends when it is closed, and the cookie of an affiliate in the browser stays", async () => {
    const session = await openView(service, owner.trpc, jane);
    const response = await fetch(`${service.url}/portal/auth/sign-out`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headersOf(session) },
      body: "{}",
    });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([200, null]);
    await expect.poll(() => codeOf(viewing(session).me.get.query())).toBe("session_expired");
  });

  it("is no frame, and a frame is no view", async () => {
    const { slug } = (
      await service.database`
      select slug from organizations where id = ${acme.organization_id}`
    )[0] as { slug: string };
    const refused = await exchange("embed", { organization: slug, token: await tokenOf() });
    expect(refused.body.error.code).toBe("link_invalid");
    const { token } = await acme.trpc.portal_tokens.create.mutate({ affiliate_id: jane });
    expect((await exchange("view", { token })).body.error.code).toBe("link_invalid");
    const framed = await openFrame(service, acme.trpc, jane);
    expect((await viewing(framed).me.get.query()).by_staff).toBe(false);
  });
});
