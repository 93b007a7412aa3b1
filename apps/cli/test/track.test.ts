/* `findersfee track test` on pages of local servers, with a real service. */
import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import { createTrackedProgram, type TrackedProgram } from "@findersfee/api/testing/tracking-program";
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { CheckResult } from "../src/tracking/check-page.ts";
import { findersfee } from "./in-process.ts";

let service: TestService;
let program: TrackedProgram;

beforeAll(async () => {
  service = await startTestService();
  // Without a registrable domain, any port of the same host is on the site.
  program = await createTrackedProgram(service, { campaign: { website_url: "http://127.0.0.1/" } });
});
afterAll(() => service.close());

const servers = new Set<Server>();

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.add(server);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const page = (html: string, headers: Record<string, string> = {}): Promise<string> =>
  serve((_, response) =>
    response.writeHead(200, { "content-type": "text/html", ...headers }).end(`<!doctype html>${html}`),
  );

const tag = (attributes = "", src = `${service.url}/tracker.js`): string =>
  `<script async src="${src}" data-key="${program.organization.publishable_key}"${attributes}></script>`;

async function test(url: string): Promise<{ code: number | null; results: CheckResult[] }> {
  const { code, stdout, stderr } = await findersfee(["track", "test", url, "--json"], {});
  expect(stderr).toBe("");
  return { code, results: JSON.parse(stdout) };
}

async function resultOf(url: string, check: CheckResult["check"]) {
  const { code, results } = await test(url);
  const { state, message, to_do } = results.find((result) => result.check === check) ?? {};
  return { code, state, text: `${message} ${to_do ?? ""}` };
}

