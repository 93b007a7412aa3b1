import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
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
  const text = await response.text();
  const body = text === "" ? null : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    body,
    location: response.headers.get("location"),
  };
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
  "&url=https://evil.example",
  "&website_url=https://evil.example&redirect=//evil.example",
  "&via=evil&ff_click=evil",
  "&utm_source=newsletter",
])("copies nothing from the request into the address: %s", async (more) => {
  const { status, location } = await follow(`?key=${program.organization.publishable_key}${more}`);
  expect(status).toBe(302);
  expect(location).toMatch(/^https:\/\/example\.com\/welcome\?a=b&via=jane&ff_click=[0-9a-f-]{36}#top$/);
});

it.each([
  "//evil.example",
  "%2F%2Fevil.example",
  "https:evil.example",
  "jane%0d%0alocation:x",

  "%00",
  "j",
  "",
])("does not redirect for an invalid code: %s", async (code) => {
  const { status, location } = await follow(undefined, { code });
  expect([400, 404]).toContain(status);
  expect(location).toBeNull();
});

it("does not redirect for an unknown code, or a campaign without a page", async () => {
  const unknown = await follow(undefined, { code: "nobody" });
  expect(responseError("rest", unknown)).toMatchObject({
    code: "not_found",
    message: "No affiliate of the organization has this code.",
  });
  const pageless = await createTrackedProgram(service, {
    campaign: { website_url: null, code_mode: "coupon", reference_coupon: "coupon_1" },
  });
  const answer = await follow(`?key=${pageless.organization.publishable_key}`);
  expect(responseError("rest", answer).code).toBe("not_found");
});

it("accepts only codes of the key's organization", async () => {
  const other = await createTrackedProgram(service, { affiliate: { ref_code: "other" } });
  expect((await follow(`?key=${other.organization.publishable_key}`, { code: "other" })).status).toBe(302);
  expect((await follow(undefined, { code: "other" })).status).toBe(404);
});

it("requires the publishable key", async () => {
  expect(responseError("rest", await follow(""))).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "key" }],
  });
  expect(responseError("rest", await follow("?key=nonsense")).code).toBe("unauthorized");
  const secret = await follow(`?key=${program.organization.api_key}`);
  expect(responseError("rest", secret).code).toBe("insufficient_scope");
  expect(responseError("rest", await follow(undefined, { method: "POST" })).code).toBe("method_not_allowed");
});
