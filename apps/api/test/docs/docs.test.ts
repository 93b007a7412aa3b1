import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asset_names, repositoryFiles } from "../../src/docs/files.ts";
import { markdownName, pages, reference_pages, referenceSlug } from "../../src/docs/pages.ts";
import { describeApi } from "../../src/openapi/document.ts";
import { v1 } from "../../src/v1-router.ts";
import { startTestService, type TestService } from "../test-service.ts";

const document = describeApi(v1, { server_url: "/v1", version: "1.0.0" });

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ public_url: "https://api.example.com/partners" });
});

afterAll(() => service.close());

/** The complete response: an unread one would keep the service from closing. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, { redirect: "manual", headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The resources that a page or style sheet loads, and its links. */
function referencesIn(text: string): string[] {
  const found = text.matchAll(/(?:href|src)="([^"]*)"|url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g);
  return [...found].map(([, attribute, url, imported]) => attribute ?? url ?? imported ?? "");
}

const paths = [...pages, ...reference_pages].map(({ slug }) => `/docs/${slug}`);

type ApiResponse = Awaited<ReturnType<typeof get>>;

const visited = new Map<string, Promise<ApiResponse>>();

/** The response, requested once per address. */
function visit(path: string): Promise<ApiResponse> {
  const answer = visited.get(path) ?? get(path);
  visited.set(path, answer);
  return answer;
}

