import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ public_url: "https://api.example.com/partners" });
});

afterAll(() => service.close());

/** The answer, all of it: one that is not read to its end keeps the service from closing. */
async function get(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${service.url}${path}`, { redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What a page or style sheet has the browser load. */
function referencesIn(text: string): string[] {
  const found = text.matchAll(/(?:href|src)="([^"]*)"|url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g);
  return [...found].map(([, attribute, url, imported]) => attribute ?? url ?? imported ?? "");
}

describe("the reference page", () => {
  it("is at /docs, with and without a slash, also behind a path prefix, and / leads to it", async () => {
    for (const path of ["/docs", "/"]) {
      const redirect = await get(path);
      expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "docs/"]);
    }
    const page = await get("/docs/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("<title>Findersfee API</title>");
  });

  it("loads everything from this service, by relative addresses", async () => {
    const references = referencesIn((await get("/docs/")).text);
    expect(references).toEqual(
      expect.arrayContaining(["icon.svg", "swagger-ui.css", "docs.css", "swagger-ui-bundle.js", "docs.js"]),
    );
    for (const reference of references) {
      expect(reference).toMatch(/^(\.\.\/)?[\w./-]+$/);
      const { status, text } = await get(new URL(reference, `${service.url}/docs/`).pathname);
      expect(status, reference).toBe(200);
      if (!reference.endsWith(".css")) continue;
      const elsewhere = referencesIn(text).filter((address) => !address.startsWith("data:"));
      expect(elsewhere, reference).toEqual([]);
    }
  });

  it("shows the service's own document, and asks nobody else about it", async () => {
    const { text: script } = await get("/docs/docs.js");
    expect(script).toContain('url: "../v1/openapi.json"');
    expect(script).toContain("validatorUrl: null");
    expect(script).toContain("persistAuthorization: false");
    expect(script).not.toMatch(/https?:/);
    expect((await get("/v1/openapi.json")).status).toBe(200);
  });

  it("forbids browsers everything else", async () => {
    for (const path of ["/docs", "/docs/", "/docs/docs.js", "/docs/swagger-ui-bundle.js"]) {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")?.split(";").sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self' https://api.example.com",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
    expect((await get("/v1/openapi.json")).headers.get("content-security-policy")).toBeNull();
  });

  it("has no other file of the packages that it comes from", async () => {
    const paths = [
      "index.html",
      "swagger-initializer.js",
      "package.json",
      "..%2fdocs.ts",
      "%2e%2e/server.ts",
    ];
    for (const path of paths) {
      const response = await get(`/docs/${path}`);
      expect(response.status, path).toBe(404);
      expect(response.text).toContain('"code":"not_found"');
    }
  });
});
