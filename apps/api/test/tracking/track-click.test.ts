import { eventually } from "@findersfee/database/testing/eventually";
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { revokeApiKey } from "@findersfee/domain/identity/api-keys/revoke";
import { timeOfId } from "@findersfee/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unknownId } from "../program.ts";
import { responseError } from "../response-error.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import {
  BROWSER,
  click,
  countedClicks,
  createTrackedProgram,
  newVisitor,
  post,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

/** The response for a click that does not count. */
function notCounted(reason: string) {
  return { click_id: null, expires_at: null, cookie_duration: null, reason, cookie: false };
}
/** Longer than the caches' TTL of less than a second, with a margin for a busy machine. */

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service, { campaign: { cookie_duration: 60 } });
});

describe("a click", () => {
  it("is stored and counted; the response has its id and expiry", async () => {
    const url = "https://example.com/pricing";
    const referrer = "https://blog.example/";
    const { status, body } = await click(program, { url, referrer });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        click_id: expect.any(String),
        expires_at: expect.any(String),
        cookie_duration: 60,
        reason: null,
        cookie: false,
      },
    });
    const [row, ...others] = await storedClicks(service.database, program);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: body.data.click_id,
      affiliate_id: program.affiliate.id,
      code: "jane",
      landing_url: url,
      referrer,
    });
    expect(row?.clicked_at).toEqual(timeOfId(body.data.click_id));
    const days = (Date.parse(body.data.expires_at) - (row?.clicked_at.getTime() ?? 0)) / 86_400_000;
    expect(days).toBe(60);
    expect(await countedClicks(program)).toBe(1);
  });

  it("can be reported as JSON, and requires only key and code", async () => {
    const answer = await click(program, {}, { "content-type": "application/json" });
    expect(answer.body.data.click_id).toEqual(expect.any(String));
    const [row] = await storedClicks(service.database, program);
    expect([row?.landing_url, row?.referrer]).toEqual([null, null]);
  });

  it("matches the affiliate's code in any case", async () => {
    expect((await click(program, { code: "JANE" })).status).toBe(200);
    expect(await storedClicks(service.database, program)).toMatchObject([{ code: "jane" }]);
  });

  it("stores visitors only as a hash, the same for a browser within a day", async () => {
    // A click on another link in between: otherwise nothing is stored for the second click.
    await program.organization.trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
    await click(program);
    await click(program, { code: "joe" });
    await click(program, {}, { "user-agent": BROWSER.replace("142", "141") });
    const rows = await storedClicks(service.database, program);
    const hashes = rows.map(({ visitor_hash }) => visitor_hash);
    expect(hashes[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
    expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|Mozilla/);
  });

  it("stores addresses safely", async () => {
    const url = `https://example.com/{a,"b"}\\'; drop table clicks; -- ${"ü".repeat(400)}`;
    expect((await click(program, { url, referrer: "NULL" })).status).toBe(200);
    const [row] = await storedClicks(service.database, program);
    expect(row).toMatchObject({ landing_url: url, referrer: "NULL" });
  });
});

