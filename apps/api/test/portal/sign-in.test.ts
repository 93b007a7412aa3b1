import { randomBytes, randomUUID } from "node:crypto";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { mailedCode } from "@findersfee/domain/portal/mailed-code";
import { requestCode, signInWithMailedCode } from "@findersfee/domain/portal/sign-in";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, codeOf, openBrowser } from "../browser.ts";
import { newPerson } from "../identity/people.ts";
import { CAMPAIGN } from "../program.ts";
import { staffOf } from "../staff.ts";
import { ENDPOINT_POLICY, startTestService, type TestClient, type TestService } from "../test-service.ts";
import { agreeToAll, mailedTo, openPortal, portalOf } from "./affiliate-browser.ts";

let service: TestService;
let organization: TestClient;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
});
afterAll(() => service.close());

async function newAffiliate(of = organization) {
  const email = `jane-${randomUUID()}@example.com`;
  const affiliate = await of.trpc.affiliates.create.mutate({ email });
  await agreeToAll(service, email);
  return affiliate;
}

function request(email: string, browser = openBrowser(service)) {
  return browser.post("/portal/auth/code", { email });
}

function enter(browser: Browser, code: string) {
  return browser.post("/portal/auth/sign-in", { code });
}

/** A code that is not the right one. */
function wrong(code: string): string {
  return code === "000000" ? "000001" : "000000";
}

