/* An organization's own domains behind Caddy, as docs/self-hosting.md has it, in a browser over TLS. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agreeToAll, mailedTo } from "@findersfee/api/testing/portal/affiliate-browser";
import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import { BROWSER } from "@findersfee/api/testing/tracking-program";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { has_chromium, launchChromium, without_chromium } from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildPortal } from "../scripts/build.ts";

const APP = "app.example.com";
const PORTAL = "partners.acme.com";
const GO = "go.acme.com";
const SITE = "www.acme.com";
const JANE = "jane@example.com";
/** The block of the page with the hosts of a service. */
const CADDYFILE = /```text\n(?<block>app\.example\.com, partners\.acme\.com, go\.acme\.com \{\n[^`]*)```/;

const has_caddy = spawnSync("caddy", ["version"], { stdio: "ignore" }).error === undefined;
const without = has_caddy ? without_chromium : " (skipped: caddy is not installed)";

describe.skipIf(!has_chromium || !has_caddy)(`own domains over TLS${without}`, () => {
  let service: TestService;
  let folder: string;
  let caddy: ChildProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const portal = await buildPortal();
    const proxies = ["127.0.0.1", "::1"];
    service = await startTestService({ public_url: `https://${APP}`, trust_proxy: proxies }, undefined, {
      portal,
    });
    const { organization_id, publishable_key, trpc } = await service.organization();
    await service.database`
      update organizations
      set name = 'Acme', slug = 'acme', portal_host_wanted = ${PORTAL}, portal_host_proven_at = now(),
        link_host_wanted = ${GO}, link_host_proven_at = now(), link_url = ${`https://${GO}`}, link_cookies = true
      where id = ${organization_id}`;
    await trpc.campaigns.create.mutate({
      ...{ name: "Partners", website_url: `https://${SITE}/pricing`, is_default: true },
      ...{ commission_type: "percentage", commission_amount: 30, code_mode: "link" },
    });
    await trpc.affiliates.create.mutate({ email: JANE, ref_code: "jane" });
    await agreeToAll(service, JANE);
    folder = await mkdtemp(join(tmpdir(), "findersfee-caddy-"));
    const port = await freePort();
    caddy = await startCaddy(port, publishable_key);
    browser = await launchChromium([
      `--host-resolver-rules=${[APP, PORTAL, GO, SITE].map((host) => `MAP ${host} 127.0.0.1:${port}`).join(", ")}`,
      `--ignore-certificate-errors-spki-list=${await keyOfCaddy()}`,
    ]);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    if (caddy !== undefined && caddy.exitCode === null) {
      const ended = new Promise((resolve) => caddy.once("exit", resolve));
      caddy.kill("SIGTERM");
      await ended;
    }
    await service?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    complaints.length = 0;
    context = await browser.newContext({ locale: "en-US", userAgent: BROWSER });
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
  });

  afterEach(() => context.close());

  /** The page's configuration with certificates of Caddy's own authority, and the organization's site. */
  async function startCaddy(port: number, key: string): Promise<ChildProcess> {
    const documentation = await readFile(join(import.meta.dirname, "../../../docs/self-hosting.md"), "utf8");
    const block = CADDYFILE.exec(documentation)?.groups?.block;
    if (block === undefined) throw new Error("docs/self-hosting.md has no Caddyfile");
    const hosts = block
      .replace(" {\n", " {\n  tls internal\n")
      .replace("127.0.0.1:3000", new URL(service.url).host);
    const tag = `<script async src="https://${GO}/tracker.js" data-key="${key}"></script>`;
    const file = join(folder, "Caddyfile");
    await writeFile(
      join(folder, "index.html"),
      `<!doctype html><title>Acme</title><link rel="icon" href="data:,">${tag}<h1>Pricing</h1>`,
    );
    await writeFile(
      file,
      `{
  admin off
  skip_install_trust
  auto_https disable_redirects
  https_port ${port}
}
${hosts}
${SITE} {
  tls internal
  root * ${folder}
  rewrite * /index.html
  file_server
}
`,
    );
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: { PATH: process.env.PATH ?? "", ...home },
    });
  }

  /** The key of the authority that the browser shall trust, as Chromium names it. */
  async function keyOfCaddy(): Promise<string> {
    const path = join(folder, "caddy/pki/authorities/local/intermediate.crt");
    const file = await eventually(() => readFile(path));
    const der = new X509Certificate(file).publicKey.export({ type: "spki", format: "der" });
    return createHash("sha256").update(der).digest("base64");
  }

  /** Opens a page once Caddy answers with its certificate. */
  async function open(address: string): Promise<void> {
    const response = await eventually(() => page.goto(address, { waitUntil: "load" }));
    expect((await response?.securityDetails())?.issuer).toMatch(/^Caddy Local Authority/);
  }

  it("show the portal of the organization, which an affiliate signs in to", async () => {
    await open(`https://${PORTAL}/`);
    await page.getByRole("banner").getByText("Acme").waitFor();
    await page.goto(`https://${PORTAL}/portal/sign-in`);
    await page.getByLabel("Email").fill(JANE);
    await page.getByRole("button", { name: "Send code" }).click();
    const field = page.getByRole("textbox", { name: "Six-digit code" });
    await field.waitFor();
    const { code } = await mailedTo(service, JANE);
    await field.fill(code);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    expect(new URL(page.url()).host).toBe(PORTAL);
    await page.getByText(`${GO}/jane`).first().waitFor();
    const cookies = await context.cookies();
    expect(cookies.length).toBeGreaterThan(0);
    for (const { name, domain, secure } of cookies)
      expect([name, domain, secure]).toEqual([name, PORTAL, true]);
    // Of the question who is signed in.
    expect(complaints.filter((complaint) => !complaint.includes("401"))).toEqual([]);
  });

  it("lead a link to the site, whose page keeps the click in a cookie of the site", async () => {
    await open(`https://${GO}/jane?utm_source=newsletter`);
    await page.getByRole("heading", { name: "Pricing" }).waitFor();
    expect(new URL(page.url()).host).toBe(SITE);
    const clicksOf = () =>
      context.cookies(`https://${SITE}`).then((all) => all.filter(({ name }) => name === "findersfee_click"));
    await expect.poll(async () => (await clicksOf()).length).toBe(1);
    const [cookie] = await clicksOf();
    expect([cookie?.domain, cookie?.secure]).toEqual([".acme.com", true]);
    const counted = await service.database<{ id: string }[]>`select id from clicks`;
    expect(counted.map(({ id }) => id)).toEqual([cookie?.value]);
    expect(complaints).toEqual([]);
  });
});
