import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asset_names, repositoryFiles } from "../src/docs/files.ts";
import { pages } from "../src/docs/pages.ts";
import { startTestService, type TestService } from "./test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ public_url: "https://api.example.com/partners" });
});

afterAll(() => service.close());

/** The answer, all of it: one that is not read to its end keeps the service from closing. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, { redirect: "manual", headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What a page or style sheet has the browser load, and where it leads. */
function referencesIn(text: string): string[] {
  const found = text.matchAll(/(?:href|src)="([^"]*)"|url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g);
  return [...found].map(([, attribute, url, imported]) => attribute ?? url ?? imported ?? "");
}

const paths = ["/docs/", ...pages.slice(1).map(({ slug }) => `/docs/${slug}`), "/docs/reference"];

type Answer = Awaited<ReturnType<typeof get>>;

const visited = new Map<string, Promise<Answer>>();

/** The answer, asked for once however often it is linked to. */
function visit(path: string): Promise<Answer> {
  const answer = visited.get(path) ?? get(path);
  visited.set(path, answer);
  return answer;
}

describe("the pages", () => {
  it("begin at /docs, with and without a slash, also behind a path prefix, and / leads there", async () => {
    for (const path of ["/docs", "/"]) {
      const redirect = await get(path);
      expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "docs/"]);
    }
    const redirect = await get("/docs/reference/");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "../reference"]);
  });

  it.each(paths)("are whole: %s", async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toMatch(/<title>[^<]+ · Findersfee<\/title>/);
    expect(page.text.match(/<h1/g)?.length).toBe(1);
    expect(page.text.match(/aria-current="page"/g)?.length).toBe(1);
    // The policy would not let them work.
    expect(page.text).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });

  it.each(paths)("lead only to what is there, by relative addresses: %s", async (path) => {
    const here = new URL(path, service.url);
    for (const reference of new Set(referencesIn((await visit(path)).text))) {
      if (URL.canParse(reference)) continue;
      expect(reference).toMatch(/^(\.\.\/|\.\/)?[\w./-]*(#[\p{Letter}\p{Number}_-]+)?$/u);
      const target = new URL(reference, here);
      const { status, text } = await visit(target.pathname);
      expect(status, reference).toBe(200);
      if (target.hash !== "") expect(text).toContain(`id="${decodeURIComponent(target.hash.slice(1))}"`);
      if (!reference.endsWith(".css")) continue;
      const elsewhere = referencesIn(text).filter((address) => !address.startsWith("data:"));
      expect(elsewhere, reference).toEqual([]);
    }
  });

  it("link from one to the next", async () => {
    const { text } = await get("/docs/quick-start");
    expect(text).toMatch(/<a rel="prev" href="\.\/">/);
    expect(text).toMatch(/<a rel="next" href="[a-z-]+">/);
  });

  it("are sent once, and then only asked about", async () => {
    for (const path of [...paths, "/docs/search.json"]) {
      const { headers } = await get(path);
      const etag = headers.get("etag") ?? "";
      expect(headers.get("cache-control")).toBe("public, no-cache");
      const again = await get(path, { "if-none-match": etag });
      expect([again.status, again.text], path).toEqual([304, ""]);
    }
  });

  it("are all in the index of the search, heading by heading", async () => {
    const { text, headers } = await get("/docs/search.json");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const entries: { id: string; page: string; heading: string; text: string }[] = JSON.parse(text);
    expect(new Set(entries.map(({ page }) => page))).toEqual(new Set(pages.map(({ title }) => title)));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    const found = entries.find(({ id }) => id === "errors#commission_locked");
    expect(found).toMatchObject({ page: "Errors", heading: "commission_locked" });
    expect(found?.text).toContain("409");
  });
});

describe("the reference page", () => {
  it("shows the service's own document, and asks nobody else about it", async () => {
    const { text: script } = await get("/docs/reference.js");
    expect(script).toContain('url: "../v1/openapi.json"');
    expect(script).toContain("validatorUrl: null");
    expect(script).toContain("persistAuthorization: false");
    expect(script).not.toMatch(/https?:/);
    expect((await get("/v1/openapi.json")).status).toBe(200);
  });
});

describe("all of it", () => {
  it("forbids browsers everything else", async () => {
    for (const path of ["/docs", "/docs/", "/docs/errors", "/docs/reference", "/docs/docs.js"]) {
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

  it("has no other file of the folders and packages that it comes from", async () => {
    const others = [
      "index.html",
      "swagger-initializer.js",
      "package.json",
      "plan",
      "plan.md",
      "..%2fdocs.ts",
      "%2e%2e/server.ts",
    ];
    for (const path of others) {
      const response = await get(`/docs/${path}`);
      expect(response.status, path).toBe(404);
      expect(response.text).toContain('"code":"not_found"');
    }
  });

  it("is made of files that are there", () => {
    const files = repositoryFiles();
    expect(files.size).toBe(pages.length + asset_names.length);
    for (const [name, path] of files) expect(existsSync(path), name).toBe(true);
  });
});
