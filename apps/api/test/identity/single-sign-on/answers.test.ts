import { randomUUID } from "node:crypto";
import { SINGLE_SIGN_ON_FAILURES } from "@findersfee/contract/identity/single-sign-on-failures";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openBrowser } from "../../browser.ts";
import { CLIENT } from "./identity-provider.ts";
import { failed, SingleSignOn } from "./program.ts";

let sso: SingleSignOn;

beforeAll(async () => {
  sso = await SingleSignOn.start();
});
afterAll(() => sso.close());
beforeEach(() => sso.reset());

it("sends the provider PKCE, state and nonce, and leads nowhere else", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  const browser = openBrowser(sso.service);
  const asked = new URL(await sso.start(browser, email, "//evil.example/x")).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${sso.service.url}/auth/single-sign-on/callback`,
    scope: "openid email profile",
  });
  expect([asked.get("state"), asked.get("nonce"), asked.get("code_challenge")]).toEqual(
    Array(3).fill(expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)),
  );
  for (const to of ["https://evil.example", "\\\\evil.example", "@evil.example", "javascript:alert(1)"]) {
    const back = await sso.provider.visit(await sso.start(browser, email, to));
    expect(await sso.comeBack(browser, back)).toBe("/");
  }
  for (const to of ["//evil.example/x", "/\\evil.example"]) {
    const back = await sso.provider.visit(await sso.start(browser, email, to));
    const location = new URL(`${sso.service.url}${await sso.comeBack(browser, back)}`);
    expect(location.origin).toBe(sso.service.url);
  }
});

it("accepts an answer once, and only in the browser that asked", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  const [browser, other] = [openBrowser(sso.service), openBrowser(sso.service)];
  const back = await sso.provider.visit(await sso.start(browser, email));
  await sso.start(other, email);
  expect(await sso.comeBack(other, back)).toEqual(failed("expired"));
  expect(await sso.comeBack(openBrowser(sso.service), back)).toEqual(failed("expired"));
  const cookies = new Map(browser.cookies);
  expect(await sso.comeBack(browser, back)).toBe("/o/acme?page=2");
  // A thief of both, address and cookie, replays neither state nor code.
  const thief = openBrowser(sso.service);
  for (const [name, value] of cookies) thief.cookies.set(name, value);
  expect(await sso.comeBack(thief, back)).toEqual(failed("expired"));
  expect(thief.cookies.has("findersfee_session")).toBe(false);
});

it("refuses a code that was used before", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  const browser = openBrowser(sso.service);
  const used = await sso.provider.visit(await sso.start(browser, email));
  await sso.comeBack(browser, used);
  const next = await sso.provider.visit(await sso.start(browser, email));
  next.searchParams.set("code", used.searchParams.get("code") ?? "");
  expect(await sso.comeBack(browser, next)).toEqual(failed("expired"));
});

it("refuses the nonce of another sign-in", async () => {
  const { domain } = await sso.connect();
  const browser = openBrowser(sso.service);
  const url = new URL(await sso.start(browser, sso.account(domain)));
  url.searchParams.set("nonce", "another");
  expect(await sso.comeBack(browser, await sso.provider.visit(url.href))).toEqual(failed("invalid_answer"));
});

it.each([
  ["audience", () => ({ aud: "another-client" })],
  ["issuer", () => ({ iss: "https://evil.example" })],
  ["expiry", () => ({ exp: Math.floor(Date.now() / 1000) - 60 })],
])("refuses a token with another %s", async (_claim, changed) => {
  const { domain } = await sso.connect();
  const browser = openBrowser(sso.service);
  sso.provider.tamper = (claims) => ({ ...claims, ...changed() });
  expect(await sso.signIn(browser, sso.account(domain))).toEqual(failed("invalid_answer"));
  expect(browser.cookies.has("findersfee_session")).toBe(false);
});

it("refuses a token that the provider has not signed", async () => {
  const { domain } = await sso.connect();
  sso.provider.is_forged = true;
  expect(await sso.signIn(openBrowser(sso.service), sso.account(domain))).toEqual(failed("invalid_answer"));
});

it("refuses an address that is not verified, or missing", async () => {
  const { domain } = await sso.connect();
  const unverified = sso.account(domain, { email_verified: false });
  expect(await sso.signIn(openBrowser(sso.service), unverified)).toEqual(failed("email_unverified"));
  const missing = `${randomUUID()}@${domain}`;
  sso.provider.accounts.set(missing, { sub: randomUUID() });
  expect(await sso.signIn(openBrowser(sso.service), missing)).toEqual(failed("email_missing"));
});

it("refuses an address of a domain that is not proven", async () => {
  const { domain, organization_id, settings } = await sso.connect();
  const hint = `${randomUUID()}@${domain}`;
  sso.provider.accounts.set(hint, { sub: randomUUID(), email: "jane@other.example", email_verified: true });
  expect(await sso.signIn(openBrowser(sso.service), hint)).toEqual(failed("domain_unproven"));
  const added = `${randomUUID()}.example`;
  await settings.add_domain.mutate({ domain: added });
  const { domains } = await settings.check_domain.mutate({ domain: added });
  expect(domains.find((row) => row.domain === added)).toMatchObject({
    record: { name: `_findersfee.${added}`, value: `findersfee=${organization_id}` },
    proven_at: null,
    failure: "missing",
  });
  const answer = await openBrowser(sso.service).post("/auth/single-sign-on", { email: `jane@${added}` });
  expect(answer).toMatchObject({
    status: 403,
    body: { error: { code: "single_sign_on_failed", message: SINGLE_SIGN_ON_FAILURES.no_provider } },
  });
});

it("says that the provider denied the person, or refuses the service", async () => {
  const { domain, settings } = await sso.connect();
  const email = sso.account(domain);
  const denied = await sso.signIn(openBrowser(sso.service), `${randomUUID()}@${domain}`);
  expect(denied).toEqual(failed("denied"));
  // The next try leads where the person wanted to go.
  expect(new URLSearchParams(denied.split("?")[1]).get("to")).toBe("/o/acme?page=2");
  await settings.save.mutate({
    issuer: sso.provider.issuer,
    ...CLIENT,
    client_secret: "wrong",
    default_role: "viewer",
  });
  expect(await sso.signIn(openBrowser(sso.service), email)).toEqual(failed("refused"));
});

it.each([
  ["an error", { status: 503, headers: {}, body: "" }, "unreachable"],
  [
    "no JSON",
    { status: 200, headers: { "content-type": "application/json" }, body: "<html>" },
    "invalid_answer",
  ],
  ["a redirect", { status: 302, headers: { location: "http://169.254.169.254/" }, body: "" }, "unreachable"],
  [
    "more than 256 KiB",
    { status: 200, headers: { "content-type": "application/json" }, body: `{"a":"${"x".repeat(300_000)}"}` },
    "unreachable",
  ],
  [
    "a compressed body",
    { status: 200, headers: { "content-type": "application/json", "content-encoding": "gzip" }, body: "" },
    "unreachable",
  ],
] as const)("refuses a token endpoint that answers with %s", async (_what, answer, reason) => {
  const { domain } = await sso.connect();
  const browser = openBrowser(sso.service);
  const back = await sso.provider.visit(await sso.start(browser, sso.account(domain)));
  sso.provider.token_answer = answer;
  expect(await sso.comeBack(browser, back)).toEqual(failed(reason));
});
