/* People with a session's cookie: which requests it authenticates, for which organization, and how long. */
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { type SignedIn, signIn, signInUser } from "@findersfee/domain/testing/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";
import {
  type StaffClient,
  sharedTestService,
  startTestService,
  type TestClient,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await sharedTestService();
  organization = await service.organization();
});

afterAll(() => service.close());

interface Sent {
  path?: string;
  headers: Record<string, string>;
  body?: unknown;
  of?: TestService;
}

/** Sends a request; reads the dashboard's settings by default. */
async function send({ path = "/trpc/dashboard.settings.get", headers, body, of = service }: Sent) {
  const response = await fetch(`${of.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the bodies
  const answer: any = await response.json();
  const code: string | null = answer.error?.data?.code ?? answer.error?.code ?? null;
  return { status: response.status, headers: response.headers, code, data: answer.result?.data };
}

it("gets answers that no cache stores", async () => {
  const { cookie } = await signIn(service.database, { ...organization, role: "viewer" });
  const headers = { cookie, "findersfee-organization": organization.organization_id };
  const settings = "dashboard.settings.get";
  for (const path of [`/trpc/${settings}`, `/trpc/${settings},${settings}?batch=1`, "/account/trpc/me.get"]) {
    const answer = await send({ path, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
});

describe("a request's organization", () => {
  it("is refused alike if missing, malformed, unknown or foreign", async () => {
    const { cookie } = await signIn(service.database, { ...organization, role: "owner" });
    const other = await service.organization();
    const refused = { status: 403, code: "not_a_member" };
    expect(await send({ headers: { cookie } })).toMatchObject(refused);
    for (const id of ["", "1", crypto.randomUUID(), other.organization_id]) {
      expect(await send({ headers: { cookie, "findersfee-organization": id } })).toMatchObject(refused);
    }
    const own = organization.organization_id.toUpperCase();
    expect(await send({ headers: { cookie, "findersfee-organization": own } })).toMatchObject({
      status: 200,
    });
  });

  it("selects the role of a person in several organizations", async () => {
    const { user_id, cookie } = await signIn(service.database, { ...organization, role: "viewer" });
    const second = await service.organization();
    await service.database`
      insert into members (organization_id, user_id, role, created_at)
      values (${second.organization_id}, ${user_id}, 'admin', now())`;
    const rename = async ({ organization_id }: TestClient) =>
      (
        await send({
          path: "/trpc/campaigns.create",
          headers: { cookie, origin: service.url, "findersfee-organization": organization_id },
          body: CAMPAIGN,
        })
      ).code;
    expect([await rename(organization), await rename(second)]).toEqual(["forbidden_role", null]);
  });
});

describe("a session", () => {
  /** Awaits the refusal of a session that worked, and how long it worked. */
  async function workedFor({ headers }: StaffClient, code: string): Promise<number> {
    const start = performance.now();
    let worked_milliseconds = 0;
    while (worked_milliseconds < 2000) {
      const sent_at = performance.now();
      const answer = await send({ headers });
      if (answer.code === code) break;
      expect(answer.status).toBe(200);
      worked_milliseconds = sent_at - start;
    }
    return worked_milliseconds;
  }

  it.each<[string, string, (client: StaffClient) => Promise<unknown>]>([
    [
      "a removed member",
      "not_a_member",
      ({ user_id }) => service.database`delete from members where user_id = ${user_id}`,
    ],
    [
      "a disabled user",
      "session_expired",
      ({ user_id }) => service.database`update users set disabled_at = now() where id = ${user_id}`,
    ],
    [
      "a deleted user",
      "session_expired",
      ({ user_id }) => service.database`delete from users where id = ${user_id}`,
    ],
    [
      "a person who signed out",
      "session_expired",
      ({ user_id }) => service.database`delete from user_sessions where user_id = ${user_id}`,
    ],
    [
      "a person whose session was ended early",
      "session_expired",
      ({ user_id }) =>
        service.database`update user_sessions set expires_at = now() - interval '1 second' where user_id = ${user_id}`,
    ],
  ])("of %s is refused within a second", async (_, code, end) => {
    const staff = await service.staff(organization.organization_id);
    expect(await send({ headers: staff.headers })).toMatchObject({ status: 200 });
    await end(staff);
    expect(await workedFor(staff, code)).toBeLessThan(1000);
  });

  it("is refused from its expiry on", async () => {
    const staff = await service.staff(organization.organization_id);
    const [row] = await service.database<[{ expires_at: Date }]>`
      update user_sessions set expires_at = now() + interval '300 milliseconds'
      where user_id = ${staff.user_id} returning expires_at`;
    await workedFor(staff, "session_expired");
    expect(Date.now()).toBeGreaterThanOrEqual(row.expires_at.getTime());
  });

  it("has a changed role once the cache has forgotten the old one", async () => {
    const { trpc, user_id } = await service.staff(organization.organization_id, "viewer");
    const change = () => trpc.dashboard.settings.update.mutate({ hold_days: 10 });
    await expect(change()).rejects.toMatchObject({ data: { code: "forbidden_role" } });
    await service.database`update members set role = 'admin' where user_id = ${user_id}`;
    await expect
      .poll(() =>
        change().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("authenticates no request to the API", async () => {
    const { headers } = await service.staff(organization.organization_id);
    for (const path of ["/v1/campaigns", "/v1/trpc/campaigns.list?input={}"]) {
      expect(await send({ path, headers })).toMatchObject({ status: 401, code: "unauthorized" });
    }
  });

  it("does not count beside an API key", async () => {
    const { headers } = await service.staff(organization.organization_id);
    const input = { ...organization, name: "Read", scopes: ["view" as const], expires_at: null };
    const { token } = await createApiKey(service.database, input);
    const path = "/trpc/dashboard.settings.update";
    const sent = { ...headers, authorization: `Bearer ${token}` };
    expect(await send({ path, headers: sent, body: {} })).toMatchObject({ code: "insufficient_scope" });
    const forged = { ...headers, authorization: "Bearer nonsense" };
    expect(await send({ path, headers: forged, body: {} })).toMatchObject({ code: "unauthorized" });
  });

  it("stops counting when the service's address is https, unless the cookie has the prefix", async () => {
    const secure = await startTestService({ public_url: "https://partners.example.com/app" });
    try {
      const { organization_id } = await secure.organization();
      const { token } = await signIn(secure.database, { organization_id, role: "owner" });
      const sent = (cookie: string) =>
        send({ of: secure, headers: { cookie, "findersfee-organization": organization_id } });
      expect(await sent(`findersfee_session=${token}`)).toMatchObject({ code: "unauthorized" });
      const cookie = `theme=dark; __Host-findersfee_session=${token}; x`;
      expect(await sent(cookie)).toMatchObject({ status: 200 });
    } finally {
      await secure.close();
    }
  });
});

describe("a change with a session", () => {
  let client: StaffClient;

  beforeAll(async () => {
    client = await service.staff(organization.organization_id);
  });

  const update = async (headers: Record<string, string>) => {
    const { origin: _, ...others } = client.headers;
    const path = "/trpc/dashboard.settings.update";
    return (await send({ path, headers: { ...others, ...headers }, body: {} })).code;
  };

  it.each<[string, () => Record<string, string>]>([
    ["the service's pages", () => ({ "sec-fetch-site": "same-origin" })],
    ["the service's pages, in a browser without Sec-Fetch-Site", () => ({ origin: service.url })],
  ])("is accepted from %s", async (_, headers) => {
    expect(await update(headers())).toBeNull();
  });

  it.each<[string, () => Record<string, string>]>([
    ["nowhere", () => ({})],
    ["another site", () => ({ "sec-fetch-site": "cross-site", origin: service.url })],
    ["another host of the same site", () => ({ "sec-fetch-site": "same-site", origin: service.url })],
    ["the address bar", () => ({ "sec-fetch-site": "none" })],
    ["another origin", () => ({ origin: "https://example.com" })],
    ["another port", () => ({ origin: "http://127.0.0.1:1" })],
    ["a sandboxed page", () => ({ origin: "null" })],
    ["a page whose origin begins like ours", () => ({ origin: `${service.url}.example.com` })],
  ])("is refused from %s", async (_, headers) => {
    expect(await update(headers())).toBe("forbidden_origin");
  });

  it("is refused as a form", async () => {
    const headers = { ...client.headers, "content-type": "text/plain" };
    const path = "/trpc/dashboard.settings.update";
    expect(await send({ path, headers, body: {} })).toMatchObject({ code: "unsupported_media_type" });
    const form = { ...client.headers, "content-type": "application/x-www-form-urlencoded" };
    expect(await send({ path, headers: form, body: {} })).toMatchObject({ code: "unsupported_media_type" });
  });

  it("is refused as a GET", async () => {
    const path = "/trpc/dashboard.settings.update?input={}";
    expect(await send({ path, headers: client.headers })).toMatchObject({ code: "method_not_allowed" });
  });

  it("is refused from other sites for files of payout runs and for a person's own data", async () => {
    const { origin: _, ...headers } = client.headers;
    const { status } = await fetch(`${service.url}/dashboard/payout-runs/${crypto.randomUUID()}/results`, {
      method: "POST",
      headers: { ...headers, "content-type": "text/csv", "sec-fetch-site": "cross-site" },
      body: "a",
    });
    expect(status).toBe(403);
    const path = "/account/trpc/me.update_preferences";
    expect(await send({ path, headers, body: {} })).toMatchObject({ code: "forbidden_origin" });
  });

  it("is accepted only from the public origin if the service has one", async () => {
    const proxied = await startTestService({ public_url: "http://partners.example.com/app" });
    try {
      const staff = await proxied.staff((await proxied.organization()).organization_id);
      const codeFrom = async (origin: string) => {
        const headers = { ...staff.headers, origin };
        const path = "/trpc/dashboard.settings.update";
        return (await send({ of: proxied, path, headers, body: {} })).code;
      };
      expect(await codeFrom("http://partners.example.com")).toBeNull();
      expect(await codeFrom(proxied.url)).toBe("forbidden_origin");
    } finally {
      await proxied.close();
    }
  });
});

describe("limits", () => {
  function cookieOf({ cookie }: SignedIn, organization_id: string) {
    return { cookie, "findersfee-organization": organization_id };
  }

  it("bound forged cookies per address like invalid keys, and leave known sessions alone", async () => {
    const limited = await startTestService({ failed_authentications_per_minute: 5, trust_proxy: 1 });
    try {
      const { organization_id } = await limited.organization();
      const known = await signIn(limited.database, { organization_id, role: "owner" });
      const from = (headers: Record<string, string>) =>
        send({ of: limited, headers: { ...headers, "x-forwarded-for": "203.0.113.7" } });
      expect(await from(cookieOf(known, organization_id))).toMatchObject({ status: 200 });
      for (let count = 0; count < 5; count++) {
        const token = "A".repeat(42) + count;
        const forged = await from({ cookie: `findersfee_session=${token}` });
        expect(forged).toMatchObject({ status: 401, code: "session_expired" });
      }
      const next = await from({ cookie: `findersfee_session=${"B".repeat(43)}` });
      expect(next).toMatchObject({ status: 429, code: "rate_limited" });
      expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await from({ authorization: "Bearer nonsense" })).toMatchObject({ status: 429 });
      expect(await from(cookieOf(known, organization_id))).toMatchObject({ status: 200 });
    } finally {
      await limited.close();
    }
  });

  it("count the calls of a person over all organizations and surfaces", async () => {
    const limited = await startTestService({ rate_limit_per_minute: 3 });
    try {
      const [first, second] = [await limited.organization(), await limited.organization()];
      const jane = await signIn(limited.database, { ...first, role: "viewer" });
      await limited.database`
        insert into members (organization_id, user_id, role, created_at)
        values (${second.organization_id}, ${jane.user_id}, 'viewer', now())`;
      const of = limited;
      expect((await send({ of, headers: cookieOf(jane, first.organization_id) })).status).toBe(200);
      expect((await send({ of, headers: cookieOf(jane, second.organization_id) })).status).toBe(200);
      const path = "/account/trpc/me.get";
      expect((await send({ of, path, headers: { cookie: jane.cookie } })).status).toBe(200);
      expect(await send({ of, path, headers: { cookie: jane.cookie } })).toMatchObject({
        status: 429,
        code: "rate_limited",
      });
      const kim = await signIn(limited.database, { ...first, role: "viewer" });
      expect((await send({ of, headers: cookieOf(kim, first.organization_id) })).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe("a person", () => {
  const path = "/account/trpc/me.get";

  it("gets the own name, preferences and organizations", async () => {
    const { organization_id } = organization;
    const { user_id, email, cookie } = await signIn(service.database, { organization_id, role: "admin" });
    const [{ slug }] = await service.database<[{ slug: string }]>`
      select slug from organizations where id = ${organization_id}`;
    expect((await send({ path, headers: { cookie } })).data).toEqual({
      user: { id: user_id, name: "Jane Doe", email, two_factor_enabled: false },
      preferences: { theme: "system", shortcuts: true, dates: "browser", list_columns: {} },
      organizations: [
        {
          ...{ id: organization_id, slug, name: "Test", currency: "USD", time_zone: "UTC", role: "admin" },
          portal_url: expect.stringMatching(/^http:\/\/[^/]+\/portal$/),
          join_url: expect.stringMatching(/^http:\/\/[^/]+\/portal\/[a-z0-9-]+\/join$/),
          test_of: null,
          needs_single_sign_on: false,
          second_factor_required: false,
        },
      ],
    });
  });

  it("gets the address of the portal at the organization's own host name", async () => {
    const { organization_id } = organization;
    const { cookie } = await signIn(service.database, { organization_id, role: "viewer" });
    const host = `partners-${organization_id}.example`;
    await service.database`
      update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now() where id = ${organization_id}`;
    const { data } = await send({ path, headers: { cookie } });
    await service.database`update organizations set portal_host_proven_at = null where id = ${organization_id}`;
    expect(data).toMatchObject({
      organizations: [
        {
          portal_url: expect.stringMatching(new RegExp(`^http://${host}(:\\d+)?/portal$`)),
          join_url: expect.stringMatching(new RegExp(`^http://${host}(:\\d+)?/join$`)),
        },
      ],
    });
  });

  it("may belong to no organization", async () => {
    const { cookie } = await signInUser(service.database, "Kim");
    expect((await send({ path, headers: { cookie } })).data).toMatchObject({
      user: { name: "Kim" },
      organizations: [],
    });
  });

  it("changes preferences one by one", async () => {
    const { cookie } = await signInUser(service.database);
    const headers = { cookie, origin: service.url };
    const update = async (body: object) =>
      await send({ path: "/account/trpc/me.update_preferences", headers, body });
    const dark = { theme: "dark", shortcuts: true, dates: "day_first", list_columns: {} };
    expect((await update({ dates: "day_first" })).data).toEqual({ ...dark, theme: "system" });
    expect((await update({ theme: "dark" })).data).toEqual(dark);
    const list_columns = { payments: ["date", "amount"] };
    expect((await update({ list_columns })).data).toEqual({ ...dark, list_columns });
    const preferences = { ...dark, list_columns, shortcuts: false };
    expect((await update({ shortcuts: false })).data).toEqual(preferences);
    expect((await send({ path, headers })).data.preferences).toEqual(preferences);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [number, []]));
    for (const wrong of [{ theme: "blue" }, { dates: "iso" }, { list_columns: many }, { nonsense: 1 }]) {
      expect(await update(wrong)).toMatchObject({ status: 400, code: "invalid_request" });
    }
  });

  it("is nobody without a session, or with an API key", async () => {
    const authorization = `Bearer ${organization.api_key}`;
    for (const headers of [{}, { authorization }, { cookie: "findersfee_session=" }] as Sent["headers"][]) {
      expect(await send({ path, headers })).toMatchObject({ status: 401 });
    }
  });
});
