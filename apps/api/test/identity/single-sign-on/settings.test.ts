import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SINGLE_SIGN_ON_FAILURES } from "@findersfee/contract/identity/single-sign-on-failures";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { makeSetupLink } from "@findersfee/domain/identity/setup/links";
import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { type Browser, codeOf, openBrowser } from "../../browser.ts";
import { sharedTestService } from "../../test-service.ts";
import { newOrganization, newPerson, PASSWORD } from "../people.ts";
import { CLIENT, startIdentityProvider } from "./identity-provider.ts";
import { SingleSignOn } from "./program.ts";

let sso: SingleSignOn;

beforeAll(async () => {
  sso = await SingleSignOn.start();
});
afterAll(() => sso.close());
beforeEach(() => sso.reset());

it("gives a domain to the organization that proves it", async () => {
  const first = await sso.connect();
  const second = await sso.connect();
  await second.settings.add_domain.mutate({ domain: first.domain });
  await second.settings.check_domain.mutate({ domain: first.domain });
  sso.names.records.set(`_findersfee.${first.domain}`, [
    `findersfee=${first.organization_id}`,
    `findersfee=${second.organization_id}`,
  ]);
  expect(await codeOf(second.settings.check_domain.mutate({ domain: first.domain }))).toBe("invalid_request");
});

it("requires it of members, and leaves owners a way back that is audited", async () => {
  const failing = await startIdentityProvider(`${sso.service.url}/auth/single-sign-on/callback`);
  const connected = await sso.connect({ issuer: failing.issuer });
  const { domain, organization_id, owner, settings } = connected;
  expect(await codeOf(settings.require.mutate({ is_required: true }))).toBe("invalid_request");
  const email = sso.account(domain);
  failing.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
  const browser = openBrowser(sso.service);
  await sso.comeBack(browser, await failing.visit(await sso.start(browser, email)));
  await settings.require.mutate({ is_required: true });
  const member = await newPerson(sso.service, { organization_id, role: "admin" });
  const [member_email, owner_email] = [await sso.moveTo(domain, member), await sso.moveTo(domain, owner)];
  const opens = ({ browser }: { browser: Browser }) =>
    codeOf(browser.dashboard(organization_id).organization.get.query());
  await expect.poll(() => opens(member)).toBe("single_sign_on_required");
  expect((await member.browser.account.me.get.query()).organizations).toMatchObject([
    { needs_single_sign_on: true },
  ]);
  await member.browser.post("/auth/sign-in", { email: member_email, password: PASSWORD });
  expect(await opens(member)).toBe("single_sign_on_required");

  await failing.close();
  const answer = await openBrowser(sso.service).post("/auth/single-sign-on", { email: owner_email });
  expect(answer.body.error.message).toBe(SINGLE_SIGN_ON_FAILURES.unreachable);
  const by_password = openBrowser(sso.service);
  await by_password.post("/auth/sign-in", { email: owner_email, password: PASSWORD });
  expect(await opens({ browser: by_password })).toBe("single_sign_on_required");
  const by_link = openBrowser(sso.service);
  const { token } = await makeSetupLink(sso.service.database, owner_email);
  await by_link.post("/auth/setup/complete", { token, password: PASSWORD });
  expect(await opens({ browser: by_link })).toBe(null);
  const { second_factor } = by_link.account;
  const { secret } = await second_factor.start.mutate({});
  const codeAt = (shift: number) => totpCode(secret, stepOf(new Date()) + shift);
  const confirm = () => second_factor.confirm.mutate({ code: codeAt(-1) });
  // The step may end while the code is on its way, which is then of the step before the last.
  await confirm().catch(confirm);
  const by_code = openBrowser(sso.service);
  await by_code.post("/auth/sign-in", { email: owner_email, password: PASSWORD });
  await by_code.post("/auth/sign-in/second-factor", { code: codeAt(0) });
  expect(await opens({ browser: by_code })).toBe(null);
  const expired = await startExpired();
  await sso.service.database`
    update sign_in_providers set issuer = ${expired.issuer} where organization_id = ${organization_id}`;
  const refused = await openBrowser(sso.service).post("/auth/single-sign-on", { email: owner_email });
  expect(refused.body.error.message).toBe(SINGLE_SIGN_ON_FAILURES.certificate);
  expect(await opens({ browser: by_code })).toBe(null);
  const entries = await sso.auditOf(
    { ...connected, owner: { ...owner, browser: by_code } },
    "single_sign_on",
  );
  expect(entries.slice(0, 3)).toMatchObject([
    { action: "bypassed", actor: `user ${owner.user_id}` },
    { action: "bypassed", actor: `user ${owner.user_id}` },
    { action: "updated", before: { is_required: false }, after: { is_required: true } },
  ]);
});