describe("a code", () => {
  it("opens a session of the address, in a cookie of its own, and is accepted once", async () => {
    const { id, email } = await newAffiliate();
    const browser = openBrowser(service);
    expect((await request(email.toUpperCase(), browser)).body).toEqual({ success: true, data: {} });
    const { code } = await mailedTo(service, email);
    const used = new Map(browser.cookies);
    const { status, headers, body } = await enter(browser, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { joined: null } } });
    expect(headers.getSetCookie().at(-1)).toMatch(
      /^findersfee_portal=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    expect([...browser.cookies.keys()]).toEqual(["findersfee_portal"]);
    const me = await portalOf(service, browser).me.get.query();
    expect(me).toMatchObject({ email, programs: [{ affiliate_id: id, state: "active" }] });
    const again = openBrowser(service);
    for (const [name, value] of used) again.cookies.set(name, value);
    expect((await enter(again, code)).body.error.code).toBe("code_invalid");
  });

  it("is refused in another browser, and without a cookie", async () => {
    const { email } = await newAffiliate();
    await request(email);
    const { code } = await mailedTo(service, email);
    const other = openBrowser(service);
    expect((await enter(other, code)).body.error.code).toBe("code_invalid");
    await request((await newAffiliate()).email, other);
    expect((await enter(other, code)).body.error.code).toBe("code_invalid");
    other.cookies.set("findersfee_portal_code", randomBytes(32).toString("base64url"));
    expect((await enter(other, code)).body.error.code).toBe("code_invalid");
  });

  it("is refused after five wrong ones, and when it has expired", async () => {
    const { email } = await newAffiliate();
    const browser = openBrowser(service);
    await request(email, browser);
    const { code } = await mailedTo(service, email);
    for (let attempt = 0; attempt < 5; attempt++) {
      const { status, body } = await enter(browser, wrong(code));
      expect({ status, message: body.error.message }).toEqual({ status: 401, message: "The code is wrong." });
    }
    expect((await enter(browser, code)).body.error.message).toMatch(/Request a new one/);
    await request(email, browser);
    const second = (await mailedTo(service, email)).code;
    await service.database`update portal_codes set expires_at = now() - interval '1 second' where email = ${email}`;
    expect((await enter(browser, second)).body.error.message).toMatch(/Request a new one/);
  });

  it("is counted when it is wrong, also by requests at the same time", async () => {
    const { email } = await newAffiliate();
    const browser = openBrowser(service);
    await request(email, browser);
    const { code } = await mailedTo(service, email);
    await Promise.all(Array.from({ length: 12 }, () => enter(browser, wrong(code))));
    const [row] = await service.database`select failures from portal_codes where email = ${email}`;
    expect(row).toEqual({ failures: 5 });
  });

  it("gives way to the link after 50 wrong ones of an address in a day", async () => {
    const { email } = await newAffiliate();
    const browser = openBrowser(service);
    await request(email, browser);
    await service.database`update portal_codes set failures = 50, expires_at = now() - interval '1 second' where email = ${email}`;
    await request(email, browser);
    const { code, link } = await mailedTo(service, email);
    expect((await enter(browser, code)).body.error.message).toMatch(/Use the link/);
    expect((await browser.post("/portal/auth/sign-in/link", { token: link })).status).toBe(200);
  });

  it("is not mailed to an address that no affiliate has, and the answer is the same", async () => {
    const email = "nobody@example.com";
    const browser = openBrowser(service);
    expect((await request(email, browser)).body).toEqual({ success: true, data: {} });
    expect([...browser.cookies.keys()]).toEqual(["findersfee_portal_code"]);
    expect(await service.database`select from mails where recipient = ${email}`).toEqual([]);
    const [row] = await service.database<
      [{ id: string }]
    >`select id from portal_codes where email = ${email}`;
    const guessed = mailedCode(ENDPOINT_POLICY.secrets_key, row.id);
    expect((await enter(browser, guessed)).body.error.message).toBe("The code is wrong.");
  });

  it("is mailed five times in 15 minutes at most for one network, and also for another", async () => {
    const { email } = await newAffiliate();
    const mails = async () => (await service.database`select from mails where recipient = ${email}`).length;
    for (let attempt = 0; attempt < 7; attempt++) await request(email);
    expect(await mails()).toBe(5);
    const { secrets_key } = ENDPOINT_POLICY;
    const own = { email, limited_to: null, network: "198.51.100" };
    await requestCode({ database: service.database, secrets_key }, own);
    expect(await mails()).toBe(6);
  });

  it("is mailed despite ten networks that ask for more, 180 times in a day at most", async () => {
    const { email } = await newAffiliate();
    const { secrets_key } = ENDPOINT_POLICY;
    const ask = (network: string) =>
      requestCode({ database: service.database, secrets_key }, { email, limited_to: null, network });
    const mails = async () => (await service.database`select from mails where recipient = ${email}`).length;
    for (let network = 0; network < 10; network++)
      for (let attempt = 0; attempt < 6; attempt++) await ask(`192.0.${network}`);
    expect(await mails()).toBe(50);
    await ask("198.51.100");
    expect(await mails()).toBe(51);
    for (let hour = 0; hour < 4; hour++) {
      await service.database`
        update portal_codes set expires_at = now() - interval '1 second' where email = ${email}`;
      for (let network = 0; network < 14; network++)
        for (let attempt = 0; attempt < 5; attempt++) await ask(`192.0.${network}`);
    }
    expect(await mails()).toBe(180);
  });

  it.each(LOST_ANSWERS)("is stored with its mail or not at all when a call fails (%s)", async (kind) => {
    const { email } = await newAffiliate();
    const { secrets_key } = ENDPOINT_POLICY;
    await failEachCall(service.database_url, kind, async (database) => {
      await requestCode({ database, secrets_key }, { email, limited_to: null, network: "" }).catch(
        () => null,
      );
      const [row] = await service.database<[{ codes: number; mails: number }]>`
        select (select count(*)::int from portal_codes where email = ${email}) as codes,
          (select count(*)::int from mails where recipient = ${email}) as mails`;
      expect(row.codes).toBe(row.mails);
    });
  });

  it.each(LOST_ANSWERS)("is used with its session or not at all when a call fails (%s)", async (kind) => {
    const { email } = await newAffiliate();
    const { secrets_key } = ENDPOINT_POLICY;
    const browser = { ip_address: "127.0.0.1", user_agent: null };
    await failEachCall(service.database_url, kind, async (database) => {
      const { token } = await requestCode(
        { database: service.database, secrets_key },
        { email, limited_to: null, network: "" },
      );
      const [code] = await service.database<[{ id: string }]>`
        select id from portal_codes where email = ${email} order by id desc limit 1`;
      const sent = { token, code: mailedCode(secrets_key, code.id), limited_to: null };
      await signInWithMailedCode({ database, secrets_key, notifyWorkers: () => {} }, sent, browser).catch(
        () => null,
      );
      const [row] = await service.database<[{ used: number; sessions: number }]>`
        select (select count(*)::int from portal_codes where email = ${email} and used_at is not null) as used,
          (select count(*)::int from portal_sessions where email = ${email}) as sessions`;
      expect(row.used).toBe(row.sessions);
    });
  });
});

describe("a link", () => {
  it("signs in once, in any browser", async () => {
    const { email } = await newAffiliate();
    await request(email);
    const { link } = await mailedTo(service, email);
    const phone = openBrowser(service);
    const first = await phone.post("/portal/auth/sign-in/link", { token: link });
    expect({ status: first.status, body: first.body }).toEqual({
      status: 200,
      body: { success: true, data: { joined: null } },
    });
    expect((await portalOf(service, phone).me.get.query()).email).toBe(email);
    const second = await openBrowser(service).post("/portal/auth/sign-in/link", { token: link });
    expect(second.body.error.code).toBe("link_invalid");
  });

  it("says whose it is, masked, and stays open", async () => {
    const { email } = await newAffiliate();
    await request(email);
    const { link } = await mailedTo(service, email);
    const path = "/portal/auth/sign-in/link/account";
    const [name = "", host] = email.split("@");
    for (let times = 0; times < 2; times++) {
      const { body } = await openBrowser(service).post(path, { token: link });
      expect(body.data).toEqual({ email: `${name[0]}…${name.at(-1)}@${host}` });
    }
    expect((await openBrowser(service).post("/portal/auth/sign-in/link", { token: link })).status).toBe(200);
    for (const token of [link, randomBytes(32).toString("base64url"), ""]) {
      expect((await openBrowser(service).post(path, { token })).body.error.code).toBe("link_invalid");
    }
  });

  it("is refused when it is forged, of another kind, or of a code that was used", async () => {
    const { email } = await newAffiliate();
    const browser = openBrowser(service);
    await request(email, browser);
    const { code, link } = await mailedTo(service, email);
    await enter(browser, code);
    for (const token of [link, randomBytes(32).toString("base64url"), "", "x".repeat(200)]) {
      const { body } = await openBrowser(service).post("/portal/auth/sign-in/link", { token });
      expect(body.error.code).toBe("link_invalid");
    }
  });
});

