import { randomUUID } from "node:crypto";
import type { Role } from "@findersfee/contract/identity/roles";
import { insertMember } from "@findersfee/database/identity/members";
import { insertUserSession } from "@findersfee/database/identity/sessions";
import { insertUser } from "@findersfee/database/identity/users";
import type { Database } from "@findersfee/database/postgres/connect";
import type { WaitingBrowser } from "../../../src/identity/accounts/browser.ts";
import { hashSecretToken, newSecretToken } from "../../../src/identity/accounts/secret-token.ts";
import { sessionCookieName } from "../../../src/identity/accounts/session-cookie.ts";
import { newId } from "../../../src/ids.ts";

/** A new user with a session. */
export interface SignedIn {
  user_id: string;
  name: string;
  email: string;
  session_id: string;
  token: string;
  /** The header `Cookie` for a service at an address without https. */
  cookie: string;
}

const HOUR_MILLISECONDS = 3_600_000;

/** The browser of a person who signs in or chooses a password, and waits for it. */
export const WAITING_BROWSER: WaitingBrowser = {
  ip_address: "192.0.2.1",
  user_agent: null,
  share: "192.0.2",
  isWaiting: () => true,
};

/** Creates a user with a session, who is a member of the organization. */
export async function signIn(
  database: Database,
  { organization_id, role, name = "Jane Doe" }: { organization_id: string; role: Role; name?: string },
): Promise<SignedIn> {
  const signed_in = await signInUser(database, name);
  const created_at = new Date();
  await insertMember(database, { organization_id, user_id: signed_in.user_id, role, created_at });
  return signed_in;
}

/** Creates a user with a session, who is a member of no organization. */
export async function signInUser(database: Database, name = "Jane Doe"): Promise<SignedIn> {
  const created_at = new Date();
  const user_id = newId(created_at);
  const email = `${randomUUID()}@example.com`;
  await insertUser(database, { id: user_id, name, email, email_verified: true, created_at });
  const session_id = newId(created_at);
  const token = newSecretToken();
  await insertUserSession(database, {
    id: session_id,
    user_id,
    method: "password",
    provider_organization_id: null,
    token_hash: hashSecretToken(token),
    ip_address: null,
    user_agent: null,
    created_at,
    expires_at: new Date(created_at.getTime() + HOUR_MILLISECONDS),
  });
  return { user_id, name, email, session_id, token, cookie: `${sessionCookieName(null)}=${token}` };
}
