import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../browser.ts";
import { payOut } from "../payouts/payout-run.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { openPortal, portalOf } from "./affiliate-browser.ts";

interface Affiliate {
  id: string;
  email: string;
  browser: Browser;
  portal: ReturnType<typeof portalOf>;
}

let service: TestService;
let jane: Affiliate;
let joe: Affiliate;

beforeAll(async () => {
  service = await startTestService();
  const { payouts } = await payOut(service, ["10.00 USD", "20.00 USD"]);
  const [first, second] = payouts;
  if (first === undefined || second === undefined) throw new Error("no payouts");
  jane = await signIn(first.id);
  joe = await signIn(second.id);
});
afterAll(() => service.close());

async function signIn(payout_id: string): Promise<Affiliate> {
  const [row] = await service.database<[{ id: string; email: string }]>`
    select affiliate.id, affiliate.email from payouts payout join affiliates affiliate on affiliate.id = payout.affiliate_id
    where payout.id = ${payout_id}`;
  const browser = await openPortal(service, row.email);
  return { ...row, browser, portal: portalOf(service, browser, row.id) };
}

const storedOf = async ({ id }: Affiliate) =>
  (await service.database`select * from affiliates where id = ${id}`)[0] ?? {};

describe("settings", () => {
  it("change names and mails, by the affiliate as the author", async () => {
    const { settings } = jane.portal;
    const changed = { first_name: "Ann-Jane", last_name: "Doe", new_paid_referral_notifications: false };
    expect(await settings.update.mutate(changed)).toMatchObject(changed);
    expect(await storedOf(jane)).toMatchObject(changed);
    const [entry] = await service.database`
      select actor, after from audit_log_entries where resource_id = ${jane.id} order by id desc limit 1`;
    expect(entry).toMatchObject({ actor: `affiliate ${jane.id}`, after: changed });
    // The same again, and nothing: no entry.
    await settings.update.mutate(changed);
    await settings.update.mutate({});
    const [count] = await service.database`
      select count(*)::int as count from audit_log_entries where actor = ${`affiliate ${jane.id}`}`;
    expect(count?.count).toBe(1);
  });

  it.each([
    { payout_email: "x@example.com" },
    { email: "x@example.com" },
    { banned: false },
    { approved: true },
  ])("do not take %j", async (input) => {
    const before = await storedOf(jane);
    await expect(jane.portal.settings.update.mutate(input as never)).rejects.toMatchObject({
      data: { code: "invalid_request" },
    });
    expect(await storedOf(jane)).toEqual(before);
  });

  it("keep the language of the person", async () => {
    expect((await jane.portal.me.get.query()).language).toBeNull();
    await jane.portal.settings.set_language.mutate({ language: "de" });
    await jane.portal.settings.set_language.mutate({ language: "de" });
    expect((await jane.portal.me.get.query()).language).toBe("de");
    expect((await joe.portal.me.get.query()).language).toBeNull();
  });
});

async function download({ browser }: Affiliate, path: string) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${service.url}/portal/files/${path}`, { headers: { cookie } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the download of one's own data", () => {
  it("has everything of the affiliate, and nothing of others", async () => {
    await service.database`
      insert into claims (organization_id, id, affiliate_id, email, paid_on, note, payment_known, created_at)
      select organization_id, gen_random_uuid(), id, 'buyer@example.com', current_date, '=1+1 "Order"', true, now()
      from affiliates where id = ${jane.id}`;
    const { status, headers, text } = await download(jane, `${jane.id}/data.json`);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="data.json"');
    expect(headers.get("cache-control")).toBe("no-store");
    const data = JSON.parse(text);
    expect(Object.keys(data)).toEqual([
      "exported_at",
      "organization",
      "campaign",
      "affiliate",
      "referrals",
      "commissions",
      "payouts",
      "missing_sales",
      "sessions",
    ]);
    expect(data.affiliate).toMatchObject({ id: jane.id, email: jane.email, state: "active", language: "de" });
    for (const part of ["referrals", "commissions", "payouts", "missing_sales", "sessions"]) {
      expect(data[part].length, part).toBeGreaterThan(0);
    }
    expect(text).not.toContain(joe.id);
    expect(text).not.toContain(joe.email);
  });

  it("shows customers as the affiliate may see them", async () => {
    await service.database`update campaigns set hide_emails = true`;
    const { text } = await download(jane, `${jane.id}/data.json`);
    const csv = (await download(jane, `${jane.id}/commissions.csv`)).text;
    await service.database`update campaigns set hide_emails = false`;
    for (const shown of [text, csv]) {
      expect(shown).not.toContain("customer0@example.com");
      expect(shown).toContain("…");
    }
  });

  it("has the commissions as CSV, also for an affiliate who is not active", async () => {
    await service.database`update affiliates set banned = true where id = ${joe.id}`;
    const { status, headers, text } = await download(joe, `${joe.id}/commissions.csv`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = text.trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("customer1@example.com,USD,");
    expect((await joe.portal.payouts.list.query({})).data).toHaveLength(1);
  });

  it("is refused without a session, and for other affiliates", async () => {
    const anonymous = await fetch(`${service.url}/portal/files/${jane.id}/data.json`);
    expect(anonymous.status).toBe(401);
    for (const id of [joe.id, "nobody", "%00"]) {
      const { status, text } = await download(jane, `${id}/data.json`);
      expect([400, 403]).toContain(status);
      expect(text).not.toContain(joe.email);
    }
    expect((await download(jane, `${jane.id}/other.json`)).status).toBe(404);
  });

  it("ends at a number of files an hour", async () => {
    const statuses: number[] = [];
    for (let number = 0; number < 12; number++) {
      statuses.push((await download(joe, `${joe.id}/commissions.csv`)).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    const { headers } = await download(joe, `${joe.id}/data.json`);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("leaving and erasing", () => {
  it("close the program, and end the sessions of an erased address", async () => {
    await service.database`update affiliates set banned = false where id = ${joe.id}`;
    const { leaving, closed, me } = joe.portal;
    await expect.poll(async () => (await closed.get.query()).state).toBe("active");
    await leaving.leave.mutate({ email: joe.email.toUpperCase() });
    await expect.poll(async () => (await closed.get.query()).state).toBe("left");
    const { owed } = await leaving.get.query();
    expect(owed).toEqual([{ currency: "USD", due: 0, held: 0, in_payout: expect.any(Number) }]);
    await expect(leaving.erase.mutate({ email: joe.email })).rejects.toMatchObject({
      data: { code: "affiliate_owed" },
    });
    await service.database`delete from balances where affiliate_id = ${joe.id}`;
    await leaving.erase.mutate({ email: joe.email });
    await expect
      .poll(async () => await me.get.query().catch((error) => error.data?.code))
      .toBe("session_expired");
  });
});
