import { randomUUID } from "node:crypto";
import type { SINGLE_SIGN_ON_FAILURES } from "@findersfee/contract/identity/single-sign-on-failures";
import { type NameServer, startNameServer } from "@findersfee/domain/testing/portal/name-server";
import { expect } from "vitest";
import type { Browser } from "../../browser.ts";
import { startTestService, type TestService } from "../../test-service.ts";
import { newPerson, type Person } from "../people.ts";
import {
  CLIENT,
  type IdentityProvider,
  type ProviderAccount,
  startIdentityProvider,
} from "./identity-provider.ts";

/** The settings of an organization, as its dashboard calls them. */
type SettingsApi = ReturnType<Browser["dashboard"]>["single_sign_on"];
type Settings = Parameters<SettingsApi["save"]["mutate"]>[0];

/** An organization with the provider, and a domain that it has proven. */
export interface Connected {
  owner: Person;
  organization_id: string;
  domain: string;
  settings: SettingsApi;
}

/** A service, a provider and the name server of their domains. */
export class SingleSignOn {
  readonly service: TestService;
  readonly provider: IdentityProvider;
  readonly names: NameServer;

  private constructor(service: TestService, provider: IdentityProvider, names: NameServer) {
    this.service = service;
    this.provider = provider;
    this.names = names;
  }

  static async start(): Promise<SingleSignOn> {
    const names = await startNameServer();
    const service = await startTestService({
      dns_servers: [names.address],
      sign_in_providers: { allow_http: true, allow_private: true },
    });
    const provider = await startIdentityProvider(`${service.url}/auth/single-sign-on/callback`);
    return new SingleSignOn(service, provider, names);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.provider.close();
    await this.names.close();
  }

  /** Makes the provider honest again. */
  reset(): void {
    Object.assign(this.provider, { tamper: null, is_forged: false, token_answer: null });
  }

  async connect(settings: Partial<Settings> = {}): Promise<Connected> {
    const owner = await newPerson(this.service);
    const { organization_id } = owner;
    const { single_sign_on } = owner.browser.dashboard(organization_id);
    const input = { issuer: this.provider.issuer, ...CLIENT, default_role: "viewer" as const, ...settings };
    await single_sign_on.save.mutate(input);
    const domain = `${randomUUID()}.example`;
    await single_sign_on.add_domain.mutate({ domain });
    this.names.records.set(`_findersfee.${domain}`, [`findersfee=${organization_id}`]);
    await single_sign_on.check_domain.mutate({ domain });
    return { owner, organization_id, domain, settings: single_sign_on };
  }

  /** A person that the provider knows; returns the address. */
  account(domain: string, claims: Partial<ProviderAccount> = {}): string {
    const email = `jane-${randomUUID()}@${domain}`;
    this.provider.accounts.set(email, {
      sub: randomUUID(),
      email,
      email_verified: true,
      name: "Jane Doe",
      ...claims,
    });
    return email;
  }

  /** Gives a person another address, of the domain. */
  async moveTo(domain: string, { user_id }: Person): Promise<string> {
    const email = `${randomUUID()}@${domain}`;
    await this.service.database`update users set email = ${email} where id = ${user_id}`;
    return email;
  }

  /** Moves a person to the domain, with an account at the provider. */
  async accountOf(domain: string, person: Person): Promise<string> {
    const email = await this.moveTo(domain, person);
    this.provider.accounts.set(email, { sub: randomUUID(), email, email_verified: true });
    return email;
  }

  /** Starts a sign-in; returns the address at the provider. */
  async start(browser: Browser, email: string, to = "/o/acme?page=2"): Promise<string> {
    const { status, body } = await browser.post("/auth/single-sign-on", { email, to });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data.url;
  }

  /** Follows the provider's answer; returns where the browser is sent. */
  async comeBack(browser: Browser, url: URL): Promise<string> {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") browser.cookies.delete(name);
      else browser.cookies.set(name, value);
    }
    expect(response.status).toBe(303);
    return String(response.headers.get("location")).slice(this.service.url.length);
  }

  /** A whole sign-in; returns where the browser ends. */
  async signIn(browser: Browser, email: string): Promise<string> {
    return await this.comeBack(browser, await this.provider.visit(await this.start(browser, email)));
  }

  async auditOf({ owner, organization_id }: Connected, resource: "member" | "single_sign_on") {
    const { data } = await owner.browser.dashboard(organization_id).changes.list.query({ resource });
    return data.map(({ action, actor, before, after }) => ({ action, actor, before, after }));
  }

  /** The security events of a person, oldest first. */
  async eventsOf(user_id: string): Promise<SecurityEvent[]> {
    const rows = await this.service.database<SecurityEvent[]>`
      select kind, detail, exists (select from mails where kind = 'security_notice' and about = event.id::text) as is_mailed
      from security_events event where user_id = ${user_id} order by id`;
    return [...rows];
  }
}

interface SecurityEvent {
  kind: string;
  detail: string | null;
  is_mailed: boolean;
}

/** Where a sign-in ends that failed. */
export function failed(reason: keyof typeof SINGLE_SIGN_ON_FAILURES) {
  return expect.stringMatching(new RegExp(`^/sign-in\\?failure=${reason}&request=req-`));
}
