import { randomUUID } from "node:crypto";
import { createUser } from "@findersfee/domain/identity/users/create";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { codeOf, openBrowser } from "../../browser.ts";
import { newOrganization, newPerson, PASSWORD } from "../people.ts";
import { failed, SingleSignOn } from "./program.ts";

let sso: SingleSignOn;

beforeAll(async () => {
  sso = await SingleSignOn.start();
});
afterAll(() => sso.close());
beforeEach(() => sso.reset());

it("signs a new person in, who joins with the default role", async () => {
  const connected = await sso.connect();
  const { organization_id, domain } = connected;
  const email = sso.account(domain);
  const browser = openBrowser(sso.service);
  expect(await sso.signIn(browser, email)).toBe("/o/acme?page=2");
  const me = await browser.account.me.get.query();
  expect(me.user).toMatchObject({ name: "Jane Doe", email });
  expect(me.organizations).toMatchObject([
    { id: organization_id, role: "viewer", needs_single_sign_on: false },
  ]);
  expect(await browser.dashboard(organization_id).organization.get.query()).toMatchObject({
    id: organization_id,
  });
  expect((await sso.auditOf(connected, "member"))[0]).toEqual({
    action: "created",
    actor: "single sign-on",
    before: null,
    after: { email, role: "viewer" },
  });
  // The same person, although the address at the provider has changed.
  const moved = sso.account(domain, { sub: sso.provider.accounts.get(email)?.sub ?? "" });
  const again = openBrowser(sso.service);
  sso.provider.accounts.delete(email);
  await sso.signIn(again, moved);
  expect((await again.account.me.get.query()).user.id).toBe(me.user.id);
});

it("bounds the length of its sessions", async () => {
  const { domain } = await sso.connect({ session_hours: 2 });
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, sso.account(domain));
  const { user } = await browser.account.me.get.query();
  const [session] = await sso.service.database<{ hours: number }[]>`
    select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from user_sessions
    where user_id = ${user.id}`;
  expect(session).toEqual({ hours: 2 });
});

it("gives the highest role of the claim's values at every sign-in, and none without one", async () => {
  const connected = await sso.connect({
    role_claim: "groups",
    claim_roles: [
      { value: "staff", role: "viewer" },
      { value: "leads", role: "admin" },
    ],
    default_role: null,
  });
  const { domain, organization_id } = connected;
  const email = sso.account(domain, { groups: ["leads", "staff", "others"] });
  const known = sso.provider.accounts.get(email);
  if (known === undefined) throw new Error("unknown");
  const browser = openBrowser(sso.service);
  const role = async () => (await browser.account.me.get.query()).organizations[0]?.role;
  await sso.signIn(browser, email);
  expect(await role()).toBe("admin");
  known.groups = ["staff"];
  await sso.signIn(browser, email);
  expect(await role()).toBe("viewer");
  known.groups = ["others"];
  expect(await sso.signIn(openBrowser(sso.service), email)).toEqual(failed("no_role"));
  await expect
    .poll(() => codeOf(browser.dashboard(organization_id).organization.get.query()))
    .toBe("not_a_member");
  expect(
    (await sso.auditOf(connected, "member")).slice(0, 3).map(({ action, actor }) => [action, actor]),
  ).toEqual([
    ["deleted", "single sign-on"],
    ["updated", "single sign-on"],
    ["created", "single sign-on"],
  ]);
});

it("neither demotes the last owner nor removes an owner", async () => {
  const { domain, organization_id, owner } = await sso.connect({
    role_claim: "groups",
    default_role: "viewer",
  });
  await sso.service
    .database`update users set email = ${`owner-${organization_id}@${domain}`} where id = ${owner.user_id}`;
  const email = `owner-${organization_id}@${domain}`;
  sso.provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, email);
  expect((await browser.account.me.get.query()).organizations[0]?.role).toBe("owner");
});

