import { randomUUID } from "node:crypto";
import { SINGLE_SIGN_ON_FAILURES } from "@findersfee/contract/identity/single-sign-on-failures";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { makeSetupLink } from "@findersfee/domain/identity/setup/links";
import { createUser } from "@findersfee/domain/identity/users/create";
import { type NameServer, startNameServer } from "@findersfee/domain/testing/portal/name-server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Browser, codeOf, openBrowser } from "../browser.ts";
import { sharedTestService, startTestService, type TestService } from "../test-service.ts";
import {
  CLIENT,
  type IdentityProvider,
  type ProviderAccount,
  startIdentityProvider,
} from "./identity-provider.ts";
import { newOrganization, newPerson, PASSWORD, type Person } from "./people.ts";

let service: TestService;
let provider: IdentityProvider;
let names: NameServer;

beforeAll(async () => {
  names = await startNameServer();
  service = await startTestService({
    dns_servers: [names.address],
    sign_in_providers: { allow_http: true, allow_private: true },
  });
  provider = await startIdentityProvider(`${service.url}/auth/single-sign-on/callback`);
});

afterAll(async () => {
  await service.close();
  await provider.close();
  await names.close();
});

beforeEach(() => {
  Object.assign(provider, { tamper: null, is_forged: false, token_answer: null });
});

interface Connected {
  owner: Person;
  organization_id: string;
  domain: string;
  settings: ReturnType<Browser["dashboard"]>["single_sign_on"];
}

type Settings = Parameters<Connected["settings"]["save"]["mutate"]>[0];

/** An organization with the provider, for a domain that it has proven. */
async function connect(settings: Partial<Settings> = {}): Promise<Connected> {
  const owner = await newPerson(service);
  const { organization_id } = owner;
  const { single_sign_on } = owner.browser.dashboard(organization_id);
  const input = { issuer: provider.issuer, ...CLIENT, default_role: "viewer" as const, ...settings };
  await single_sign_on.save.mutate(input);
  const domain = `${randomUUID()}.example`;
  await prove(single_sign_on, { domain, organization_id });
  return { owner, organization_id, domain, settings: single_sign_on };
}

async function prove(
  settings: Connected["settings"],
  { domain, organization_id }: { domain: string; organization_id: string },
): Promise<void> {
  await settings.add_domain.mutate({ domain });
  names.records.set(`_findersfee.${domain}`, [`findersfee=${organization_id}`]);
  await settings.check_domain.mutate({ domain });
}

/** A person that the provider knows. */
function account(domain: string, claims: Partial<ProviderAccount> = {}) {
  const email = `jane-${randomUUID()}@${domain}`;
  provider.accounts.set(email, {
    sub: randomUUID(),
    email,
    email_verified: true,
    name: "Jane Doe",
    ...claims,
  });
  return email;
}

/** Starts a sign-in; returns the address at the provider. */
async function start(browser: Browser, email: string, to = "/o/acme?page=2"): Promise<string> {
  const { status, body } = await browser.post("/auth/single-sign-on", { email, to });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.url;
}