describe("a session of the portal", () => {
  it("has the programs of all organizations, without those of test data", async () => {
    const { id, email } = await newAffiliate();
    const other = await service.organization();
    await other.trpc.campaigns.create.mutate({ ...CAMPAIGN, name: "Friends", is_default: true });
    const second = await other.trpc.affiliates.create.mutate({ email: email.toUpperCase(), approved: false });
    const test = await service.organization();
    await test.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    await test.trpc.affiliates.create.mutate({ email });
    await service.database`
      update organizations set test_of = ${other.organization_id} where id = ${test.organization_id}`;
    const { programs } = await portalOf(service, await openPortal(service, email)).me.get.query();
    expect(programs).toMatchObject([
      { affiliate_id: second.id, campaign_name: "Friends", state: "waiting" },
      { affiliate_id: id, campaign_name: "Partner program", state: "active" },
    ]);
  });

  it("is no session of the dashboard, nor the other way around", async () => {
    const { email } = await newAffiliate();
    const browser = await openPortal(service, email);
    const token = browser.cookies.get("findersfee_portal") ?? "";
    browser.cookies.set("findersfee_session", token);
    expect(await codeOf(browser.account.me.get.query())).toBe("session_expired");
    const { browser: staff } = await newPerson(service);
    staff.cookies.set("findersfee_portal", staff.cookies.get("findersfee_session") ?? "");
    expect(await codeOf(portalOf(service, staff).me.get.query())).toBe("session_expired");
    staff.cookies.delete("findersfee_portal");
    expect(await codeOf(portalOf(service, staff).me.get.query())).toBe("unauthorized");
  });

  it("is listed and ended, the others at once, and none of another address", async () => {
    const { email } = await newAffiliate();
    const [here, there] = [await openPortal(service, email), await openPortal(service, email)];
    const stranger = await openPortal(service, (await newAffiliate()).email);
    const { sessions } = portalOf(service, here);
    const listed = await sessions.list.query();
    expect(listed.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const [foreign] = await portalOf(service, stranger).sessions.list.query();
    expect(await codeOf(sessions.end.mutate({ id: foreign?.id ?? "" }))).toBe("not_found");
    expect(await sessions.end_others.mutate({})).toEqual({ ended: 1 });
    expect(await sessions.list.query()).toHaveLength(1);
    await there.post("/portal/auth/sign-out");
    await here.post("/portal/auth/sign-out");
    expect(here.cookies.size).toBe(0);
    const rows = await service.database`select from portal_sessions where email = ${email}`;
    expect(rows).toEqual([]);
  });

  it("stores only the hash of its token", async () => {
    const browser = await openPortal(service, (await newAffiliate()).email);
    const rows =
      await service.database`select row_to_json(portal_sessions)::text as row from portal_sessions`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get("findersfee_portal"));
  });

  it("cannot be opened or used by a page of another site", async () => {
    const { email } = await newAffiliate();
    const foreign = openBrowser(service, "https://evil.example");
    expect((await request(email, foreign)).body.error.code).toBe("forbidden_origin");
    const browser = await openPortal(service, email);
    const { status } = await browser.post(
      "/portal/trpc/sessions.end_others",
      {},
      { origin: "https://evil.example" },
    );
    expect(status).toBe(403);
  });

  it("ends when its affiliate is erased, unless another affiliate has the address", async () => {
    const jane = await newAffiliate();
    const other = await service.organization();
    await other.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
    await other.trpc.affiliates.create.mutate({ email: jane.email });
    await openPortal(service, jane.email);
    const sessions = () => service.database`select from portal_sessions where email = ${jane.email}`;
    const { staff } = await staffOf(service, organization.organization_id);
    await staff.erasures.affiliate.mutate({ affiliate_id: jane.id });
    expect(await sessions()).toHaveLength(1);
    const alone = await newAffiliate();
    await openPortal(service, alone.email);
    await request(alone.email);
    await staff.erasures.affiliate.mutate({ affiliate_id: alone.id });
    const left = await service.database`
      select (select count(*)::int from portal_sessions where email = ${alone.email}) as sessions,
        (select count(*)::int from portal_codes where email = ${alone.email}) as codes,
        (select count(*)::int from mails where recipient = ${alone.email}) as mails`;
    expect(left).toEqual([{ sessions: 0, codes: 0, mails: 0 }]);
  });
});