describe("the pages", () => {
  it("start at /docs, with and without a slash, also behind a path prefix; / redirects there", async () => {
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
    // The policy would block them.
    expect(page.text.replaceAll(/<code>.*?<\/code>/gs, "")).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });

  it.each(paths)("contain only working relative links: %s", async (path) => {
    const here = new URL(path, service.url);
    for (const reference of new Set(referencesIn((await visit(path)).text))) {
      if (URL.canParse(reference)) continue;
      expect(reference).toMatch(/^(\.\.\/|\.\/)*[\w./-]*(#[\p{Letter}\p{Number}_-]+)?$/u);
      const target = new URL(reference, here);
      const { status, text } = await visit(target.pathname);
      expect(status, reference).toBe(200);
      if (target.hash !== "") expect(text).toContain(`id="${decodeURIComponent(target.hash.slice(1))}"`);
      if (!reference.endsWith(".css")) continue;
      const elsewhere = referencesIn(text).filter((address) => !address.startsWith("data:"));
      expect(elsewhere, reference).toEqual([]);
    }
  });

  it("link to the next page", async () => {
    const { text } = await get("/docs/quick-start");
    expect(text).toMatch(/<a rel="prev" href="\.\/">/);
    expect(text).toMatch(/<a rel="next" href="[a-z-]+">/);
  });

  it("are cached and revalidated", async () => {
    const markdown = [...pages, ...reference_pages].map(({ slug }) => `/docs/${markdownName(slug)}`);
    for (const path of [...paths, ...markdown, "/docs/search.json", "/docs/llms.txt"]) {
      const { headers } = await get(path);
      const etag = headers.get("etag") ?? "";
      expect(headers.get("cache-control")).toBe("public, no-cache");
      const again = await get(path, { "if-none-match": etag });
      expect([again.status, again.text], path).toEqual([304, ""]);
    }
  });

  it("are in the search index, heading by heading", async () => {
    const { text, headers } = await get("/docs/search.json");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const entries: { id: string; page: string; heading: string; text: string }[] = JSON.parse(text);
    expect(new Set(entries.map(({ page }) => page))).toEqual(
      new Set([...pages, ...reference_pages].map(({ title }) => title)),
    );
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    const found = entries.find(({ id }) => id === "errors#commission_locked");
    expect(found).toMatchObject({ page: "Errors", heading: "commission_locked" });
    expect(found?.text).toContain("409");
  });
});

describe("the reference", () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );

  /** The page of the operation's tag, in HTML or Markdown. */
  async function pageOf({ tags }: (typeof operations)[number], ending = ""): Promise<string> {
    return (await visit(`/docs/${referenceSlug(tags[0] ?? "")}${ending}`)).text;
  }

  it("has every operation with a permalink, fields, errors, response and samples", async () => {
    expect(operations.length).toBeGreaterThan(15);
    for (const operation of operations) {
      const [, ...rest] = (await pageOf(operation)).split(`<h2 id="${operation.operationId}">`);
      const section = rest.join("").split("</section>")[0] ?? "";
      const text = section.replaceAll(/<[^>]+>/g, "");
      expect(section).toContain(`href="#${operation.operationId}"`);
      expect(text).toContain(`${operation.method} /v1${operation.path}`);
      for (const name of fieldNames(operation)) expect(text, operation.operationId).toContain(name);
      for (const code of errorCodes(operation)) expect(section).toContain(`errors#${code}`);
      const samples = section.match(/data-sample="\w+"/g);
      expect(samples, operation.operationId).toHaveLength(6);
      expect(text).toContain(
        operation.path === "/audit-log" ? "&quot;cursor&quot;: " : "&quot;success&quot;: true",
      );
    }
  });

  it("exists as Markdown with the same content", async () => {
    for (const operation of operations) {
      const text = await pageOf(operation, ".md");
      expect(text).toContain(`## ${operation.summary}\n\n\`${operation.method} /v1${operation.path}\``);
      for (const name of fieldNames(operation)) expect(text, operation.operationId).toContain(`\`${name}\``);
      for (const code of errorCodes(operation)) expect(text).toContain(`\`${code}\``);
      for (const { source } of operation["x-codeSamples"] ?? []) expect(text).toContain(source);
    }
  });

  it("has every webhook event", async () => {
    const { text } = await visit("/docs/reference/webhook-events");
    const markdown = (await visit("/docs/reference/webhook-events.md")).text;
    for (const type of Object.keys(document.webhooks)) {
      expect(text).toContain(`<h2 id="${type.replace(".", "-")}">`);
      expect(markdown).toContain(`## ${type}\n`);
    }
  });

  it("lists every operation on its first page", async () => {
    const { text } = await visit("/docs/reference");
    for (const { operationId, tags } of operations) {
      expect(text).toContain(`href="${referenceSlug(tags[0] ?? "")}#${operationId}"`);
    }
  });

  it("is in the search index, operation by operation", async () => {
    const entries: { id: string; request?: string; text: string }[] = JSON.parse(
      (await visit("/docs/search.json")).text,
    );
    for (const { method, path, operationId, tags } of operations) {
      const entry = entries.find(({ id }) => id === `${referenceSlug(tags[0] ?? "")}#${operationId}`);
      expect(entry?.request).toBe(`${method} /v1${path}`);
      expect(entry?.text).toContain(operationId);
    }
  });

  function fieldNames({ parameters = [], requestBody }: (typeof operations)[number]): string[] {
    const named = parameters.flatMap((parameter) => ("name" in parameter ? [parameter.name] : []));
    const body = requestBody?.content["application/json"].schema.$ref?.split("/").at(-1) ?? "";
    return [...named, ...Object.keys(document.components.schemas[body]?.properties ?? {})];
  }

  function errorCodes({ responses }: (typeof operations)[number]): string[] {
    const shared = Object.values(responses).map((response) =>
      "$ref" in response ? document.components.responses[response.$ref.split("/").at(-1) ?? ""] : response,
    );
    return shared.flatMap((response) => Object.keys(response?.content?.["application/json"]?.examples ?? {}));
  }
});

