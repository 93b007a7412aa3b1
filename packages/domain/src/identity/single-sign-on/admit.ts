import type { SingleSignOnFailure } from "@findersfee/contract/identity/single-sign-on-failures";
import {
  countMembers,
  countOwners,
  findMember,
  lockMembers,
  type MemberWithEmailRow,
} from "@findersfee/database/identity/members";
import { listSignInDomains } from "@findersfee/database/identity/sign-in-domains";
import { findSignInIdentity, insertSignInIdentity } from "@findersfee/database/identity/sign-in-identities";
import {
  findSignInProvider,
  recordProviderUse,
  type SignInProviderRow,
} from "@findersfee/database/identity/sign-in-providers";
import { type ListedUserRow, lockUser, lockUserByEmail } from "@findersfee/database/identity/users";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { isDeadlock, violatedUnique } from "@findersfee/database/postgres/errors";
import type { Author } from "../../audit-log/write.ts";
import { DomainError } from "../../errors.ts";
import type { Browser } from "../accounts/browser.ts";
import { type OpenedSession, openProviderSession } from "../accounts/open-session.ts";
import { addMember } from "../members/add.ts";
import { MAX_MEMBERS } from "../members/limits.ts";
import { dropMember, writeMemberRole } from "../membership/change.ts";
import { domainOf } from "./email-domain.ts";
import { SingleSignOnError } from "./failure.ts";
import { createPerson, takeOver } from "./person.ts";
import type { Claims } from "./provider.ts";
import { roleOf } from "./role.ts";

interface Arrival {
  provider: SignInProviderRow;
  claims: Claims;
  browser: Browser;
}

interface Admitting extends Arrival {
  email: string;
  refused: (reason: SingleSignOnFailure) => SingleSignOnError;
}

/** Claims end a member's access as a removal does: nobody is there to choose what stays. */
const NOTHING_KEPT = { keep_api_key_ids: [], keep_endpoint_ids: [] };

/**
 * Opens a session for a person with checked claims. A new person joins; a member's role follows the claims. A
 * person without a role loses the membership, unless they are an owner: wrong settings must not remove the
 * people who can correct them.
 *
 * @throws SingleSignOnError
 */
export async function admit(database: Database, arrival: Arrival): Promise<OpenedSession> {
  const { organization_id } = arrival.provider;
  const refused = (reason: SingleSignOnFailure) => new SingleSignOnError(reason, { organization_id });
  const admitting = { ...arrival, refused, email: emailOf(arrival.claims, refused) };
  const session = await afterRaces(() => transaction(database, (sql) => admitWithin(sql, admitting)));
  if (session === null) throw refused("no_role");
  return session;
}

const MAX_TRIES = 3;

/**
 * Handles violations by two sign-ins of a person at once, or by a sign-in during a change of members. The
 * next try sees the other's result.
 */
async function afterRaces<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries_left = MAX_TRIES - 1; ; tries_left--) {
    try {
      return await run();
    } catch (error) {
      const violated = violatedUnique(error);
      const is_race =
        violated === "users_email" ||
        violated === "members_pkey" ||
        isDeadlock(error) ||
        (error instanceof DomainError && error.code === "last_owner");
      if (!is_race || tries_left === 0) throw error;
    }
  }
}

/** Returns null for a person without a role, and ends their membership. Locks the person, the member, and then the organization. */
async function admitWithin(sql: Connection, admitting: Admitting): Promise<OpenedSession | null> {
  const { provider, claims, browser, refused } = admitting;
  const { organization_id } = provider;
  const author: Author = {
    organization: { id: organization_id },
    actor: { kind: "automatic", name: "single sign-on" },
  };
  const user = await lockPerson(sql, admitting);
  if (user !== null && user.disabled_at !== null) throw refused("disabled");
  const member = user === null ? null : await findMember(sql, organization_id, user.id);
  const role = roleOf(provider, claims, member?.role ?? null);
  if (role === null) {
    if (member !== null && member.role !== "owner")
      await dropMember(sql, author, { before: member, ...NOTHING_KEPT });
    await requireCurrent(sql, admitting);
    return null;
  }
  if (member !== null) await followClaims(sql, author, { member, role });
  await requireCurrent(sql, admitting);
  const user_id = user?.id ?? (await createPerson(sql, claims, admitting.email));
  if (member === null) {
    if ((await countMembers(sql, organization_id)) >= MAX_MEMBERS) throw refused("full");
    await addMember(sql, author, { user_id, email: user?.email ?? admitting.email, role });
  }
  if (user !== null && !user.email_verified) await takeOver(sql, author, { user_id, browser });
  await identify(sql, admitting, user_id);
  const opened = { user_id, organization_id, hours: provider.session_hours, is_first: user === null };
  return await openProviderSession(sql, opened, browser);
}

function emailOf({ email, email_verified }: Claims, refused: Admitting["refused"]): string {
  if (typeof email !== "string" || !email.includes("@")) throw refused("email_missing");
  // Some providers send texts.
  if (email_verified !== true && email_verified !== "true") throw refused("email_unverified");
  return email.toLowerCase();
}

/** The person is known by the subject; at the first sign-in, by the address. */
async function lockPerson(
  sql: Connection,
  { provider, claims, email }: Admitting,
): Promise<ListedUserRow | null> {
  const { organization_id, issuer } = provider;
  const known = await findSignInIdentity(sql, organization_id, { issuer, subject: claims.sub });
  const user = known === null ? await lockUserByEmail(sql, email) : await lockUser(sql, known.user_id);
  if (user !== null) await lockMembers(sql, organization_id, { user_ids: [user.id], mode: "update" });
  return user;
}

/** Locks the organization, and requires that its settings still send this person here. */
async function requireCurrent(sql: Connection, { provider, email, refused }: Admitting): Promise<void> {
  const { organization_id, issuer, client_id } = provider;
  await lockOrganization(sql, organization_id);
  const current = await findSignInProvider(sql, organization_id);
  if (current === null || current.issuer !== issuer || current.client_id !== client_id)
    throw refused("expired");
  const domains = await listSignInDomains(sql, organization_id);
  const is_proven = domains.some(({ domain, proven_at }) => proven_at !== null && domain === domainOf(email));
  if (!is_proven) throw refused("domain_unproven");
}

/** Gives a member the role of the claims. The last owner stays one. */
async function followClaims(
  sql: Connection,
  author: Author,
  { member, role }: { member: MemberWithEmailRow; role: MemberWithEmailRow["role"] },
): Promise<void> {
  if (member.role === role) return;
  const is_last_owner = member.role === "owner" && (await countOwners(sql, author.organization.id)) === 1;
  if (!is_last_owner) await writeMemberRole(sql, author, { before: member, role, ...NOTHING_KEPT });
}

/** Remembers who the person is at the provider. */
async function identify(
  sql: Connection,
  { provider, claims, refused }: Admitting,
  user_id: string,
): Promise<void> {
  const { organization_id, issuer } = provider;
  const created_at = new Date();
  const identity = { organization_id, issuer, subject: claims.sub, user_id, created_at };
  const known = await findSignInIdentity(sql, organization_id, identity);
  if (known === null && !(await insertSignInIdentity(sql, identity))) throw refused("other_account");
  await recordProviderUse(sql, organization_id, created_at);
}