describe("findersfee track test", () => {
  it("finds nothing to mend on a complete page, and counts nothing", async () => {
    const url = await page(`${TRACKING_SNIPPET}${tag()}<a href="https://buy.stripe.com/x">Buy</a>`);
    const { code, results } = await test(url);
    expect(results.map(({ check, state, to_do }) => [check, state, to_do])).toEqual([
      ["page", "ok", null],
      ["script", "ok", null],
      ["address", "ok", null],
      ["first-party", "ok", null],
      ["policy", "ok", null],
      ["consent", "ok", null],
      ["domain", "ok", null],
      ["click", "ok", null],
      ["checkout", "ok", null],
    ]);
    expect(code).toBe(0);
    const texts = results.map(({ message }) => message).join("\n");
    expect(texts).toContain(`…${program.organization.publishable_key.slice(-4)}`);
    expect(texts).not.toContain(program.organization.publishable_key);
    expect(texts).toContain("(not_found)");
    const { organization_id } = program.organization;
    expect(await service.database`select from clicks where organization_id = ${organization_id}`).toEqual([]);
  });

  it("prints one line per check, and exits with 1 if something must be mended", async () => {
    const good = await findersfee(["track", "test", await page(TRACKING_SNIPPET + tag())], {});
    expect([good.code, good.stdout.trim().split("\n").length]).toEqual([0, 9]);
    const bad = await findersfee(["track", "test", await page("<p>Hi</p>")], {});
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^error {4}script {7}The page's HTML has no script\. Add both elements/m);
  });

  it.each(["", "ftp://example.com", "http://", "not a page"])("refuses the address “%s”", async (address) => {
    const { code, stderr } = await findersfee(["track", "test", address], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining("<url>: ")]);
  });

  it("says how a page does not answer", async () => {
    const missing = await serve((_, response) => response.writeHead(404).end());
    expect(await resultOf(missing, "page")).toMatchObject({
      code: 1,
      text: expect.stringContaining("status 404"),
    });
    const closed = await serve((request) => request.socket.destroy());
    expect(await resultOf(closed, "page")).toMatchObject({ code: 1, state: "error" });
    const loop = await serve((_, response) => response.writeHead(302, { location: "/" }).end());
    expect(await resultOf(loop, "page")).toMatchObject({
      text: expect.stringContaining("more than 5 redirects"),
    });
    const file = await serve((_, response) =>
      response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    );
    expect(await resultOf(file, "page")).toMatchObject({ text: expect.stringContaining("no web address") });
  });

  it("follows a few redirects, and reads a bounded part of the page", async () => {
    const target = await page(TRACKING_SNIPPET + tag());
    const start = await serve((_, response) => response.writeHead(301, { location: target }).end());
    expect(await resultOf(start, "page")).toMatchObject({
      state: "ok",
      text: `${start} leads to ${target}. `,
    });
    const endless = await serve((_, response) => {
      response.write(TRACKING_SNIPPET + tag());
      const timer = setInterval(() => response.write("x".repeat(100_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(await resultOf(endless, "script")).toMatchObject({ code: 0, state: "ok" });
  });

  it("reads hostile pages in linear time", async () => {
    for (const part of ['<a "', "<a '", "<script ", "<!--", "<meta a=b ", "</script"]) {
      expect((await test(await page(part.repeat(200_000)))).code, part).toBe(1);
    }
  });

  it.each([
    ["no key", () => `<script src="${service.url}/tracker.js"></script>`, "has no publishable key"],
    ["a tag manager", () => '<script src="https://www.googletagmanager.com/gtm.js"></script>', "tag manager"],
    ["a comment", () => `<!-- ${tag()} -->`, "has no script"],
  ])("says that a page has no script: %s", async (_, html, words) => {
    expect(await resultOf(await page(html()), "script")).toEqual({
      code: 1,
      state: "error",
      text: expect.stringContaining(words),
    });
  });

  it("warns without the snippet, and with two scripts", async () => {
    expect(await resultOf(await page(tag()), "script")).toMatchObject({ code: 0, state: "warning" });
    expect(await resultOf(await page(TRACKING_SNIPPET + tag() + tag()), "script")).toMatchObject({
      state: "warning",
      text: expect.stringContaining("2 times"),
    });
  });

  it("says that the script's address answers with something else", async () => {
    const other = await page("<p>Not found</p>");
    expect(await resultOf(await page(tag("", `${other}tracker.js`)), "address")).toMatchObject({
      code: 1,
      text: expect.stringContaining("something other than the script"),
    });
    expect(await resultOf(await page(tag("", `${service.url}/script.js`)), "address")).toMatchObject({
      text: expect.stringContaining("status 404"),
    });
  });

  it("warns if the script is of another site", async () => {
    const { port } = new URL(service.url);
    const elsewhere = tag("", `http://localhost:${port}/tracker.js`);
    expect(await resultOf(await page(elsewhere), "first-party")).toMatchObject({ state: "warning", code: 0 });
  });

  const hash = () => {
    const code = TRACKING_SNIPPET.replace(/^<script>|<\/script>$/g, "");
    return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
  };

  it.each<[string, () => string, string | null]>([
    ["everything", () => "default-src *; script-src * 'unsafe-inline'", null],
    ["its origin", () => `script-src ${service.url} 'unsafe-inline'; connect-src ${service.url}`, null],
    ["the snippet's hash", () => `script-src ${service.url} ${hash()}; connect-src ${service.url}`, null],
    ["nothing about scripts", () => "img-src 'self'; frame-ancestors 'none'", null],
    ["no script", () => "script-src 'self' 'unsafe-inline'", "blocks the script by its directive script-src"],
    ["no script by default", () => "default-src 'none'", "by its directive default-src"],
    [
      "no request",
      () => `script-src ${service.url} 'unsafe-inline'; connect-src 'self'`,
      "requests by its directive connect-src",
    ],
    ["no snippet", () => `script-src ${service.url}; connect-src *`, "blocks the snippet"],
    [
      "a hash of other code",
      () => `script-src ${service.url} 'unsafe-inline' 'sha256-AAAA'; connect-src *`,
      "blocks the snippet",
    ],
    ["another port", () => "script-src http://127.0.0.1:1 'unsafe-inline'", "blocks the script"],
    ["https alone", () => "script-src https: 'unsafe-inline'", "blocks the script"],
  ])("reads a policy that allows %s", async (_, policy, blocked) => {
    for (const url of [
      await page(TRACKING_SNIPPET + tag(), { "content-security-policy": policy() }),
      await page(
        `<meta http-equiv="Content-Security-Policy" content="${policy()}">${TRACKING_SNIPPET}${tag()}`,
      ),
    ]) {
      const { code, state, text } = await resultOf(url, "policy");
      expect([code, state]).toEqual(blocked === null ? [0, "ok"] : [1, "error"]);
      if (blocked !== null) expect(text).toContain(blocked);
    }
  });

  it("reads nonces, and needs all policies", async () => {
    const nonced = TRACKING_SNIPPET.replace("<script>", '<script nonce="n1">') + tag(' nonce="n1"');
    const strict = "script-src 'nonce-n1' 'strict-dynamic'; connect-src *";
    const url = await page(nonced, { "content-security-policy": strict });
    expect(await resultOf(url, "policy")).toMatchObject({ state: "ok" });
    const both = await page(nonced, { "content-security-policy": `${strict}, connect-src 'none'` });
    expect(await resultOf(both, "policy")).toMatchObject({ text: expect.stringContaining("connect-src") });
  });

  it("says whether the script waits for consent", async () => {
    const modeOf = async (attributes: string) => resultOf(await page(tag(attributes)), "consent");
    expect((await modeOf("")).text).toContain("without asking");
    expect(await modeOf(' data-consent="wait"')).toMatchObject({
      state: "ok",
      text: expect.stringContaining("waits for findersfee.consent(true)"),
    });
    expect(await modeOf(' data-consent="yes" data-respect-dnt')).toMatchObject({
      state: "warning",
      text: expect.stringContaining("Do Not Track"),
    });
  });

  it("says that the domain is not allowed, by the service's reason", async () => {
    const other = await createTrackedProgram(service, { campaign: { website_url: "https://example.com/" } });
    const html = tag().replace(program.organization.publishable_key, other.organization.publishable_key);
    expect(await resultOf(await page(html), "domain")).toEqual({
      code: 1,
      state: "error",
      text: expect.stringContaining("website_domains (insufficient_scope)"),
    });
  });

  it("says that the key is unknown, and that a proxy does not pass clicks on", async () => {
    const html = tag().replace(program.organization.publishable_key, `ff_pk_${"x".repeat(43)}`);
    expect(await resultOf(await page(html), "click")).toMatchObject({
      code: 1,
      text: expect.stringContaining("(unauthorized)"),
    });
    const proxy = await serve((request, response) => {
      if (request.url !== "/tracker.js") response.writeHead(405).end();
      else fetch(`${service.url}/tracker.js`).then(async (script) => response.end(await script.text()));
    });
    expect(await resultOf(await page(tag("", `${proxy}tracker.js`)), "click")).toMatchObject({
      code: 1,
      text: expect.stringContaining("status 405"),
    });
  });

  it.each([
    [
      '<a href="https://buy.stripe.com/x?client_reference_id=mine">Buy</a>',
      "warning",
      "does not replace: 1 of 1",
    ],
    ['<stripe-buy-button client-reference-id="mine"></stripe-buy-button>', "warning", "of your own"],
    ["<stripe-pricing-table></stripe-pricing-table>", "ok", "Stripe checkouts: 1"],
    ['<a href="https://pay.example.com" data-findersfee-checkout>Buy</a>', "ok", "adds the click"],
    ["<script>findersfee.ready.then(start)</script>", "ok", "own code uses the click"],
    ["<p>Nothing</p>", "ok", "pass the click as client_reference_id"],
  ])("looks at the checkout: %s", async (html, state, words) => {
    expect(await resultOf(await page(tag() + html), "checkout")).toEqual({
      code: 0,
      state,
      text: expect.stringContaining(words),
    });
  });
});