describe("does not count, with a null id", () => {
  async function expectNotCounted(
    reason: string,
    headers: Record<string, string | undefined> = {},
  ): Promise<void> {
    const { status, body } = await click(program, {}, headers);
    expect([status, body]).toEqual([200, { success: true, data: notCounted(reason) }]);
    expect(await countedClicks(program)).toBe(0);
    expect(await storedClicks(service.database, program)).toEqual([]);
  }

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
    "curl/8.5.0",
    "python-requests/2.32",
    "",
    // Longer than any browser's, and slow to match.
    `${BROWSER}${"; Device A1".repeat(100)}`,
  ])("what %s does", (user_agent) => expectNotCounted("bot", { "user-agent": user_agent }));

  it.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" },
    { "x-purpose": "preview" },
    { "x-moz": "prefetch" },
  ])("a prefetch: %j", (headers) => expectNotCounted("prefetch", headers));

  it("a banned affiliate's click within a second, and counts again after unbanning", async () => {
    expect((await click(program, {}, newVisitor())).body.data.click_id).not.toBeNull();
    const { trpc } = program.organization;
    await trpc.affiliates.update.mutate({ id: program.affiliate.id, banned: true });
    await eventually(async () =>
      expect((await click(program, {}, newVisitor())).body.data).toEqual(notCounted("not_approved")),
    );
    const before = await countedClicks(program);
    expect((await click(program, {}, newVisitor())).body.data).toEqual(notCounted("not_approved"));
    expect(await countedClicks(program)).toBe(before);
    await trpc.affiliates.update.mutate({ id: program.affiliate.id, banned: false });
    await eventually(async () =>
      expect((await click(program, {}, newVisitor())).body.data.click_id).not.toBeNull(),
    );
    expect(await countedClicks(program)).toBe((await storedClicks(service.database, program)).length);
  });

  it("a click of a just banned affiliate", async () => {
    await click(program);
    // So soon that this process still has the affiliate cached as eligible.
    await service.database`update affiliates set banned = true where id = ${program.affiliate.id}`;
    expect((await click(program, {}, newVisitor())).body.data).toEqual(notCounted("not_approved"));
    expect(await storedClicks(service.database, program)).toHaveLength(1);
  });

  it("an unapproved affiliate's click", async () => {
    const other = await createTrackedProgram(service, { affiliate: { approved: false } });
    expect((await click(other)).body.data).toEqual(notCounted("not_approved"));
    expect(await countedClicks(other)).toBe(0);
  });

  it("a click in a campaign without links", async () => {
    const other = await createTrackedProgram(service, {
      campaign: { code_mode: "coupon", reference_coupon: "coupon_1" },
    });
    expect((await click(other)).body.data).toEqual(notCounted("without_links"));
  });
});

describe("codes", () => {
  it.each(["jane/", "jane.", " jane ", "jane?utm_source=x", "jane&amp;x=1", "jane\u0000"])(
    "count with text around them: %j",
    async (code) => {
      expect((await click(program, { code })).body.data.click_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(await storedClicks(service.database, program)).toMatchObject([{ code: "jane" }]);
    },
  );

  it.each(["john", "janet", "constructor", "NULL"])("no affiliate has: %s", async (code) => {
    const refusal = responseError("rest", await click(program, { code }));
    expect([refusal.code, refusal.message]).toEqual([
      "not_found",
      "No affiliate of the organization has this code.",
    ]);
  });

  it("are unknown in another organization", async () => {
    const other = await createTrackedProgram(service, { affiliate: { ref_code: "other" } });
    expect((await click(other, { code: "other" })).status).toBe(200);
    expect(responseError("rest", await click(program, { code: "other" })).code).toBe("not_found");
  });

  it("take effect within a second after a change, and old ones keep working", async () => {
    await click(program);
    expect((await click(program, { code: "janet" })).status).toBe(404);
    await program.organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, ref_code: "janet" });
    await eventually(async () => {
      expect((await click(program, { code: "janet" })).status).toBe(200);
    });
    const { click_id } = (await click(program, {}, newVisitor())).body.data;
    const page = await fetch(`${service.url}/r/JANE?key=${program.organization.publishable_key}`, {
      redirect: "manual",
      headers: newVisitor(),
    });
    expect(page.headers.get("location")).toMatch(/\?via=jane&ff_click=/);
    const clicks = await storedClicks(service.database, program);
    expect(clicks.map(({ affiliate_id, code }) => [affiliate_id, code])).toEqual(
      ["jane", "janet", "jane", "jane"].map((code) => [program.affiliate.id, code]),
    );
    const signup = { key: program.organization.publishable_key, click_id, email: "kim@example.com" };
    expect((await post(`${service.url}/track/signup`, signup)).status).toBe(200);
    const { data } = await program.organization.trpc.referrals.list.query({});
    expect(data).toMatchObject([{ email: "kim@example.com", affiliate: { id: program.affiliate.id } }]);
  });

  it("are not valid in links if they are promo codes", async () => {
    const other = await createTrackedProgram(service, {
      campaign: { code_mode: "both", reference_coupon: "coupon_1" },
      affiliate: { promo_code: "SAVE20" },
    });
    expect((await click(other, { code: "SAVE20" })).status).toBe(404);
    expect((await click(other)).status).toBe(200);
  });
});

