import { hash } from "node:crypto";
import { type Account, Missing, type Target } from "./attack.ts";
import { Browser, dataOf } from "./browser.ts";
import { unique } from "./program.ts";
import { type AttackResponse, fieldsOf, listOf, textOf } from "./request.ts";

/** A person who is signed in to the dashboard of an organization. */
export class Member {
  readonly email: string;
  readonly password: string;
  readonly browser: Browser;
  readonly user_id: string;
  /** The fields of the organization. */
  readonly organization: Record<string, unknown>;

  constructor({ email, password }: Credentials, browser: Browser, me: Record<string, unknown>) {
    this.email = email;
    this.password = password;
    this.browser = browser;
    this.user_id = textOf(fieldsOf(me.user).id);
    this.organization = listOf(me.organizations)[0] ?? {};
  }

  get headers(): Record<string, string> {
    return { "findersfee-organization": textOf(this.organization.id) };
  }

  /** Changes something in the organization. */
  async change(operation: string, input: object): Promise<AttackResponse> {
    return await this.browser.post(`/trpc/${operation}`, input, this.headers);
  }

  async read(operation: string, input?: object): Promise<Record<string, unknown>> {
    return dataOf(await this.browser.query(`/trpc/${operation}`, input, this.headers));
  }
}

interface Credentials {
  email: string;
  password: string;
}

/** Signs an owner of the attacked organization in. Throws `Missing` without one. */
export async function ownerOf(target: Target): Promise<Member> {
  if (target.owner === null) throw new Missing("--owner");
  return await signIn(target, target.owner);
}

/** Signs an owner of another organization in. Throws `Missing` without one. */
export async function rivalOf(target: Target): Promise<Member> {
  if (target.rival === null) throw new Missing("--rival");
  return await signIn(target, target.rival);
}

async function signIn(target: Target, { email, link }: Account): Promise<Member> {
  const browser = new Browser(target);
  const password = hash("sha256", link, "base64url");
  const token = new URL(link).hash.slice(1);
  const first = await browser.post("/auth/setup/complete", { token, password });
  if (first.status !== 200) {
    const { status, body } = await browser.post("/auth/sign-in", { email, password });
    if (status !== 200)
      throw new Error(`the sign-in as ${email} returned ${status}: ${JSON.stringify(body)}`);
  }
  return await memberOf({ email, password }, browser);
}

async function memberOf(credentials: Credentials, browser: Browser): Promise<Member> {
  return new Member(credentials, browser, dataOf(await browser.query("/account/trpc/me.get", undefined)));
}

/** An invitation to the owner's organization, as a link that its inviter copied. */
export async function invite(owner: Member, role: string): Promise<{ email: string; token: string }> {
  const email = `${unique("member")}@example.com`;
  const made = await owner.change("dashboard.invitations.create", { email, role, mailed: false });
  return { email, token: new URL(textOf(dataOf(made).link)).hash.slice(1) };
}

/** Adds a member to the owner's organization. */
export async function addMember(target: Target, owner: Member, role: string): Promise<Member> {
  const { email, token } = await invite(owner, role);
  const password = unique("long-secret");
  const browser = new Browser(target);
  dataOf(await browser.post("/auth/invitations/accept", { token, name: "Mallory", password }));
  return await memberOf({ email, password }, browser);
}
