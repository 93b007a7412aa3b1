import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import {
  BROWSER,
  countedClicks,
  createTrackedProgram,
  newVisitor,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

const SITE = "https://example.com/welcome?a=b&via=old#top";

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service, { campaign: { website_url: SITE } });
});

async function follow(
  query = `?key=${program.organization.publishable_key}`,
  { code = "jane", headers = {}, method = "GET" }: { code?: string; headers?: object; method?: string } = {},
) {
  const response = await fetch(`${service.url}/r/${code}${query}`, {
    method,
    redirect: "manual",
    headers: { "user-agent": BROWSER, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: response.headers.get("location"),
  };
}

/** The address of the page with code and click, with these further parameters. */
function landing(parameters = ""): RegExp {
  const text = `https://example.com/welcome?a=b&via=jane&ff_click=ID${parameters}#top`;
  return new RegExp(`^${text.replaceAll(/[.?]/g, "\\$&").replace("ID", "[0-9a-f-]{36}")}$`);
}

/** The error that a page for visitors names. */
function brokenLink({ headers, text, location }: Awaited<ReturnType<typeof follow>>): string | undefined {
  expect(location).toBeNull();
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(text).toContain("This link does not work");
  return /req-[^:]+: (\w+)</.exec(text)?.[1];
}

it("counts the click and redirects to the campaign's page with code and click id", async () => {
  const { status, headers, location } = await follow(undefined, {
    headers: { referer: "https://blog.example/" },
  });
  expect(status).toBe(302);
  expect(headers.get("cache-control")).toBe("no-store");
  const [row, ...others] = await storedClicks(service.database, program);
  expect(others).toEqual([]);
  expect(location).toBe(`https://example.com/welcome?a=b&via=jane&ff_click=${row?.id}#top`);
  expect(row).toMatchObject({
    affiliate_id: program.affiliate.id,
    landing_url: "https://example.com/welcome?a=b&via=jane#top",
    referrer: "https://blog.example/",
  });
  expect(await countedClicks(program)).toBe(1);
});

it("gives each click its own id", async () => {
  const locations = await Promise.all(
    Array.from({ length: 20 }, async () => (await follow(undefined, { headers: newVisitor() })).location),
  );
  expect(new Set(locations).size).toBe(20);
  expect(await countedClicks(program)).toBe(20);
});

it.each([
  ["a crawler", { headers: { "user-agent": "Googlebot/2.1" } }],
  ["a link preview", { headers: { "user-agent": "WhatsApp/2.23 A" } }],
  ["a browser that fetches ahead", { headers: { "sec-purpose": "prefetch;prerender" } }],
  ["a HEAD", { method: "HEAD" }],
])("redirects %s without counting", async (_, options) => {
  const { status, location } = await follow(undefined, options);
  expect([status, location]).toEqual([302, "https://example.com/welcome?a=b&via=jane#top"]);
  expect(await countedClicks(program)).toBe(0);
});

it.each([{ banned: true }, { approved: false }])(
  "counts nothing for an affiliate with %j",
  async (change) => {
    await program.organization.trpc.affiliates.update.mutate({ id: program.affiliate.id, ...change });
    expect((await follow()).location).toBe("https://example.com/welcome?a=b&via=jane#top");
    expect(await countedClicks(program)).toBe(0);
  },
);

it.each([
  ["&utm_source=newsletter&gclid=abc", "&utm_source=newsletter&gclid=abc"],
  ["&sub=blog&utm_campaign=a%20b&empty=&flag", "&utm_campaign=a%20b&empty=&flag"],
  ["&a=other&via=evil&ff_click=evil&sub=x", ""],
  ["&%61=other", ""],
  ["&amp;utm_source=x&gclid=y", "&utm_source=x&gclid=y"],
  ["&next=/a?b=c", "&next=/a?b=c"],
  ["&=&&", ""],
  ["&q='\"<>", "&q=%27%22%3C%3E"],
])("passes other parameters on, after the page's own: %s", async (more, passed) => {
  const { status, location } = await follow(`?key=${program.organization.publishable_key}${more}`);
  expect(status).toBe(302);
  expect(location).toMatch(landing(passed));
});

it.each([
  "&url=https://evil.example",
  "&website_url=https://evil.example&redirect=//evil.example",
  "#//evil.example",
  "&x=%0d%0aset-cookie:%20a=b",
])("redirects to the campaign's page alone: %s", async (more) => {
  const { location } = await follow(`?key=${program.organization.publishable_key}${more}`);
  expect(new URL(location ?? "").origin).toBe("https://example.com");
  expect(location).toContain("/welcome?a=b&via=jane&ff_click=");
});

it.each([
  ["jane/", ""],
  ["jane.", ""],
  ["jane)", ""],
  ["jane%20", ""],
  ["%20jane", ""],
  ["jane%22%3E", ""],
  ["jane/more", ""],
  ["JANE,", ""],
  ["jane%0d%0alocation:x", ""],
])("counts a link with text around its code: %s", async (code, passed) => {
  const { status, location } = await follow(undefined, { code });
  expect([status, location]).toEqual([302, expect.stringMatching(landing(passed))]);
  expect(await countedClicks(program)).toBe(1);
});

it.each([
  ["?a=b&amp;key=KEY", ""],
  ["?c=d&amp;key=KEY&amp;sub=blog", "&c=d"],
  ["?key=KEY?utm_source=x", "&utm_source=x"],
  ["?utm_source=x?key=KEY", "&utm_source=x"],
  ["/?key=KEY", ""],
  ["&key=KEY", ""],
  ["%3Fkey=KEY&utm_source=x", "&utm_source=x"],
  ["%3Fkey%3DKEY%26utm_source%3Da%20b", "&utm_source=a%20b"],
  ["?key=KEY/", ""],
  ["?key=KEY)", ""],
  ["?key=%20KEY.", ""],
])("counts a link with a changed query: /r/jane%s", async (query, passed) => {
  const { status, location } = await follow(query.replace("KEY", program.organization.publishable_key));
  expect([status, location]).toEqual([302, expect.stringMatching(landing(passed))]);
  expect(await countedClicks(program)).toBe(1);
});

it.each(["nobody", "j", "", "/", "%00", "//evil.example", "%2F%2Fevil.example", `${"a".repeat(65)}`])(
  "leads visitors of an unknown code to the organization's page: %s",
  async (code) => {
    const { publishable_key, trpc } = program.organization;
    await trpc.campaigns.create.mutate({ ...CAMPAIGN, website_url: "https://example.com/other" });
    const { status, location } = await follow(`?key=${publishable_key}&utm_source=x`, { code });
    expect([status, location]).toEqual([302, "https://example.com/welcome?a=b&via=old&utm_source=x#top"]);
    expect(await storedClicks(service.database, program)).toEqual([]);
  },
);

it("leads visitors of a campaign without a page to the organization's page", async () => {
  const { trpc } = program.organization;
  const coupons = { code_mode: "coupon", reference_coupon: "coupon_1", website_url: null } as const;
  const { id } = await trpc.campaigns.create.mutate({ ...CAMPAIGN, ...coupons });
  await trpc.affiliates.create.mutate({ email: "john@example.com", ref_code: "john", campaign_id: id });
  expect((await follow(undefined, { code: "john" })).location).toBe(SITE);
});

it("shows visitors a page if the organization has none", async () => {
  const pageless = await createTrackedProgram(service, {
    campaign: { website_url: null, code_mode: "coupon", reference_coupon: "coupon_1" },
  });
  const answer = await follow(`?key=${pageless.organization.publishable_key}`);
  expect([answer.status, brokenLink(answer)]).toEqual([404, "not_found"]);
});

it("accepts only codes of the key's organization", async () => {
  const other = await createTrackedProgram(service, { affiliate: { ref_code: "other" } });
  const theirs = await follow(`?key=${other.organization.publishable_key}`, { code: "other" });
  expect(theirs.location).toContain("via=other");
  expect((await follow(undefined, { code: "other" })).location).toBe(SITE);
});

it("requires the publishable key, and shows visitors a page otherwise", async () => {
  const refusals = [
    ["", 400, "invalid_request"],
    ["?key=nonsense", 401, "unauthorized"],
    [`?key=${program.organization.api_key}`, 403, "insufficient_scope"],
  ] as const;
  for (const [query, status, code] of refusals) {
    const answer = await follow(query);
    expect([answer.status, brokenLink(answer)]).toEqual([status, code]);
  }
  const invalid = await follow(undefined, { code: "jane%" });
  expect([invalid.status, brokenLink(invalid)]).toEqual([400, "invalid_request"]);
  expect((await follow(undefined, { method: "POST" })).status).toBe(405);
});