describe("keys", () => {
  it.each(["", "nonsense", `ff_pk_${"0".repeat(43)}`, "ff_pk_", "null"])(
    "are rejected when invalid: %s",
    async (key) => {
      const { code, message } = responseError("rest", await click(program, { key }));
      expect([code, message]).toEqual([
        "unauthorized",
        "Send the organization's publishable key, ff_pk_…, as `key`.",
      ]);
    },
  );

  it("are rejected when secret, since pages expose them", async () => {
    const { api_key } = program.organization;
    expect(responseError("rest", await click(program, { key: api_key })).code).toBe("insufficient_scope");
  });

  it("stop working within a second after revocation", async () => {
    const { organization_id } = program.organization;
    const options = { organization_id, name: "Page", scopes: ["track" as const], expires_at: null };
    const { id, token } = await createApiKey(service.database, options);
    expect((await click(program, { key: token })).status).toBe(200);
    await revokeApiKey(service.database, id);
    const revoked_at = performance.now();
    for (let status = 200; status !== 401; ) {
      const began = performance.now();
      ({ status } = await click(program, { key: token }));
      if (status !== 401) expect(began - revoked_at).toBeLessThan(1_000);
    }
  });

  it("cannot be used for the API", async () => {
    const client = service.client(program.organization.publishable_key);
    for (const [method, path] of [
      ["GET", "/campaigns"],
      ["GET", `/affiliates/${program.affiliate.id}`],
      ["GET", "/events"],
      ["POST", "/referrals"],
      ["PUT", `/affiliates/${program.affiliate.id}`],
    ] as const) {
      const answer = await client.rest(method, path, method === "GET" ? undefined : {});
      expect(responseError("rest", answer).code).toBe("insufficient_scope");
    }
    await expect(client.trpc.campaigns.list.query({})).rejects.toMatchObject({
      data: { code: "insufficient_scope" },
    });
  });
});

describe("a click that a redirect link has recorded", () => {
  async function follow(user_agent = BROWSER): Promise<string> {
    const { url, publishable_key } = program.organization;
    const response = await fetch(`${url}/r/jane?key=${publishable_key}`, {
      redirect: "manual",
      headers: { "user-agent": user_agent },
    });
    const id = new URL(response.headers.get("location") ?? "").searchParams.get("ff_click");
    if (id === null) throw new Error("the link returned no click");
    return id;
  }

  it("is reused without counting again", async () => {
    const click_id = await follow();
    const { body } = await click(program, { click_id });
    expect(body.data).toMatchObject({ click_id, cookie_duration: 60 });
    expect(await countedClicks(program)).toBe(1);
  });

  it("of another visitor counts as a new click", async () => {
    const click_id = await follow(BROWSER.replace("142", "141"));
    expect((await click(program, { click_id })).body.data.click_id).not.toBe(click_id);
    expect(await countedClicks(program)).toBe(2);
  });

  it("of another affiliate counts as a new click", async () => {
    const email = "john@example.com";
    await program.organization.trpc.affiliates.create.mutate({ email, ref_code: "john" });
    const click_id = await follow();
    expect((await click(program, { code: "john", click_id })).body.data.click_id).not.toBe(click_id);
  });

  it("of long ago counts as a new click", async () => {
    const click_id = await follow();
    const old_id = `0190${click_id.slice(4)}`;
    await service.database`
      update clicks set id = ${old_id}, clicked_at = clicked_at where id = ${click_id}`;
    expect((await click(program, { click_id: old_id })).body.data.click_id).not.toBe(old_id);
  });

  it.each([
    unknownId(),
    "ffffffff-ffff-7fff-bfff-ffffffffffff",
    "00000000-0000-0000-0000-000000000000",
    "nonsense",
    "",
    "'; drop table clicks",
  ])("never was: %s", async (click_id) => {
    const { status, body } = await click(program, { click_id });
    expect([status, body.data.click_id]).toEqual([200, expect.any(String)]);
    expect(body.data.click_id).not.toBe(click_id);
  });
});

