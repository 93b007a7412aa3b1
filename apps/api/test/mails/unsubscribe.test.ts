import {
  type AffiliateSubscriber,
  unsubscribeKey,
  unsubscribeToken,
} from "@findersfee/domain/mails/unsubscribe-token";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { ENDPOINT_POLICY, startTestService, type TestClient, type TestService } from "../test-service.ts";

const KEY = unsubscribeKey(ENDPOINT_POLICY.secrets_key);

let service: TestService;
let organization: TestClient;
let affiliate: { id: string; email: string };
let affiliates = 0;

beforeAll(async () => {
  service = await startTestService();
  organization = await service.organization();
  const campaign = {
    name: "Partners",
    commission_type: "percentage",
    commission_amount: 30,
    is_default: true,
  };
  await organization.rest("POST", "/campaigns", {
    ...campaign,
    code_mode: "link",
    website_url: "https://example.com",
  });
});

afterAll(() => service.close());

beforeEach(async () => {
  const email = `affiliate-${++affiliates}@example.com`;
  affiliate = (await organization.rest("POST", "/affiliates", { email })).body.data;
});

function linkOf(subscriber: Partial<AffiliateSubscriber> = {}, key = KEY): string {
  const { organization_id } = organization;
  return `${service.url}/unsubscribe/${unsubscribeToken(key, { organization_id, affiliate_id: affiliate.id, ...subscriber })}`;
}

async function isOn(): Promise<boolean> {
  const { body } = await organization.rest("GET", `/affiliates/${affiliate.id}`);
  return body.data.new_paid_referral_notifications;
}

async function refusal(link: string, init: RequestInit): Promise<string> {
  const response = await fetch(link, init);
  const { status, headers } = response;
  return responseError("rest", { status, headers, body: await response.json() }).code;
}

it("shows a page with a button without changing anything", async () => {
  for (const method of ["GET", "HEAD", "GET"]) {
    const response = await fetch(linkOf(), { method });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await response.text();
    if (method === "GET") expect(page).toContain('<form method="post"><button type="submit">');
  }
  expect(await isOn()).toBe(true);
});

it("turns notifications off with the page's button, and confirms it", async () => {
  const pressed = await fetch(linkOf(), { method: "POST", body: new URLSearchParams() });
  expect(pressed.status).toBe(200);
  expect(await pressed.text()).toContain("Referral notifications are off");
  expect(await isOn()).toBe(false);
  const page = await (await fetch(linkOf())).text();
  expect(page).toContain("Referral notifications are off");
  expect(page).not.toContain("<form");
});

it.each([
  ["a form", new URLSearchParams({ "List-Unsubscribe": "One-Click" })],
  ["a form of parts", Object.assign(new FormData(), {})],
  ["no body", null],
  ["an unknown type", new Blob(["?"], { type: "application/x-whatever" })],
])("accepts a mail program's one-click request as %s (RFC 8058), repeatedly", async (_, body) => {
  if (body instanceof FormData) body.set("List-Unsubscribe", "One-Click");
  for (let click = 0; click < 2; click++) {
    const response = await fetch(linkOf(), { method: "POST", body, redirect: "error" });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
  }
  expect(await isOn()).toBe(false);
});

it("speaks the affiliate's language", async () => {
  await service.database`insert into portal_accounts (email, language) values (${affiliate.email}, 'de')`;
  const page = await (await fetch(linkOf())).text();
  expect(page).toContain('<html lang="de">');
  expect(page).toContain("Diese E-Mails abbestellen</button>");
  const done = await (await fetch(linkOf(), { method: "POST" })).text();
  expect(done).toContain("Benachrichtigungen über neue zahlende Kunden sind abbestellt");
  expect(await isOn()).toBe(false);
});

it("changes nothing else and nobody else, and allows turning it on again", async () => {
  const before = (await organization.rest("GET", `/affiliates/${affiliate.id}`)).body.data;
  const other = (await organization.rest("POST", "/affiliates", { email: "other@example.com" })).body.data;
  await fetch(linkOf(), { method: "POST" });
  const after = (await organization.rest("GET", `/affiliates/${affiliate.id}`)).body.data;
  expect(after).toEqual({ ...before, new_paid_referral_notifications: false });
  expect((await organization.rest("GET", `/affiliates/${other.id}`)).body.data).toEqual(other);
  await organization.rest("PUT", `/affiliates/${affiliate.id}`, { new_paid_referral_notifications: true });
  await fetch(linkOf());
  expect(await isOn()).toBe(true);
});

