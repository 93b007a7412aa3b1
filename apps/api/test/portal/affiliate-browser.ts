import { mailedToken } from "@findersfee/domain/identity/accounts/secret-token";
import { mailedCode } from "@findersfee/domain/portal/mailed-code";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { PortalRouter } from "../../src/portal/router.ts";
import type { AppRouter } from "../../src/router.ts";
import { type Browser, openBrowser } from "../browser.ts";
import { ENDPOINT_POLICY, type TestService } from "../test-service.ts";

const { secrets_key } = ENDPOINT_POLICY;

/** The newest mail with a code to an address: the code, and the token of the link. */
export async function mailedTo(
  { database }: Pick<TestService, "database">,
  email: string,
): Promise<{ code: string; link: string }> {
  const [mail] = await database<{ about: string }[]>`
    select mail.about from mails mail join portal_codes code on code.id::text = mail.about
    where mail.kind = 'portal_code' and mail.recipient = ${email} order by code.id desc limit 1`;
  if (mail === undefined) throw new Error(`no code was mailed to ${email}`);
  return { code: mailedCode(secrets_key, mail.about), link: mailedToken(secrets_key, "portal", mail.about) };
}

/** Lets the person of an address have agreed to be the affiliate of everybody who added it. */
export async function agreeToAll({ database }: Pick<TestService, "database">, email: string): Promise<void> {
  await database`
    update affiliates set agreed_at = now(), disowned_at = null
    where lower(email) = ${email.toLowerCase()} and agreed_at is null and erased_at is null`;
}

/** A browser in which an affiliate signed in to the portal, who has agreed to all its programs. */
export async function openPortal(service: TestService, email: string): Promise<Browser> {
  await agreeToAll(service, email);
  return await signIn(service, email);
}

/** A browser in which a person signed in to the portal. */
export async function signIn(service: TestService, email: string): Promise<Browser> {
  const browser = openBrowser(service);
  await browser.post("/portal/auth/code", { email });
  const { code } = await mailedTo(service, email);
  const { status, body } = await browser.post("/portal/auth/sign-in", { code });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return browser;
}

/** The session of a frame in the organization's product, in which an affiliate's portal is open. */
export async function openFrame(
  { url, origin }: Pick<TestService, "url" | "origin">,
  trpc: TRPCClient<AppRouter>,
  affiliate_id: string,
): Promise<string> {
  const { token, url: address } = await trpc.portal_tokens.create.mutate({ affiliate_id });
  const organization = new URL(address).pathname.split("/").at(-1);
  const response = await fetch(`${url}/portal/auth/embed`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ organization, token }),
  });
  const body = (await response.json()) as { data?: { session: string } };
  if (body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data.session;
}

/** The session of staff who view an affiliate's portal. */
export async function openView(
  { url, origin }: Pick<TestService, "url" | "origin">,
  trpc: TRPCClient<AppRouter>,
  affiliate_id: string,
): Promise<string> {
  const view = await trpc.dashboard.affiliates.viewPortal.mutate({ id: affiliate_id });
  const response = await fetch(`${url}/portal/auth/view`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token: new URL(view.url).hash.slice(1) }),
  });
  const body = (await response.json()) as { data?: { session: string } };
  if (body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data.session;
}

/** The portal's operations with the cookies of a browser, for an affiliate. */
export function portalOf(
  { url, origin }: Pick<TestService, "url" | "origin">,
  { cookies }: Browser,
  affiliate_id = "",
): TRPCClient<PortalRouter> {
  const headers = () => ({
    origin,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    "findersfee-affiliate": affiliate_id,
  });
  return createTRPCClient<PortalRouter>({ links: [httpLink({ url: `${url}/portal/trpc`, headers })] });
}
