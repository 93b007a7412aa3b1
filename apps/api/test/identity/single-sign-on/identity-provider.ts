import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** The provider's claims about a person, by the address that the sign-in names. */
export interface ProviderAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/** A real OpenID Connect provider on loopback, which signs in everybody among its accounts. */
export interface IdentityProvider {
  issuer: string;
  accounts: Map<string, ProviderAccount>;
  /** Changes the claims of the next ID tokens, which are signed again; null: they stay. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Signs them with another key than the provider publishes. */
  is_forged: boolean;
  /** Answers token requests with this instead of the provider. */
  token_answer: { status: number; headers: Record<string, string>; body: string } | null;
  /** Signs a person in at the address of an authorization request; returns the address that the browser is sent back to. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const CLIENT = { client_id: "findersfee", client_secret: "correct-horse-battery-staple" };

const KEY_ID = "k1";

export async function startIdentityProvider(redirect_uri: string): Promise<IdentityProvider> {
  const server = createServer();
  await listen(server);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const accounts = new Map<string, ProviderAccount>();
  const provider = newProvider(issuer, { accounts, redirect_uri, key: keys.privateKey });
  const state: IdentityProvider = {
    issuer,
    accounts,
    tamper: null,
    is_forged: false,
    token_answer: null,
    visit: (url) => visit(url, issuer),
    close: () => close(server),
  };
  const forger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== "/token" || body?.id_token === undefined) return;
    if (state.tamper === null && !state.is_forged) return;
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString());
    const changed = state.tamper?.(claims) ?? claims;
    context.body = { ...body, id_token: signed(changed, state.is_forged ? forger : keys.privateKey) };
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url === "/token" && state.token_answer !== null) {
      const { status, headers, body } = state.token_answer;
      request.resume().on("end", () => response.writeHead(status, headers).end(body));
    } else if (request.url?.startsWith("/interaction/")) {
      void finishInteraction(provider, accounts, { request, response });
    } else void answer(request, response);
  });
  return state;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function newProvider(
  issuer: string,
  {
    accounts,
    redirect_uri,
    key,
  }: { accounts: Map<string, ProviderAccount>; redirect_uri: string; key: KeyObject },
): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirect_uri] }],
    jwks: { keys: [{ ...key.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256", use: "sig" } as never] },
    cookies: { keys: ["test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const account = [...accounts.values()].find((known) => known.sub === sub);
      return account === undefined ? undefined : { accountId: sub, claims: () => ({ ...account }) };
    },
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId ?? "",
        accountId: session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
}

/** Signs in the person that `login_hint` names, and refuses anybody else. */
async function finishInteraction(
  provider: Provider,
  accounts: Map<string, ProviderAccount>,
  { request, response }: Exchange,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const account = accounts.get(String(params.login_hint));
  const result =
    account === undefined
      ? { error: "access_denied", error_description: "nobody" }
      : { login: { accountId: account.sub } };
  await provider.interactionFinished(request, response, result);
}

function signed(claims: Record<string, unknown>, key: KeyObject): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const content = `${part({ alg: "RS256", kid: KEY_ID, typ: "JWT" })}.${part(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

const MAX_REDIRECTS = 10;

async function visit(url: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(url);
  for (let redirects = 0; at.origin === issuer; redirects++) {
    if (redirects > MAX_REDIRECTS) throw new Error(`redirected in circles at ${at}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${response.status} at ${at}: ${await response.text()}`);
    at = new URL(location, at);
  }
  return at;
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