it("ends the sessions of a provider that is removed", async () => {
  const { domain, settings } = await sso.connect();
  const browser = openBrowser(sso.service);
  await sso.signIn(browser, sso.account(domain));
  expect(await settings.remove.mutate({})).toMatchObject({ provider: null, domains: [] });
  await expect.poll(() => codeOf(browser.account.me.get.query())).toBe("session_expired");
});

it("refuses a provider that does not describe itself, and internal addresses", async () => {
  const { settings } = await sso.connect();
  const input = { ...CLIENT, default_role: "viewer" as const };
  for (const issuer of ["not a url", `${sso.provider.issuer}/elsewhere`, "http://127.0.0.1:1"]) {
    expect(await codeOf(settings.save.mutate({ ...input, issuer }))).toBe("invalid_request");
  }
  const guarded = await sharedTestService();
  const { trpc } = await guarded.staff(await newOrganization(guarded));
  for (const issuer of [
    sso.provider.issuer,
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

it("mails an owner about changes of the settings", async () => {
  const { owner, domain, settings } = await sso.connect();
  await settings.remove.mutate({});
  const events = await sso.eventsOf(owner.user_id);
  expect(events.filter(({ kind }) => kind === "single_sign_on_changed")).toEqual([
    { kind: "single_sign_on_changed", detail: `saved ${sso.provider.issuer}`, is_mailed: true },
    { kind: "single_sign_on_changed", detail: `added ${domain}`, is_mailed: true },
    { kind: "single_sign_on_changed", detail: "disconnected", is_mailed: true },
  ]);
});

it("changes the settings only after a recent sign-in, also by the organization's own provider", async () => {
  const { domain, organization_id, owner, settings } = await sso.connect();
  await sso.service.database`
    update user_sessions set created_at = created_at - interval '16 minutes' where user_id = ${owner.user_id}`;
  const input = { issuer: sso.provider.issuer, ...CLIENT, default_role: "viewer" } as const;
  for (const change of [
    () => settings.save.mutate(input),
    () => settings.require.mutate({ is_required: false }),
    () => settings.remove.mutate({}),
    () => settings.add_domain.mutate({ domain: "acme.example" }),
    () => settings.remove_domain.mutate({ domain }),
  ]) {
    expect(await codeOf(change())).toBe("sign_in_again");
  }
  const by_provider = openBrowser(sso.service);
  await sso.signIn(by_provider, await sso.accountOf(domain, owner));
  const { single_sign_on } = by_provider.dashboard(organization_id);
  await single_sign_on.add_domain.mutate({ domain: "acme.example" });
  await owner.browser.account.credentials.confirm.mutate({ password: PASSWORD });
  expect(await settings.remove_domain.mutate({ domain: "acme.example" })).toMatchObject({
    domains: [{ domain }],
  });
});

it("lets an owner without a password change policies after a recent sign-in by the provider", async () => {
  const { domain, organization_id, owner } = await sso.connect({ default_role: "owner" });
  const kim = openBrowser(sso.service);
  await sso.signIn(kim, sso.account(domain));
  const { user } = await kim.account.me.get.query();
  const { security_policy } = kim.dashboard(organization_id);
  expect(await security_policy.update.mutate({ session_hours: 8 })).toMatchObject({ session_hours: 8 });
  await sso.service.database`
    update user_sessions set created_at = created_at - interval '16 minutes' where user_id = ${user.id}`;
  expect(await codeOf(security_policy.update.mutate({ session_hours: 9 }))).toBe("sign_in_again");
  // A recent sign-in by password is not enough: the password is typed again.
  const by_password = owner.browser.dashboard(organization_id).security_policy;
  expect(await codeOf(by_password.update.mutate({ session_hours: 9 }))).toBe("sign_in_again");
  await owner.browser.account.credentials.confirm.mutate({ password: PASSWORD });
  expect(await by_password.update.mutate({ session_hours: 9 })).toMatchObject({ session_hours: 9 });
});

/** A provider with an expired certificate. */
async function startExpired(): Promise<{ issuer: string }> {
  const tls = { key: readCertificate("server.key"), cert: readCertificate("expired.pem") };
  const server = createServer(tls);
  server.listen(0, "localhost");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { issuer: `https://localhost:${(server.address() as AddressInfo).port}` };
}
