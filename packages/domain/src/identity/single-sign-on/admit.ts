import { personNameInput } from "@findersfee/contract/identity/account-fields";
import type { Role } from "@findersfee/contract/identity/roles";
import type { SingleSignOnFailure } from "@findersfee/contract/identity/single-sign-on-failures";
import {
  countMembers,
  countOwners,
  findMember,
  type MemberWithEmailRow,
} from "@findersfee/database/identity/members";
import { deleteUserPasskeys } from "@findersfee/database/identity/passkeys";
import { deletePassword } from "@findersfee/database/identity/passwords";
import { deleteSecondFactor } from "@findersfee/database/identity/second-factors";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { listSignInDomains } from "@findersfee/database/identity/sign-in-domains";
import { findSignInIdentity, insertSignInIdentity } from "@findersfee/database/identity/sign-in-identities";
import { recordProviderUse, type SignInProviderRow } from "@findersfee/database/identity/sign-in-providers";
import {
  insertUser,
  type ListedUserRow,
  lockUser,
  lockUserByEmail,
  markEmailVerified,
} from "@findersfee/database/identity/users";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import type { Author } from "../../audit-log/write.ts";
import { newId } from "../../ids.ts";
import { type Browser, type OpenedSession, openProviderSession } from "../accounts/open-session.ts";
import { addMember } from "../members/add.ts";
import { dropMember, writeMemberRole } from "../members/change.ts";
import { MAX_MEMBERS } from "../members/limits.ts";
import { domainOf } from "./email-domain.ts";
import { SingleSignOnError } from "./failure.ts";
import type { Claims } from "./provider.ts";
import { roleOf } from "./role.ts";

interface Admitting {
  provider: SignInProviderRow;
  claims: Claims;
  browser: Browser;
}

/**
 * Opens a session for a person whose claims were checked. A new person joins; a member's role follows the claims. A person without
 * one loses the membership, unless they are an owner: wrong settings must not remove the people who can correct them.
 *
 * @throws SingleSignOnError
 */
export async function admit(
  database: Database,
  { provider, claims, browser }: Admitting,
): Promise<OpenedSession> {
  const { organization_id } = provider;
  const author: Author = {
    organization: { id: organization_id },
    actor: { kind: "automatic", name: "single sign-on" },
  };
  const refused = (reason: SingleSignOnFailure) => new SingleSignOnError(reason, { organization_id });
  const email = emailOf(claims, refused);
  const session = await transaction(database, async (sql) => {
    await lockOrganization(sql, organization_id);
    const domains = await listSignInDomains(sql, organization_id);
    const is_proven = domains.some(
      ({ domain, proven_at }) => proven_at !== null && domain === domainOf(email),
    );
    if (!is_proven) throw refused("domain_unproven");
    const user = await findPerson(sql, { provider, claims, email });
    if (user !== null && user.disabled_at !== null) throw refused("disabled");
    const member = user === null ? null : await findMember(sql, organization_id, user.id);
    const role = roleOf(provider, claims, member?.role ?? null);
    if (role === null) {
      // Commits, and is refused afterwards.
      if (member !== null && member.role !== "owner") await dropMember(sql, author, member);
      return null;
    }
    if (member === null && (await countMembers(sql, organization_id)) >= MAX_MEMBERS) throw refused("full");
    const user_id = user?.id ?? (await createPerson(sql, claims, email));
    if (user !== null && !user.email_verified) await takeOver(sql, user.id);
    await join(sql, author, { member: member ?? { user_id, email, role }, is_new: member === null, role });
    const { issuer } = provider;
    const created_at = new Date();
    const identity = { organization_id, issuer, subject: claims.sub, user_id, created_at };
    const known = await findSignInIdentity(sql, organization_id, identity);
    if (known === null && !(await insertSignInIdentity(sql, identity))) throw refused("other_account");
    await recordProviderUse(sql, organization_id, created_at);
    return await openProviderSession(
      sql,
      { user_id, organization_id, hours: provider.session_hours },
      browser,
    );
  });
  if (session === null) throw refused("no_role");
  return session;
}

function emailOf({ email, email_verified }: Claims, refused: (reason: SingleSignOnFailure) => Error): string {
  if (typeof email !== "string" || !email.includes("@")) throw refused("email_missing");
  // Some providers send texts.
  if (email_verified !== true && email_verified !== "true") throw refused("email_unverified");
  return email.toLowerCase();
}

/** The person is known by the subject; at the first sign-in, by the address. */
async function findPerson(
  sql: Connection,
  { provider, claims, email }: { provider: SignInProviderRow; claims: Claims; email: string },
): Promise<ListedUserRow | null> {
  const { organization_id, issuer } = provider;
  const known = await findSignInIdentity(sql, organization_id, { issuer, subject: claims.sub });
  return known === null ? await lockUserByEmail(sql, email) : await lockUser(sql, known.user_id);
}

async function createPerson(sql: Connection, claims: Claims, email: string): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  const named = personNameInput.safeParse(claims.name);
  const name = named.success ? named.data : email;
  await insertUser(sql, { id, name, email, email_verified: true, created_at });
  return id;
}

/** Somebody else may have made an account whose address was never confirmed, so its credentials go. */
async function takeOver(sql: Connection, user_id: string): Promise<void> {
  await deletePassword(sql, user_id);
  await deleteUserPasskeys(sql, user_id);
  await deleteSecondFactor(sql, user_id);
  await deleteUserSessions(sql, user_id, { except: null });
  await markEmailVerified(sql, { id: user_id, updated_at: new Date() });
}

/** Adds a new member, or gives one the role of the claims. The last owner stays one. */
async function join(
  sql: Connection,
  author: Author,
  { member, is_new, role }: { member: MemberWithEmailRow; is_new: boolean; role: Role },
): Promise<void> {
  if (is_new) {
    await addMember(sql, author, member);
    return;
  }
  if (member.role === role) return;
  const is_last_owner = member.role === "owner" && (await countOwners(sql, author.organization.id)) === 1;
  if (!is_last_owner) await writeMemberRole(sql, author, member, role);
}
