import type { TestService } from "@findersfee/api/testing/test-service";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDashboard } from "./program.ts";

let service: TestService;
let prefixed: TestService;

beforeAll(async () => {
  service = await startDashboard();
  prefixed = await startDashboard({ public_url: "https://example.com/affiliates" });
});

afterAll(async () => {
  await service?.close();
  await prefixed?.close();
});

it("sends password managers to the account", async () => {
  const locationOf = async (url: string) =>
    (await get("/.well-known/change-password", BROWSER, url)).headers.get("location");
  expect(await locationOf(service.url)).toBe("/me");
  expect(await locationOf(prefixed.url)).toBe("/affiliates/me");
});

const BROWSER = { accept: "text/html,application/xhtml+xml" };

async function get(path: string, headers: Record<string, string> = BROWSER, url = service.url) {
  const response = await fetch(`${url}${path}`, { headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function scriptOf(): Promise<string> {
  const { text } = await get("/");
  return /src="\.(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
}

describe("the page", () => {
  it.each([
    "/",
    "/sign-in",
    "/setup",
    "/organizations",
    "/o/acme/payments",
    "/invitation",
    "/me",
    "/sign-in/confirm-email",
  ])("is served at %s, and never stored without asking", async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain('<div id="root">');
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("leads from a former name of an organization to its present one", async () => {
    for (const { database, url, path } of [
      { ...service, path: "/" },
      { ...prefixed, path: "/affiliates/" },
    ]) {
      await createOrganization(database, {
        name: "Early name",
        currency: "USD",
        subscription_status: "active",
      });
      await database`update organizations set slug = 'present-name' where slug = 'early-name'`;
      for (const after of ["", "/", "/payments?state=open"]) {
        const { status, headers } = await get(`/o/early-name${after}`, BROWSER, url);
        expect([status, headers.get("location")]).toEqual([302, `${path}o/present-name${after}`]);
        expect((await get(`/o/present-name${after}`, BROWSER, url)).status).toBe(200);
      }
    }
  });

  it("allows no inline code and no other hosts", async () => {
    const { headers, text } = await get("/");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(text).not.toMatch(/<script>|<style|style=/);
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it("has the theme of the cookie in its first bytes", async () => {
    expect((await get("/")).text).toContain('<html lang="en">');
    const dark = await get("/", { ...BROWSER, cookie: "a=b; findersfee-theme=dark" });
    expect(dark.text).toContain('<html lang="en" class="dark">');
    const forged = await get("/", { ...BROWSER, cookie: 'findersfee-theme="><script>' });
    expect(forged.text).toContain('<html lang="en">');
  });

  it("names the path of PUBLIC_URL", async () => {
    expect((await get("/sign-in")).text).toContain('<base href="/" />');
    expect((await get("/sign-in", BROWSER, prefixed.url)).text).toContain('<base href="/affiliates/" />');
  });

  it("is not asked for again while it stays the same", async () => {
    const etag = (await get("/")).headers.get("etag") ?? "";
    expect((await get("/", { ...BROWSER, "if-none-match": etag })).status).toBe(304);
  });
});

describe("an asset", () => {
  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, br;q=0", "gzip"],
    ["identity", null],
  ])("is sent in the best form that is accepted: %s", async (accept_encoding, encoding) => {
    const path = await scriptOf();
    const { status, headers } = await get(path, { "accept-encoding": accept_encoding });
    expect(status).toBe(200);
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("vary")).toContain("accept-encoding");
  });

  it("that does not exist is an error, and no page", async () => {
    for (const path of ["/assets/nothing.js", "/assets/..%2f..%2fpackage.json", "/assets/index.html"]) {
      const { status, text } = await get(path);
      expect(status).toBe(404);
      expect(JSON.parse(text).error.code).toBe("not_found");
    }
  });
});

it("leaves all other paths to the API", async () => {
  for (const path of ["/v1/nothing", "/trpc/nothing", "/payments", "/o", "/setup/x"]) {
    const { status, text } = await get(path);
    expect(JSON.parse(text), path).toMatchObject({ error: expect.anything() });
    expect(status).toBeGreaterThanOrEqual(400);
  }
  // A program that mistypes a path gets no page.
  const { status, text } = await get("/o/acme/payments", { accept: "application/json" });
  expect([status, JSON.parse(text).error.code]).toEqual([404, "not_found"]);
});
