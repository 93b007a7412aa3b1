/* Headers of every response, and the addresses below /.well-known. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostBrowser } from "../portal/host-browser.ts";
import { startTestService, type TestService } from "../test-service.ts";

const PUBLIC_URL = "https://app.example.com/affiliates";
const YEAR = "max-age=31536000";

let secure: TestService;
let plain: TestService;

beforeAll(async () => {
  [secure, plain] = await Promise.all([
    startTestService({ public_url: PUBLIC_URL, security_contact: "mailto:security@example.com" }),
    startTestService(),
  ]);
});
afterAll(async () => {
  await Promise.all([secure.close(), plain.close()]);
});

const HOST = "app.example.com";

describe("a response", () => {
  it.each([
    ["/v1/campaigns", 401],
    ["/v1/nothing", 404],
    ["/trpc/dashboard.portal.get", 401],
    ["/portal/look?organization=nobody", 404],
    ["/portal/auth/programs/nobody", 404],
    ["/auth/sign-in", 405],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/metrics", 200],
    ["/tracker.js", 200],
    ["/discount.js", 200],
    ["/docs/", 200],
    ["/docs", 302],
    ["/%", 400],
    ["/nothing", 404],
    ["/", 302],
  ])("of %s is read as no other type, and of an https service only by https", async (path, status) => {
    const [on_https, on_http] = await Promise.all([
      new HostBrowser(secure).send(HOST, path),
      new HostBrowser(plain).send("localhost", path),
    ]);
    for (const answer of [on_https, on_http]) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(on_https.headers.get("strict-transport-security")).toBe(YEAR);
    expect(on_http.headers.get("strict-transport-security")).toBeNull();
  });

  it("to another host has them, too", async () => {
    const { status, headers } = await new HostBrowser(secure).send("evil.example", "/");
    expect([status, headers.get("x-content-type-options"), headers.get("strict-transport-security")]).toEqual(
      [421, "nosniff", YEAR],
    );
  });

  it("to what is no HTTP is read as no other type", async () => {
    const { hostname, port } = new URL(plain.url);
    const socket = connect(Number(port), hostname);
    socket.end("no http\r\n\r\n");
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1.1 400 [\s\S]*\r\nx-content-type-options: nosniff\r\n/,
    );
  });
});

describe("/.well-known/security.txt", () => {
  it("names the operator's contact, and is valid for some months", async () => {
    const { status, headers, text } = await new HostBrowser(secure).send(HOST, "/.well-known/security.txt");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const [contact, expires = "", canonical] = text.split("\n");
    expect(contact).toBe("Contact: mailto:security@example.com");
    expect(canonical).toBe("Canonical: https://app.example.com/.well-known/security.txt");
    const days = (new Date(expires.replace("Expires: ", "")).getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(150);
    expect(days).toBeLessThan(365);
  });

  it("is at organizations' hosts, too", async () => {
    const host = "partners.acme.example";
    const { organization_id } = await secure.organization();
    await secure.database`
      update organizations set portal_host_wanted = ${host}, portal_host_proven_at = now()
      where id = ${organization_id}`;
    const browser = new HostBrowser(secure);
    expect((await browser.send(host, "/.well-known/security.txt")).status).toBe(200);
    expect((await browser.send(host, "/.well-known/change-password")).status).toBe(404);
  });

  it("is not there without a contact", async () => {
    expect((await new HostBrowser(plain).send("localhost", "/.well-known/security.txt")).status).toBe(404);
  });
});
