import { HostBrowser } from "@findersfee/api/testing/portal/host-browser";
import type { TestService } from "@findersfee/api/testing/test-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";

let service: TestService;
let prefixed: TestService;

beforeAll(async () => {
  service = await startPortal();
  prefixed = await startPortal({ public_url: "https://example.com/affiliates" });
});

afterAll(async () => {
  await service?.close();
  await prefixed?.close();
});

const BROWSER = { accept: "text/html,application/xhtml+xml" };

async function get(path: string, headers: Record<string, string> = BROWSER, url = service.url) {
  const response = await fetch(`${url}${path}`, { headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it.each(["/portal", "/portal/sign-in", "/portal/sign-in/confirm", "/portal/acme", "/portal/a/b/c"])(
  "has its page at %s, without inline code and frames",
  async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain('<base href="/portal/" />');
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  },
);

it("names the path of PUBLIC_URL", async () => {
  const { text } = await get("/portal/sign-in", BROWSER, prefixed.url);
  expect(text).toContain('<base href="/affiliates/portal/" />');
});

it("has no path before it at an organization's host name", async () => {
  const host = "partners.acme.example";
  const { organization_id } = await prefixed.organization();
  const [row] = await prefixed.database<[{ slug: string }]>`
    update organizations set portal_host = ${host} where id = ${organization_id} returning slug`;
  const browser = new HostBrowser(prefixed);
  for (const path of ["/portal/sign-in", `/portal/embed/${row.slug}`]) {
    const { text } = await browser.send(host, path, { headers: BROWSER });
    expect(text).toContain('<base href="/portal/" />');
  }
  // Other organizations have no frame there.
  const other = await addOrganization(prefixed, "Globex");
  const [{ slug }] = await prefixed.database<[{ slug: string }]>`
    select slug from organizations where id = ${other.organization_id}`;
  expect((await browser.send(host, `/portal/embed/${slug}`, { headers: BROWSER })).status).toBe(404);
  expect((await get(`/portal/embed/${slug}`, BROWSER, prefixed.url)).status).toBe(200);
});

describe("the page for frames", () => {
  it("can be framed by the organization's origins alone", async () => {
    const acme = await addOrganization(service, "Acme");
    const [row] = await service.database<[{ slug: string }]>`
      select slug from organizations where id = ${acme.organization_id}`;
    const path = `/portal/embed/${row.slug}`;
    const before = await get(path);
    expect(before.status).toBe(200);
    expect(before.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const frame_origins = ["https://app.acme.example", "http://localhost:4000"];
    const staff = await service.staff(acme.organization_id);
    await staff.trpc.dashboard.portal.update.mutate({ frame_origins });
    // Origins are cached for five seconds.
    await expect
      .poll(async () => (await get(path)).headers.get("content-security-policy"))
      .toContain(`frame-ancestors ${frame_origins.join(" ")}`);
    for (const address of [path, `${path}/`, `${path}/earnings?theme=dark&lang=de`]) {
      const { headers, text } = await get(address);
      expect(headers.get("x-frame-options")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(text).toContain('<base href="/portal/" />');
      expect(text).toContain(`<meta name="frame-origins" content="${frame_origins.join(" ")}" />`);
      expect(text.includes('<html lang="en" class="dark">')).toBe(address.includes("dark"));
    }
    // All other pages stay as they are.
    const { headers } = await get(`/portal/${row.slug}`);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it.each(["nobody", "A", "%00", "..%2fx", "a".repeat(5_000)])("does not exist for %s", async (name) => {
    const { status, text } = await get(`/portal/embed/${name}`);
    expect([400, 404, 414]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ error: expect.anything() });
  });
});

it("serves its assets", async () => {
  const { text } = await get("/portal");
  const path = /src="\.(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
  const { status, headers } = await get(`/portal${path}`, { "accept-encoding": "gzip" });
  expect([status, headers.get("content-encoding")]).toEqual([200, "gzip"]);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

it.each([
  // Operations ask for a session first.
  ["/portal/trpc/nothing", 401],
  ["/portal/auth", 404],
  ["/portal/auth/nothing", 404],
  ["/portal/auth/code", 405],
  ["/portal/assets/nothing.js", 404],
  ["/portal/assets/a/b", 404],
])("answers %s with an error, to browsers too", async (path, expected) => {
  const { status, text } = await get(path);
  expect(JSON.parse(text)).toMatchObject({ error: expect.anything() });
  expect(status).toBe(expected);
});

it("answers programs with an error at addresses that may not exist", async () => {
  const { status, text } = await get("/portal/acme", { accept: "application/json" });
  expect([status, JSON.parse(text).error.code]).toEqual([404, "not_found"]);
});