describe("bad input", () => {
  it.each([
    ["", ["key", "code"]],
    ["{", [""]],
    ["[]", [""]],
    ["null", [""]],
    ['"text"', [""]],
    ["{}", ["key", "code"]],
    [{ key: 1, code: [] }, ["key", "code"]],
    [{ key: "k", code: "j" }, ["code"]],
    [{ key: "k", code: "a".repeat(65) }, ["code"]],
    [{ key: "k", code: "../jane" }, ["code"]],
    [{ key: "k", code: "\u0000jane" }, ["code"]],
    [{ key: "k".repeat(101), code: "jane" }, ["key"]],
    [{ key: "k", code: "jane", url: "a\u0000b" }, ["url"]],
    [{ key: "k", code: "jane", url: "a\u0000" }, ["url"]],
    [{ key: "k", code: "jane", referrer: "\ud800" }, ["referrer"]],
    [{ key: "k", code: "jane", referrer: null }, ["referrer"]],
    [{ key: "k", code: "jane", organization_id: unknownId() }, ["organization_id"]],
    ['{"key":"a","key":"b","code":"jane"}', [""]],
  ])("%.80j", async (body, paths) => {
    const { code, issues } = responseError("rest", await post(`${service.url}/track/click`, body));
    expect(code).toBe("invalid_request");
    expect(issues?.map(({ path }) => path)).toEqual(paths);
  });

  it("over 8 KiB", async () => {
    const { code, message } = responseError("rest", await click(program, { url: "x".repeat(9000) }));
    expect([code, message]).toEqual(["payload_too_large", "The body is larger than 8 KiB."]);
  });

  it.each(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/html"])(
    "as %s",
    async (type) => {
      const answer = await click(program, {}, { "content-type": type });
      expect(responseError("rest", answer).code).toBe("unsupported_media_type");
    },
  );

  it.each(["GET", "PUT", "DELETE"])("by %s", async (method) => {
    const response = await fetch(`${service.url}/track/click`, { method });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expect(responseError("rest", answer).code).toBe("method_not_allowed");
  });
});

describe("a click that the visitor's browser brings from another domain", () => {
  const carry = (changes: Record<string, unknown>, headers: Record<string, string> = {}) =>
    click(program, { code: undefined, ...changes }, headers);

  it("is returned, also at another address, and nothing is recorded", async () => {
    const { click_id, expires_at } = (await click(program)).body.data;
    expect((await carry({ click_id }, newVisitor())).body.data).toMatchObject({
      ...{ click_id, expires_at, reason: null, cookie: false },
    });
    expect(await storedClicks(service.database, program)).toHaveLength(1);
    expect(await countedClicks(program)).toBe(1);
  });

  it("leaves a newer click, and the first one in a campaign with first-click attribution", async () => {
    const first = (await click(program, {}, newVisitor())).body.data.click_id;
    const second = (await click(program, {}, newVisitor())).body.data.click_id;
    const carried = async (click_id: string, previous_click_id: string) =>
      (await carry({ click_id, previous_click_id })).body.data.click_id;
    expect(await carried(first, second)).toBe(second);
    expect(await carried(second, first)).toBe(second);
    const { trpc } = program.organization;
    await trpc.campaigns.update.mutate({ id: program.campaign.id, attribution: "first_click" });
    await eventually(async () => expect(await carried(second, first)).toBe(first));
  });

  it("does not count if it is unknown, of another organization, or its affiliate may not refer", async () => {
    const { click_id } = (await click(program)).body.data;
    const other = await createTrackedProgram(service);
    expect((await click(other, { code: undefined, click_id })).body.data).toEqual(
      notCounted("unknown_click"),
    );
    for (const id of [unknownId(), "nonsense"]) {
      expect((await carry({ click_id: id })).body.data).toEqual(notCounted("unknown_click"));
    }
    await program.organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, banned: true });
    await eventually(async () =>
      expect((await carry({ click_id })).body.data).toEqual(notCounted("unknown_click")),
    );
  });
});