it("opens only the organization of the provider, and changes no credentials", async () => {
  const { domain, organization_id } = await sso.connect();
  const email = sso.account(domain);
  const elsewhere = await newOrganization(sso.service);
  await createUser(sso.service.database, { name: "Jane", email, organization_id: elsewhere, role: "owner" });
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, email);
  expect((await browser.account.me.get.query()).organizations.map(({ id }) => id)).toEqual([organization_id]);
  expect(await codeOf(browser.dashboard(elsewhere).organization.get.query())).toBe("other_provider");
  expect(await codeOf(browser.account.second_factor.start.mutate({}))).toBe("sign_in_again");
  expect(
    await codeOf(browser.account.credentials.change_password.mutate({ password: "another battery horse" })),
  ).toBe("sign_in_again");
});

it("refuses another person with the address of a member", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  await sso.signIn(openBrowser(sso.service), email);
  sso.provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  expect(await sso.signIn(openBrowser(sso.service), email)).toEqual(failed("other_account"));
});

it("removes what a stranger may have added to an account with an unconfirmed address", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  const stranger = await newPerson(sso.service);
  await sso.service
    .database`update users set email = ${email}, email_verified = false where id = ${stranger.user_id}`;
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, email);
  expect((await browser.account.me.get.query()).user.id).toBe(stranger.user_id);
  await expect.poll(() => codeOf(stranger.browser.account.me.get.query())).toBe("session_expired");
  expect((await openBrowser(sso.service).post("/auth/sign-in", { email, password: PASSWORD })).status).toBe(
    401,
  );
});

it("records sign-ins as security events, and lets no provider add browsers that the account knows", async () => {
  const { domain, settings } = await sso.connect();
  const email = sso.account(domain);
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, email);
  await sso.signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  expect(browser.cookies.has("findersfee_device")).toBe(false);
  await settings.remove.mutate({});
  expect(await sso.eventsOf(user.id)).toEqual([
    { kind: "signed_in", detail: "single_sign_on", is_mailed: false },
    { kind: "signed_in", detail: "single_sign_on", is_mailed: false },
    { kind: "sessions_ended", detail: "single sign-on", is_mailed: false },
  ]);
});

it("ends what a member made, when claims make the member a viewer", async () => {
  const { domain, organization_id } = await sso.connect({
    role_claim: "groups",
    claim_roles: [{ value: "leads", role: "admin" }],
    default_role: "viewer",
  });
  const email = sso.account(domain, { groups: ["leads"] });
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  await browser.dashboard(organization_id).api_keys.create.mutate({ name: "Mine", scopes: ["read"] });
  const known = sso.provider.accounts.get(email);
  if (known === undefined) throw new Error("unknown");
  known.groups = [];
  await sso.signIn(browser, email);
  const keys = await sso.service.database<{ is_revoked: boolean }[]>`
    select revoked_at is not null as is_revoked from api_keys where created_by = ${`user ${user.id}`}`;
  expect([...keys]).toEqual([{ is_revoked: true }]);
});

it("signs one person in twice at once, for the first time", async () => {
  const { domain } = await sso.connect();
  const email = sso.account(domain);
  const arrivals = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const browser = openBrowser(sso.service);
      return { browser, back: await sso.provider.visit(await sso.start(browser, email)) };
    }),
  );
  const places = await Promise.all(arrivals.map(({ browser, back }) => sso.comeBack(browser, back)));
  expect(places).toEqual(Array(4).fill("/o/acme?page=2"));
  const users = await sso.service.database`select id from users where email = ${email}`;
  expect(users).toHaveLength(1);
});

it("gives a person no address of a page as name", async () => {
  const { domain } = await sso.connect();
  const browser = openBrowser(sso.service);
  const email = sso.account(domain, { name: "Win at www.evil.example/now" });
  await sso.signIn(browser, email);
  const { user } = await browser.account.me.get.query();
  expect(user.name).toBe(email.slice(0, email.indexOf("@")));
});