it("rejects unsigned tokens as not found", async () => {
  const link = linkOf();
  const token = link.slice(link.lastIndexOf("/") + 1);
  const swapped = `${token[0] === "A" ? "B" : "A"}${token.slice(1)}`;
  const tokens = [
    "",
    "x",
    "%00",
    "..%2Fv1%2Faffiliates",
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    swapped,
    `${token.slice(0, 60)}${token[60] === "A" ? "B" : "A"}${token.slice(61)}`,
    // The unused bits of the last character: another encoding of the same bytes.
    `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`,
    encodeURIComponent(`${affiliate.id}`),
    "A".repeat(86),
    "A".repeat(2000),
  ];
  const links = tokens.map((bad) => `${service.url}/unsubscribe/${bad}`);
  const other = await service.organization();
  const others = [
    linkOf({}, unsubscribeKey(Buffer.alloc(32, 1))),
    linkOf({ organization_id: other.organization_id }),
    linkOf({ affiliate_id: organization.organization_id }),
  ];
  for (const bad of [...links, ...others]) {
    for (const method of ["GET", "POST"]) {
      expect([bad, await refusal(bad, { method })]).toEqual([bad, "not_found"]);
    }
  }
  expect(await isOn()).toBe(true);
});

it("responds to other methods and oversized bodies like the API", async () => {
  expect(await refusal(linkOf(), { method: "DELETE" })).toBe("method_not_allowed");
  expect(await refusal(linkOf(), { method: "POST", body: "x".repeat(9000) })).toBe("payload_too_large");
  expect(await isOn()).toBe(true);
});

it("forbids the page to load resources, be framed, or be cached", async () => {
  await service.database`update organizations set name = '<script>alert(1)</script> & Co.'`;
  const response = await fetch(linkOf());
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
    "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
  });
  const page = await response.text();
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co.");
  expect(page).not.toContain("<script");
  expect(page).not.toContain(affiliate.email);
});

it("limits requests per address", async () => {
  const limited = await startTestService({ track_limit_per_minute: 3 });
  try {
    const statuses: number[] = [];
    for (let asked = 0; asked < 4; asked++) {
      statuses.push((await fetch(`${limited.url}/unsubscribe/x`, { method: "POST" })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
  } finally {
    await limited.close();
  }
});

it("turns a topic, or the daily email, of a member off, and nothing else", async () => {
  const { organization_id } = organization;
  await service.staff(organization_id);
  const [member] = await service.database<{ user_id: string }[]>`
    select user_id from members where organization_id = ${organization_id} and role = 'owner' limit 1`;
  const user_id = member?.user_id ?? "";
  const link = (about: "payouts" | "digest") =>
    `${service.url}/unsubscribe/${unsubscribeToken(KEY, { organization_id, user_id, about })}`;
  const settings = () =>
    service.database`
      select topic, frequency from notification_settings where user_id = ${user_id} order by topic`;
  expect(await (await fetch(link("payouts"))).text()).toContain("Turn off emails about failed payouts?");
  expect(await settings()).toEqual([]);
  const answer = await fetch(link("payouts"), { method: "POST" });
  expect(await answer.text()).toContain("These emails are off");
  expect(await settings()).toEqual([{ topic: "payouts", frequency: "never" }]);
  expect(await (await fetch(link("digest"), { method: "POST" })).text()).toContain(
    "no longer gets the daily email",
  );
  expect(await settings()).toEqual([
    { topic: "applications", frequency: "never" },
    { topic: "claims", frequency: "never" },
    { topic: "payouts", frequency: "never" },
  ]);
  expect(await (await fetch(link("digest"))).text()).not.toContain("<form");
  await service.database`update members set role = 'viewer' where user_id = ${user_id}`;
  expect(await refusal(link("payouts"), { method: "POST" })).toBe("not_found");
});
