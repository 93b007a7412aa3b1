/* Writes by public endpoints are bounded: repeated clicks, budgets of organizations, lengths of fields. */
import { insertClicks } from "@findersfee/database/tracking/clicks";
import { newId } from "@findersfee/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { sharedTestService, startTestService, type TestService } from "../test-service.ts";
import {
  awayFromTheHour,
  BROWSER,
  click,
  countedClicks,
  createTrackedProgram,
  post,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

let service: TestService;
let other: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
  other = await startTestService({ track_budgets_per_minute: { clicks: 3, signups: 2 } });
});

afterAll(async () => {
  await service.close();
  await other.close();
});

beforeEach(async () => {
  program = await createTrackedProgram(service);
});

const visitor = (number: number) => ({ "user-agent": BROWSER.replace("142", `${100 + number}`) });

async function clickId(changes: Record<string, unknown> = {}, number = 0): Promise<string> {
  const { status, body } = await click(program, changes, visitor(number));
  expect(status).toBe(200);
  return body.data.click_id;
}

describe("a visitor's repeated click on a link", () => {
  beforeEach(awayFromTheHour, 60_000);

  it("counts once per hour, is stored once, and returns the same click", async () => {
    const first = await clickId();
    for (let time = 0; time < 5; time++) expect(await clickId({ previous_click_id: first })).toBe(first);
    expect(await clickId({}, 1)).not.toBe(first);
    expect(await countedClicks(program)).toBe(2);
    expect(await storedClicks(service.database, program)).toHaveLength(2);
  });

  it("counts once if a proxy reports addresses with ports", async () => {
    const proxied = await startTestService({ trust_proxy: 1, public_url: "https://api.example.com" });
    const through = await createTrackedProgram(proxied);
    for (const address of ["192.0.2.7:4711", "192.0.2.7:4712", "[2001:db8::7]:4711", "[2001:db8::7]:4712"]) {
      const { status } = await click(through, {}, { ...visitor(0), "x-forwarded-for": address });
      expect(status).toBe(200);
    }
    expect(await countedClicks(through)).toBe(2);
    await proxied.close();
  });

  it("counts once if concurrent, or through a redirect link", async () => {
    await Promise.all(Array.from({ length: 30 }, (_, number) => clickId({}, number % 3)));
    const link = `${service.url}/r/jane?key=${program.organization.publishable_key}`;
    await fetch(link, { redirect: "manual", headers: visitor(0) });
    expect(await countedClicks(program)).toBe(3);
  });

  it("is a new click after one on another link, so that the last link wins, without counting again", async () => {
    await program.organization.trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
    const first = await clickId();
    const joes = await clickId({ code: "joe", previous_click_id: first });
    const ids = [first, joes, await clickId({ previous_click_id: joes })];
    expect(new Set(ids).size).toBe(3);
    expect(ids.toSorted()).toEqual(ids);
    expect(await countedClicks(program)).toBe(1);
  });

  it("counts once across processes", async () => {
    await clickId();
    // A process that has not seen the visitor; only the table has the click.
    const rows = await storedClicks(service.database, program);
    const [known] = rows;
    if (known === undefined) throw new Error("no click was stored");
    const clicked_at = new Date();
    const again = { ...known, id: newId(clicked_at), clicked_at };
    expect((await insertClicks(service.database, [again, { ...again, id: newId(clicked_at) }])).size).toBe(2);
    expect(await countedClicks(program)).toBe(1);
    const later = new Date(clicked_at.getTime() + 3_600_000);
    await insertClicks(service.database, [{ ...again, id: newId(later), clicked_at: later }]);
    expect(await countedClicks(program)).toBe(2);
  });
});

describe("an organization's budget", () => {
  it("rejects further clicks with Retry-After, and still redirects", async () => {
    const limited = await createTrackedProgram(other);
    let kept: string | undefined;
    for (let number = 0; number < 3; number++) {
      const { status, body } = await click(limited, {}, visitor(number));
      expect(status).toBe(200);
      kept = body.data.click_id;
    }
    const refused = await click(limited, {}, visitor(3));
    expect(responseError("rest", refused).code).toBe("rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const repeated = await click(limited, { previous_click_id: kept }, visitor(2));
    expect([repeated.status, repeated.body.data.click_id]).toEqual([200, kept]);
    const link = `${other.url}/r/jane?key=${limited.organization.publishable_key}`;
    const redirected = await fetch(link, { redirect: "manual", headers: visitor(4) });
    expect([redirected.status, redirected.headers.get("location")]).toEqual([
      302,
      "https://example.com/?via=jane",
    ]);
    expect(await countedClicks(limited)).toBe(3);
    const neighbour = await createTrackedProgram(other);
    expect((await click(neighbour, {}, visitor(0))).status).toBe(200);
  });

  it("rejects further sign-ups without affecting other organizations", async () => {
    const signUp = async ({ organization }: TrackedProgram, click_id: string, email: string) =>
      await post(`${other.url}/track/signup`, { key: organization.publishable_key, click_id, email });
    const limited = await createTrackedProgram(other);
    const { click_id } = (await click(limited)).body.data;
    for (const email of ["a@example.com", "b@example.com"]) {
      expect((await signUp(limited, click_id, email)).status).toBe(200);
    }
    const refused = await signUp(limited, click_id, "c@example.com");
    expect(responseError("rest", refused).code).toBe("rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await limited.organization.trpc.referrals.list.query({})).data).toHaveLength(2);
    const neighbour = await createTrackedProgram(other);
    const theirs = (await click(neighbour)).body.data.click_id;
    expect((await signUp(neighbour, theirs, "c@example.com")).status).toBe(200);
    // Signed sign-ups do not depend on requests with the publishable key.
    const vouched = { key: limited.organization.api_key, click_id, email: "c@example.com" };
    expect((await post(`${other.url}/track/signup`, vouched)).status).toBe(200);
    const { data } = await limited.organization.trpc.referrals.list.query({});
    expect(data.map(({ email }) => email)).toContain("c@example.com");
  });
});

it("truncates page addresses to 500 characters from every source", async () => {
  const long = `https://example.com/${"ü😀".repeat(400)}`;
  await clickId({ url: long, referrer: long });
  const link = `${service.url}/r/jane?key=${program.organization.publishable_key}`;
  await fetch(link, {
    redirect: "manual",
    headers: { ...visitor(1), referer: `https://example.com/${"a".repeat(4_000)}` },
  });
  for (const { landing_url, referrer } of await storedClicks(service.database, program)) {
    expect(landing_url?.length).toBeLessThanOrEqual(500);
    expect(referrer).toHaveLength(500);
    expect(referrer?.isWellFormed()).toBe(true);
  }
});

describe("attribution", () => {
  it("first_click: returns the browser's stored click while it counts", async () => {
    const { trpc } = program.organization;
    await trpc.campaigns.update.mutate({ id: program.campaign.id, attribution: "first_click" });
    await trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
    const first = await clickId();
    expect(await clickId({ code: "joe", previous_click_id: first }, 0)).toBe(first);
    expect(await countedClicks(program)).toBe(1);
    await trpc.affiliates.update.mutate({ id: program.affiliate.id, banned: true });
    expect(await clickId({ code: "joe", previous_click_id: first }, 1)).not.toBe(first);
    expect(await clickId({ code: "joe", previous_click_id: "nonsense" }, 2)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("last_click: returns the new click", async () => {
    await program.organization.trpc.affiliates.create.mutate({ email: "joe@example.com", ref_code: "joe" });
    const first = await clickId();
    expect(await clickId({ code: "joe", previous_click_id: first })).not.toBe(first);
  });
});