describe("Markdown", () => {
  it("is served for every page, linked from it, with links to Markdown", async () => {
    for (const { slug } of [...pages, ...reference_pages]) {
      const name = markdownName(slug);
      const page = await visit(`/docs/${slug}`);
      const linked = referencesIn(page.text).map((href) => new URL(href, `http://x/docs/${slug}`).pathname);
      expect(linked, slug).toContain(`/docs/${name}`);
      const markdown = await visit(`/docs/${name}`);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(markdown.text).toMatch(/^# \S/);
      for (const [, href = ""] of markdown.text.matchAll(/\]\(([^()\s]+)\)/g)) {
        if (URL.canParse(href) || href.startsWith("#")) continue;
        const { pathname } = new URL(href, `http://x/docs/${name}`);
        expect((await visit(pathname)).status, `${name}: ${href}`).toBe(200);
        expect(pathname, `${name}: ${href}`).toMatch(/\.md$/);
      }
    }
  });

  it("is indexed for language models in llms.txt, with absolute addresses", async () => {
    const redirect = await get("/llms.txt");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "docs/llms.txt"]);
    const { text, headers } = await visit("/docs/llms.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Findersfee\n\n> \S[^#]*## /);
    const links = [...text.matchAll(/^- \[([^\]]+)\]\((\S+)\): \S/gm)].map(([, , href = ""]) => href);
    const base = "https://api.example.com/partners/docs/";
    for (const { slug } of [...pages, ...reference_pages])
      expect(links).toContain(`${base}${markdownName(slug)}`);
    expect(links.filter((href) => !href.startsWith(base))).toEqual([]);
  });

  it("is indexed with relative addresses if the service does not know its own", async () => {
    const unnamed = await startTestService();
    try {
      const text = await (await fetch(`${unnamed.url}/llms.txt`)).text();
      expect(text).toContain("](quick-start.md): ");
    } finally {
      await unnamed.close();
    }
  });
});

describe("an address without a page", () => {
  const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  it("gets a page with search and working links in browsers", async () => {
    for (const path of ["/docs/nothing", "/docs/nothing/in/here", "/docs/nothing/", "/docs/quick-start/"]) {
      const { status, headers, text } = await get(path, { accept: BROWSER });
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(text).toContain('<input type="search"');
      for (const reference of new Set(referencesIn(text).filter((href) => href !== "#content"))) {
        const { pathname } = new URL(reference, `${service.url}${path}`);
        expect((await visit(pathname)).status, `${path}: ${reference}`).toBe(200);
      }
    }
  });

  it("shows its path as text, truncated if long", async () => {
    const { text } = await get("/docs/<b>x", { accept: BROWSER });
    expect(text).not.toContain("<b>x");
    const long = await get(`/docs/${"a".repeat(5_000)}`, { accept: BROWSER });
    expect(long.status).toBe(404);
    expect(long.text.length).toBeLessThan(10_000);
  });

  it("gets the error body in other clients", async () => {
    for (const accept of [
      "*/*",
      "application/json",
      "text/html;q=0.5, application/json",
      "text/html;q=0",
      "text/markdown",
    ]) {
      const { status, headers, text } = await get("/docs/nothing", { accept });
      expect([status, headers.get("content-type")], accept).toEqual([404, "application/json; charset=utf-8"]);
      expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: "not_found" } });
    }
  });

  it("rejects other methods", async () => {
    const response = await fetch(`${service.url}/docs/nothing`, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([404, null]);
    await response.text();
  });
});

describe("all pages", () => {
  it("restrict browsers with a content security policy", async () => {
    for (const path of ["/docs", "/docs/", "/docs/errors", "/docs/reference/campaigns", "/docs/docs.js"]) {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")?.split(";").sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
    expect((await get("/v1/openapi.json")).headers.get("content-security-policy")).toBeNull();
  });

  it("expose no other files of their source folders and packages", async () => {
    const others = [
      "index.html",
      "package.json",
      "plan",
      "plan.md",
      "contributing/testing.md",
      "..%2fdocs.ts",
      "%2e%2e/server.ts",
    ];
    for (const path of others) {
      const response = await get(`/docs/${path}`);
      expect(response.status, path).toBe(404);
      expect(response.text).toContain('"code":"not_found"');
    }
  });

  it("use existing files", () => {
    const files = repositoryFiles();
    expect(files.size).toBe(pages.length + asset_names.length);
    for (const [name, path] of files) expect(existsSync(path), name).toBe(true);
  });
});