/** Follows the provider's answer; returns where the browser is sent. */
async function comeBack(browser: Browser, url: URL): Promise<string> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(url, { redirect: "manual", headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
  expect(response.status).toBe(303);
  return String(response.headers.get("location")).slice(service.url.length);
}

/** A whole sign-in; returns where the browser ends. */
async function signIn(browser: Browser, email: string): Promise<string> {
  return await comeBack(browser, await provider.visit(await start(browser, email)));
}

function failed(reason: keyof typeof SINGLE_SIGN_ON_FAILURES) {
  return expect.stringMatching(new RegExp(`^/sign-in\\?failure=${reason}&request=req-`));
}

async function auditOf({ owner, organization_id }: Connected, resource: "member" | "single_sign_on") {
  const { data } = await owner.browser.dashboard(organization_id).changes.list.query({ resource });
  return data.map(({ action, actor, before, after }) => ({ action, actor, before, after }));
}

it("signs a new person in, who joins with the default role", async () => {
  const connected = await connect();
  const { organization_id, domain } = connected;
  const email = account(domain);
  const browser = openBrowser(service);
  expect(await signIn(browser, email)).toBe("/o/acme?page=2");
  const me = await browser.account.me.get.query();
  expect(me.user).toMatchObject({ name: "Jane Doe", email });
  expect(me.organizations).toMatchObject([
    { id: organization_id, role: "viewer", needs_single_sign_on: false },
  ]);
  expect(await browser.dashboard(organization_id).organization.get.query()).toMatchObject({
    id: organization_id,
  });
  expect((await auditOf(connected, "member"))[0]).toEqual({
    action: "created",
    actor: "single sign-on",
    before: null,
    after: { email, role: "viewer" },
  });
  // The same person, although the address at the provider has changed.
  const moved = account(domain, { sub: provider.accounts.get(email)?.sub ?? "" });
  const again = openBrowser(service);
  provider.accounts.delete(email);
  await signIn(again, moved);
  expect((await again.account.me.get.query()).user.id).toBe(me.user.id);
});

it("bounds the length of its sessions", async () => {
  const { domain } = await connect({ session_hours: 2 });
  const browser = openBrowser(service);
  await signIn(browser, account(domain));
  const { user } = await browser.account.me.get.query();
  const [session] = await service.database<{ hours: number }[]>`
    select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from user_sessions
    where user_id = ${user.id}`;
  expect(session).toEqual({ hours: 2 });
});

it("sends the provider PKCE, state and nonce, and leads nowhere else", async () => {
  const { domain } = await connect();
  const email = account(domain);
  const browser = openBrowser(service);
  const asked = new URL(await start(browser, email, "//evil.example/x")).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${service.url}/auth/single-sign-on/callback`,
    scope: "openid email profile",
  });
  expect([asked.get("state"), asked.get("nonce"), asked.get("code_challenge")]).toEqual(
    Array(3).fill(expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)),
  );
  for (const to of ["https://evil.example", "\\\\evil.example", "@evil.example", "javascript:alert(1)"]) {
    const back = await provider.visit(await start(browser, email, to));
    expect(await comeBack(browser, back)).toBe("/");
  }
  for (const to of ["//evil.example/x", "/\\evil.example"]) {
    const back = await provider.visit(await start(browser, email, to));
    const location = new URL(`${service.url}${await comeBack(browser, back)}`);
    expect(location.origin).toBe(service.url);
  }
});

it("accepts an answer once, and only in the browser that asked", async () => {
  const { domain } = await connect();
  const email = account(domain);
  const [browser, other] = [openBrowser(service), openBrowser(service)];
  const back = await provider.visit(await start(browser, email));
  await start(other, email);
  expect(await comeBack(other, back)).toEqual(failed("expired"));
  expect(await comeBack(openBrowser(service), back)).toEqual(failed("expired"));
  const cookies = new Map(browser.cookies);
  expect(await comeBack(browser, back)).toBe("/o/acme?page=2");
  // Whoever has both, address and cookie, replays neither state nor code.
  const thief = openBrowser(service);
  for (const [name, value] of cookies) thief.cookies.set(name, value);
  expect(await comeBack(thief, back)).toEqual(failed("expired"));
  expect(thief.cookies.has("findersfee_session")).toBe(false);
});

it("refuses a code that was used before", async () => {
  const { domain } = await connect();
  const email = account(domain);
  const browser = openBrowser(service);
  const used = await provider.visit(await start(browser, email));
  await comeBack(browser, used);
  const next = await provider.visit(await start(browser, email));
  next.searchParams.set("code", used.searchParams.get("code") ?? "");
  expect(await comeBack(browser, next)).toEqual(failed("expired"));
});

it("refuses the nonce of another sign-in", async () => {
  const { domain } = await connect();
  const browser = openBrowser(service);
  const url = new URL(await start(browser, account(domain)));
  url.searchParams.set("nonce", "another");
  expect(await comeBack(browser, await provider.visit(url.href))).toEqual(failed("invalid_answer"));
});

it.each([
  ["audience", () => ({ aud: "another-client" })],
  ["issuer", () => ({ iss: "https://evil.example" })],
  ["expiry", () => ({ exp: Math.floor(Date.now() / 1000) - 60 })],
])("refuses a token with another %s", async (_claim, changed) => {
  const { domain } = await connect();
  const browser = openBrowser(service);
  provider.tamper = (claims) => ({ ...claims, ...changed() });
  expect(await signIn(browser, account(domain))).toEqual(failed("invalid_answer"));
  expect(browser.cookies.has("findersfee_session")).toBe(false);
});

it("refuses a token that the provider has not signed", async () => {
  const { domain } = await connect();
  provider.is_forged = true;
  expect(await signIn(openBrowser(service), account(domain))).toEqual(failed("invalid_answer"));
});

it("refuses an address that is not verified, or missing", async () => {
  const { domain } = await connect();
  const unverified = account(domain, { email_verified: false });
  expect(await signIn(openBrowser(service), unverified)).toEqual(failed("email_unverified"));
  const missing = `${randomUUID()}@${domain}`;
  provider.accounts.set(missing, { sub: randomUUID() });
  expect(await signIn(openBrowser(service), missing)).toEqual(failed("email_missing"));
});

it("refuses an address of a domain that is not proven", async () => {
  const { domain, organization_id, settings } = await connect();
  const hint = `${randomUUID()}@${domain}`;
  provider.accounts.set(hint, { sub: randomUUID(), email: "jane@other.example", email_verified: true });
  expect(await signIn(openBrowser(service), hint)).toEqual(failed("domain_unproven"));
  const added = `${randomUUID()}.example`;
  await settings.add_domain.mutate({ domain: added });
  const { domains } = await settings.check_domain.mutate({ domain: added });
  expect(domains.find((row) => row.domain === added)).toMatchObject({
    record: { name: `_findersfee.${added}`, value: `findersfee=${organization_id}` },
    proven_at: null,
    failure: "missing",
  });
  const answer = await openBrowser(service).post("/auth/single-sign-on", { email: `jane@${added}` });
  expect(answer).toMatchObject({
    status: 403,
    body: { error: { code: "single_sign_on_failed", message: SINGLE_SIGN_ON_FAILURES.no_provider } },
  });
});

it("gives a domain to the organization that proves it", async () => {
  const first = await connect();
  const second = await connect();
  await second.settings.add_domain.mutate({ domain: first.domain });
  await second.settings.check_domain.mutate({ domain: first.domain });
  names.records.set(`_findersfee.${first.domain}`, [
    `findersfee=${first.organization_id}`,
    `findersfee=${second.organization_id}`,
  ]);
  expect(await codeOf(second.settings.check_domain.mutate({ domain: first.domain }))).toBe("invalid_request");
});

it("says that the provider denied the person, or refuses the service", async () => {
  const { domain, settings } = await connect();
  const email = account(domain);
  expect(await signIn(openBrowser(service), `${randomUUID()}@${domain}`)).toEqual(failed("denied"));
  await settings.save.mutate({
    issuer: provider.issuer,
    ...CLIENT,
    client_secret: "wrong",
    default_role: "viewer",
  });
  expect(await signIn(openBrowser(service), email)).toEqual(failed("refused"));
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
  const { domain } = await connect();
  const browser = openBrowser(service);
  const back = await provider.visit(await start(browser, account(domain)));
  provider.token_answer = answer;
  expect(await comeBack(browser, back)).toEqual(failed(reason));
});

it("gives the highest role of the claim's values at every sign-in, and none without one", async () => {
  const connected = await connect({
    role_claim: "groups",
    claim_roles: [
      { value: "staff", role: "viewer" },
      { value: "leads", role: "admin" },
    ],
    default_role: null,
  });
  const { domain, organization_id } = connected;
  const email = account(domain, { groups: ["leads", "staff", "others"] });
  const known = provider.accounts.get(email);
  if (known === undefined) throw new Error("unknown");
  const browser = openBrowser(service);
  const role = async () => (await browser.account.me.get.query()).organizations[0]?.role;
  await signIn(browser, email);
  expect(await role()).toBe("admin");
  known.groups = ["staff"];
  await signIn(browser, email);
  expect(await role()).toBe("viewer");
  known.groups = ["others"];
  expect(await signIn(openBrowser(service), email)).toEqual(failed("no_role"));
  await expect
    .poll(() => codeOf(browser.dashboard(organization_id).organization.get.query()))
    .toBe("not_a_member");
  expect(
    (await auditOf(connected, "member")).slice(0, 3).map(({ action, actor }) => [action, actor]),
  ).toEqual([
    ["deleted", "single sign-on"],
    ["updated", "single sign-on"],
    ["created", "single sign-on"],
  ]);
});

it("neither demotes the last owner nor removes an owner", async () => {
  const { domain, organization_id, owner } = await connect({ role_claim: "groups", default_role: "viewer" });
  await service.database`update users set email = ${`owner-${organization_id}@${domain}`} where id = ${owner.user_id}`;
  const email = `owner-${organization_id}@${domain}`;
  provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  const browser = openBrowser(service);
  await signIn(browser, email);
  expect((await browser.account.me.get.query()).organizations[0]?.role).toBe("owner");
});

it("opens only the organization of the provider, and changes no credentials", async () => {
  const { domain, organization_id } = await connect();
  const email = account(domain);
  const elsewhere = await newOrganization(service);
  await createUser(service.database, { name: "Jane", email, organization_id: elsewhere, role: "owner" });
  const browser = openBrowser(service);
  await signIn(browser, email);
  expect((await browser.account.me.get.query()).organizations.map(({ id }) => id)).toEqual([organization_id]);
  expect(await codeOf(browser.dashboard(elsewhere).organization.get.query())).toBe("other_provider");
  expect(await codeOf(browser.account.second_factor.start.mutate({}))).toBe("sign_in_again");
  expect(
    await codeOf(browser.account.credentials.change_password.mutate({ password: "another battery horse" })),
  ).toBe("sign_in_again");
});

it("refuses another person with the address of a member", async () => {
  const { domain } = await connect();
  const email = account(domain);
  await signIn(openBrowser(service), email);
  provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  expect(await signIn(openBrowser(service), email)).toEqual(failed("other_account"));
});

it("removes what a stranger may have added to an account with an unconfirmed address", async () => {
  const { domain } = await connect();
  const email = account(domain);
  const stranger = await newPerson(service);
  await service.database`update users set email = ${email}, email_verified = false where id = ${stranger.user_id}`;
  const browser = openBrowser(service);
  await signIn(browser, email);
  expect((await browser.account.me.get.query()).user.id).toBe(stranger.user_id);
  await expect.poll(() => codeOf(stranger.browser.account.me.get.query())).toBe("session_expired");
  expect((await openBrowser(service).post("/auth/sign-in", { email, password: PASSWORD })).status).toBe(401);
});

it("requires it of members, and leaves owners a way back that is audited", async () => {
  const failing = await startIdentityProvider(`${service.url}/auth/single-sign-on/callback`);
  const connected = await connect({ issuer: failing.issuer });
  const { domain, organization_id, owner, settings } = connected;
  expect(await codeOf(settings.require.mutate({ is_required: true }))).toBe("invalid_request");
  const email = account(domain);
  failing.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  const browser = openBrowser(service);
  await comeBack(browser, await failing.visit(await start(browser, email)));
  await settings.require.mutate({ is_required: true });
  const member = await newPerson(service, { organization_id, role: "admin" });
  const [member_email, owner_email] = [await moveTo(domain, member), await moveTo(domain, owner)];
  const opens = ({ browser }: { browser: Browser }) =>
    codeOf(browser.dashboard(organization_id).organization.get.query());
  await expect.poll(() => opens(member)).toBe("single_sign_on_required");
  expect((await member.browser.account.me.get.query()).organizations).toMatchObject([
    { needs_single_sign_on: true },
  ]);
  await member.browser.post("/auth/sign-in", { email: member_email, password: PASSWORD });
  expect(await opens(member)).toBe("single_sign_on_required");

  await failing.close();
  const answer = await openBrowser(service).post("/auth/single-sign-on", { email: owner_email });
  expect(answer.body.error.message).toBe(SINGLE_SIGN_ON_FAILURES.unreachable);
  const by_password = openBrowser(service);
  await by_password.post("/auth/sign-in", { email: owner_email, password: PASSWORD });
  expect(await opens({ browser: by_password })).toBe("single_sign_on_required");
  const by_link = openBrowser(service);
  const { token } = await makeSetupLink(service.database, owner_email);
  await by_link.post("/auth/setup/complete", { token, password: PASSWORD });
  expect(await opens({ browser: by_link })).toBe(null);
  const { second_factor } = by_link.account;
  const { secret } = await second_factor.start.mutate({});
  const codeAt = (shift: number) => totpCode(secret, stepOf(new Date()) + shift);
  await second_factor.confirm.mutate({ code: codeAt(-1) });
  const by_code = openBrowser(service);
  await by_code.post("/auth/sign-in", { email: owner_email, password: PASSWORD });
  await by_code.post("/auth/sign-in/second-factor", { code: codeAt(0) });
  expect(await opens({ browser: by_code })).toBe(null);
  const entries = await auditOf({ ...connected, owner: { ...owner, browser: by_code } }, "single_sign_on");
  expect(entries.slice(0, 3)).toMatchObject([
    { action: "bypassed", actor: `user ${owner.user_id}` },
    { action: "bypassed", actor: `user ${owner.user_id}` },
    { action: "updated", before: { is_required: false }, after: { is_required: true } },
  ]);
});

/** Gives a person another address, of the domain. */
async function moveTo(domain: string, { user_id }: Person): Promise<string> {
  const email = `${randomUUID()}@${domain}`;
  await service.database`update users set email = ${email} where id = ${user_id}`;
  return email;
}

it("ends the sessions of a provider that is removed", async () => {
  const { domain, settings } = await connect();
  const browser = openBrowser(service);
  await signIn(browser, account(domain));
  expect(await settings.remove.mutate({})).toMatchObject({ provider: null, domains: [] });
  await expect.poll(() => codeOf(browser.account.me.get.query())).toBe("session_expired");
});

it("refuses a provider that does not describe itself, and internal addresses", async () => {
  const { settings } = await connect();
  const input = { ...CLIENT, default_role: "viewer" as const };
  for (const issuer of ["not a url", `${provider.issuer}/elsewhere`, "http://127.0.0.1:1"]) {
    expect(await codeOf(settings.save.mutate({ ...input, issuer }))).toBe("invalid_request");
  }
  const guarded = await sharedTestService();
  const { trpc } = await guarded.staff(await newOrganization(guarded));
  for (const issuer of [
    provider.issuer,
    "https://127.0.0.1",
    "https://[::ffff:a9fe:a9fe]",
    "https://localhost",
  ]) {
    const refused: unknown = await trpc.dashboard.single_sign_on.save
      .mutate({ ...input, issuer })
      .catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toMatch(/Must (not be an address of a private network|be an https URL)/);
  }
});

/** The security events of a person, oldest first. */
async function eventsOf(
  user_id: string,
): Promise<{ kind: string; detail: string | null; is_mailed: boolean }[]> {
  const rows = await service.database<{ kind: string; detail: string | null; is_mailed: boolean }[]>`
    select kind, detail, exists (select from mails where kind = 'security_notice' and about = event.id::text) as is_mailed
    from security_events event where user_id = ${user_id} order by id`;
  return [...rows];
}

it("records sign-ins as security events, and lets no provider add browsers that the account knows", async () => {
  const { domain, settings } = await connect();
  const email = account(domain);
  const browser = openBrowser(service);
  await signIn(browser, email);
  await signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  expect(browser.cookies.has("findersfee_device")).toBe(false);
  await settings.remove.mutate({});
  expect(await eventsOf(user.id)).toEqual([
    { kind: "signed_in", detail: "single_sign_on", is_mailed: false },
    { kind: "signed_in", detail: "single_sign_on", is_mailed: false },
    { kind: "sessions_ended", detail: "single sign-on", is_mailed: false },
  ]);
});

it("mails an owner about changes of the settings", async () => {
  const { owner, domain, settings } = await connect();
  await settings.remove.mutate({});
  const events = await eventsOf(owner.user_id);
  expect(events.filter(({ kind }) => kind === "single_sign_on_changed")).toEqual([
    { kind: "single_sign_on_changed", detail: `saved ${provider.issuer}`, is_mailed: true },
    { kind: "single_sign_on_changed", detail: `added ${domain}`, is_mailed: true },
    { kind: "single_sign_on_changed", detail: "disconnected", is_mailed: true },
  ]);
});

it("changes the settings only after a recent sign-in, also by the organization's own provider", async () => {
  const { domain, organization_id, owner, settings } = await connect();
  await service.database`
    update user_sessions set created_at = created_at - interval '16 minutes' where user_id = ${owner.user_id}`;
  const input = { issuer: provider.issuer, ...CLIENT, default_role: "viewer" } as const;
  for (const change of [
    () => settings.save.mutate(input),
    () => settings.require.mutate({ is_required: false }),
    () => settings.remove.mutate({}),
    () => settings.add_domain.mutate({ domain: "acme.example" }),
    () => settings.remove_domain.mutate({ domain }),
  ]) {
    expect(await codeOf(change())).toBe("sign_in_again");
  }
  const by_provider = openBrowser(service);
  await signIn(by_provider, await accountOf(domain, owner));
  const { single_sign_on } = by_provider.dashboard(organization_id);
  await single_sign_on.add_domain.mutate({ domain: "acme.example" });
  await owner.browser.account.credentials.confirm.mutate({ password: PASSWORD });
  expect(await settings.remove_domain.mutate({ domain: "acme.example" })).toMatchObject({
    domains: [{ domain }],
  });
});

/** Moves a person to the domain, and tells the provider. */
async function accountOf(domain: string, person: Person): Promise<string> {
  const email = await moveTo(domain, person);
  provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  return email;
}

it("ends what a member made, when claims make the member a viewer", async () => {
  const { domain, organization_id } = await connect({
    role_claim: "groups",
    claim_roles: [{ value: "leads", role: "admin" }],
    default_role: "viewer",
  });
  const email = account(domain, { groups: ["leads"] });
  const browser = openBrowser(service);
  await signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  await browser.dashboard(organization_id).api_keys.create.mutate({ name: "Mine", scopes: ["read"] });
  const known = provider.accounts.get(email);
  if (known === undefined) throw new Error("unknown");
  known.groups = [];
  await signIn(browser, email);
  const keys = await service.database<{ is_revoked: boolean }[]>`
    select revoked_at is not null as is_revoked from api_keys where created_by = ${`user ${user.id}`}`;
  expect([...keys]).toEqual([{ is_revoked: true }]);
});

it("signs one person in twice at once, for the first time", async () => {
  const { domain } = await connect();
  const email = account(domain);
  const arrivals = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const browser = openBrowser(service);
      return { browser, back: await provider.visit(await start(browser, email)) };
    }),
  );
  const places = await Promise.all(arrivals.map(({ browser, back }) => comeBack(browser, back)));
  expect(places).toEqual(Array(4).fill("/o/acme?page=2"));
  const users = await service.database`select id from users where email = ${email}`;
  expect(users).toHaveLength(1);
});

it("gives a person no address of a page as name", async () => {
  const { domain } = await connect();
  const browser = openBrowser(service);
  const email = account(domain, { name: "Win at www.evil.example/now" });
  await signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  expect(user.name).toBe(email.slice(0, email.indexOf("@")));
});
