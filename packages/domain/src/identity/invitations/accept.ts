import type { AcceptInvitation, InvitationAccepted } from "@findersfee/contract/identity/invitations";
import { type LinkedInvitationRow, markInvitationAccepted } from "@findersfee/database/identity/invitations";
import { findMember } from "@findersfee/database/identity/members";
import { upsertPassword } from "@findersfee/database/identity/passwords";
import { insertUser, markEmailVerified } from "@findersfee/database/identity/users";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { writeAuditEntry } from "../../audit-log/write.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { requireNoAddress } from "../../shown-name.ts";
import type { WaitingBrowser } from "../accounts/browser.ts";
import { mailConfirmation } from "../accounts/confirm-email.ts";
import type { Waiting } from "../accounts/fair-queue.ts";
import { openSession, type SignedInBrowser } from "../accounts/open-session.ts";
import { hashPassword, requireGoodPassword, requireWaiting } from "../accounts/password.ts";
import { addMember } from "../members/add.ts";
import { invitationFields } from "./fields.ts";
import { requireInvitation } from "./token.ts";

interface Accepted extends InvitationAccepted {
  /** Of a new user; null: the person was signed in. */
  session: SignedInBrowser | null;
}

interface Accepting {
  database: Database;
  secrets_key: SecretsKey;
  /** The signed-in user; null: the person has no session. */
  user_id: string | null;
  browser: WaitingBrowser;
}

/**
 * Accepts an invitation: as the signed-in user with its address, or by making a new account, which signs the person in.
 *
 * @throws DomainError `invitation_invalid`; `wrong_account` if the address belongs to an account that is not signed in,
 * or the signed-in user has another address; `email_unconfirmed`; `invalid_request`
 */
export async function acceptInvitation(
  { database, secrets_key, user_id, browser }: Accepting,
  { token, name, password }: AcceptInvitation,
): Promise<Accepted> {
  const found = await requireInvitation(database, token);
  const person = found.user_id === null ? await newPerson({ name, password }, found, browser) : null;
  return await transaction(database, async (sql) => {
    await lockOrganization(sql, found.organization_id);
    const invitation = await requireInvitation(sql, token);
    const { organization_slug } = invitation;
    if (invitation.user_id !== null) {
      requireSameUser(invitation, user_id);
      await join(sql, invitation, invitation.user_id);
      return { organization_slug, session: null };
    }
    if (user_id !== null) throw wrongAccount(invitation);
    if (person === null) throw new DomainError("invitation_invalid");
    const id = await createUser(sql, invitation, person);
    await join(sql, invitation, id);
    if (!invitation.mailed) await mailConfirmation(sql, { user_id: id, secrets_key });
    const session = await openSession(sql, { user_id: id, method: "invitation" }, browser);
    requireWaiting(browser);
    return { organization_slug, session };
  }).catch((error: unknown): never => {
    // At the same time, the person made an account by another organization's invitation.
    if (violatedUnique(error) === "users_email") throw wrongAccount(found);
    throw error;
  });
}

interface NewPerson {
  name: string;
  password_hash: string;
}

async function newPerson(
  { name, password }: Pick<AcceptInvitation, "name" | "password">,
  { email, organization_name }: LinkedInvitationRow,
  waiting: Waiting,
): Promise<NewPerson> {
  if (name === undefined) throw invalidField("name", "Required for a new account.");
  if (password === undefined) throw invalidField("password", "Required for a new account.");
  requireNoAddress("name", name);
  await requireGoodPassword(password, { email, names: [name, organization_name] });
  return { name, password_hash: await hashPassword(password, waiting) };
}

/** A mailed link proves the address; a copied one does not. */
async function createUser(
  sql: Connection,
  { email, mailed }: LinkedInvitationRow,
  { name, password_hash }: NewPerson,
): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  await insertUser(sql, { id, name, email, email_verified: mailed, created_at });
  await upsertPassword(sql, { user_id: id, password_hash, updated_at: created_at });
  return id;
}

/**
 * An account with an unconfirmed address may have been made by somebody else, with a copied link of another
 * organization. Only a mailed link shows that its user reads the address.
 */
function requireSameUser(invitation: LinkedInvitationRow, user_id: string | null): void {
  if (invitation.user_id !== user_id) throw wrongAccount(invitation);
  if (invitation.user_is_verified === true || invitation.mailed) return;
  throw new DomainError("email_unconfirmed");
}

function wrongAccount({ email }: LinkedInvitationRow): DomainError {
  return new DomainError("wrong_account", {
    message: `This invitation is for ${email}. Sign in with this email to accept it.`,
    details: { email },
  });
}

async function join(sql: Connection, invitation: LinkedInvitationRow, user_id: string): Promise<void> {
  const { id, organization_id, email, role, mailed } = invitation;
  const author = { organization: { id: organization_id }, actor: { kind: "user" as const, id: user_id } };
  const accepted_at = new Date();
  await markInvitationAccepted(sql, organization_id, { id, accepted_at });
  if (mailed) await markEmailVerified(sql, { id: user_id, updated_at: accepted_at });
  await writeAuditEntry(sql, author, {
    resource: "invitation",
    id,
    action: "updated",
    before: invitationFields(invitation, "open"),
    after: invitationFields(invitation, "accepted"),
  });
  // The person joined by another way since, and keeps the role.
  if ((await findMember(sql, organization_id, user_id)) !== null) return;
  await addMember(sql, author, { user_id, email, role });
}
