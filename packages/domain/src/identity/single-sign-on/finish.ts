import { createHash } from "node:crypto";
import { insertUsedChallenge } from "@findersfee/database/identity/passkeys";
import { findSignInProvider, type SignInProviderRow } from "@findersfee/database/identity/sign-in-providers";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Browser } from "../accounts/browser.ts";
import type { OpenedSession } from "../accounts/open-session.ts";
import { admit } from "./admit.ts";
import { SingleSignOnError } from "./failure.ts";
import { type Flow, openFlow } from "./flow.ts";
import { type Claims, discover, exchange, failureOf, type ProviderCalls } from "./provider.ts";

/** The provider's answer, as the browser brings it. */
export interface Callback {
  /** The address that was asked for: the registered one, with the answer's parameters. */
  url: URL;
  cookie: string | null;
}

/**
 * Finishes a sign-in with the provider's answer: in the browser that started it, and once.
 *
 * @throws SingleSignOnError
 */
export async function finishSingleSignOn(
  database: Database,
  calls: ProviderCalls,
  { callback, browser }: { callback: Callback; browser: Browser },
): Promise<{ session: OpenedSession; to: string }> {
  const { url, cookie } = callback;
  const state = url.searchParams.get("state") ?? "";
  const flow = openFlow(calls.secrets_key, { cookie, state });
  if (flow === null) throw new SingleSignOnError("expired", { facts: "no cookie with this state" });
  const { to } = flow;
  try {
    const claims = await readClaims(database, calls, { url, flow });
    return { session: await admit(database, { ...claims, browser }), to };
  } catch (error) {
    if (error instanceof SingleSignOnError) error.to = to;
    throw error;
  }
}

/** Uses up the provider's answer, and returns its claims about the person. */
async function readClaims(
  database: Database,
  calls: ProviderCalls,
  { url, flow }: { url: URL; flow: Flow },
): Promise<{ provider: SignInProviderRow; claims: Claims }> {
  const { organization_id } = flow;
  await useState(database, flow);
  const provider = await findSignInProvider(database, organization_id);
  if (provider === null || !isOf(flow, provider)) {
    throw new SingleSignOnError("expired", { organization_id, facts: "the settings have changed" });
  }
  const claims = await discover(calls, provider)
    .then((configuration) => exchange(configuration, url, flow))
    .catch((error: unknown): never => {
      throw failureOf(error, organization_id);
    });
  return { provider, claims };
}

async function useState(database: Database, { state, organization_id, expires_at }: Flow): Promise<void> {
  const challenge_hash = createHash("sha256").update(`single sign-on ${state}`).digest();
  if (await insertUsedChallenge(database, { challenge_hash, expires_at: new Date(expires_at) })) return;
  throw new SingleSignOnError("expired", { organization_id, facts: "the state was used before" });
}

function isOf(flow: Flow, { issuer, client_id }: SignInProviderRow): boolean {
  return flow.issuer === issuer && flow.client_id === client_id;
}
