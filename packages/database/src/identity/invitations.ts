import type { Connection } from "../postgres/connect.ts";
import type { MemberRow } from "./members.ts";

export interface InvitationRow {
  organization_id: string;
  id: string;
  /** In lower case. */
  email: string;
  role: MemberRow["role"];
  mailed: boolean;
  invited_by: string | null;
  created_at: Date;
  expires_at: Date;
}

/** An invitation with the name of the person who invited. */
export interface ShownInvitationRow extends InvitationRow {
  inviter_name: string | null;
}

/** False: an open invitation has the address. */
export async function insertInvitation(
  sql: Connection,
  invitation: InvitationRow & { token_hash: Buffer },
): Promise<boolean> {
  const rows = await sql`
    insert into invitations ${sql({ ...invitation })}
    on conflict (organization_id, email) where accepted_at is null and revoked_at is null do nothing
    returning id`;
  return rows.length > 0;
}

export async function insertInvitationMail(
  sql: Connection,
  organizationId: string,
  { id, email }: Pick<InvitationRow, "id" | "email">,
): Promise<void> {
  await sql`
    insert into mails (organization_id, kind, about, recipient)
    values (${organizationId}, 'invitation', ${id}, ${email})`;
}

/** Mailed invitations, whether or not they are still open. */
export interface InvitationMailsRow {
  /** Invitations to the address. */
  to_address: number;
  last_at: Date | null;
  /** Invitations of the organization, at most the limit. */
  of_organization: number;
}

/** Counts mailed invitations from an id on, to one address and to all. The caller bounds the first by waits. */
export async function findInvitationMails(
  sql: Connection,
  organizationId: string,
  {
    email,
    address_from_id,
    organization_from_id,
    limit,
  }: { email: string; address_from_id: string; organization_from_id: string; limit: number },
): Promise<InvitationMailsRow> {
  const [row] = await sql<[InvitationMailsRow]>`
    select count(*)::int as to_address, max(created_at) as last_at,
      (select count(*)::int from (
        select from invitations
        where organization_id = ${organizationId} and id >= ${organization_from_id} and mailed
        limit ${limit}) recent) as of_organization
    from invitations
    where organization_id = ${organizationId} and email = ${email} and id >= ${address_from_id} and mailed`;
  return row;
}

/** Counts invitations with a copied link from an id on, up to `limit`. */
export async function countCopiedInvitations(
  sql: Connection,
  organizationId: string,
  { from_id, limit }: { from_id: string; limit: number },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from invitations
      where organization_id = ${organizationId} and id >= ${from_id} and not mailed limit ${limit}) recent`;
  return row.count;
}

/** Open and expired invitations, newest first. */
export async function listInvitations(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<ShownInvitationRow[]> {
  return await sql<ShownInvitationRow[]>`
    select invitation.organization_id, invitation.id, invitation.email, invitation.role, invitation.mailed,
      invitation.invited_by, invitation.created_at, invitation.expires_at, inviter.name as inviter_name
    from invitations invitation left join users inviter on inviter.id = invitation.invited_by
    where invitation.organization_id = ${organizationId}
      and invitation.accepted_at is null and invitation.revoked_at is null
    order by invitation.id desc limit ${limit}`;
}

export async function countOpenInvitations(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from invitations
    where organization_id = ${organizationId} and accepted_at is null and revoked_at is null`;
  return row.count;
}

/** Returns an invitation that was neither accepted nor revoked, locked until the transaction ends. */
export async function lockInvitation(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await sql<InvitationRow[]>`
    select organization_id, id, email, role, mailed, invited_by, created_at, expires_at from invitations
    where organization_id = ${organizationId} and id = ${id} and accepted_at is null and revoked_at is null
    for no key update`;
  return row ?? null;
}

/** The same for the open invitation of an address, if there is one. */
export async function lockInvitationOfEmail(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<InvitationRow | null> {
  const [row] = await sql<InvitationRow[]>`
    select organization_id, id, email, role, mailed, invited_by, created_at, expires_at from invitations
    where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null
    for no key update`;
  return row ?? null;
}

export async function revokeInvitation(
  sql: Connection,
  organizationId: string,
  { id, revoked_at }: { id: string; revoked_at: Date },
): Promise<void> {
  await sql`
    update invitations set revoked_at = ${revoked_at} where organization_id = ${organizationId} and id = ${id}`;
}

export async function markInvitationAccepted(
  sql: Connection,
  organizationId: string,
  { id, accepted_at }: { id: string; accepted_at: Date },
): Promise<void> {
  await sql`
    update invitations set accepted_at = ${accepted_at} where organization_id = ${organizationId} and id = ${id}`;
}

/** An open invitation as its link finds it. */
export interface LinkedInvitationRow extends ShownInvitationRow {
  organization_name: string;
  organization_slug: string;
  /** The user with its address. */
  user_id: string | null;
  user_is_verified: boolean | null;
  user_is_disabled: boolean | null;
  /** Of the inviting person now; null: no member any more, disabled, or deleted. */
  inviter_role: MemberRow["role"] | null;
}

/** The only look-up without an organization: the token determines it. Locked until the transaction ends. */
export async function lockInvitationByToken(
  sql: Connection,
  { token_hash, now }: { token_hash: Buffer; now: Date },
): Promise<LinkedInvitationRow | null> {
  const [row] = await sql<LinkedInvitationRow[]>`
    select invitation.organization_id, invitation.id, invitation.email, invitation.role, invitation.mailed,
      invitation.invited_by, invitation.created_at, invitation.expires_at, inviter.name as inviter_name,
      organization.name as organization_name, organization.slug as organization_slug,
      person.id as user_id, person.email_verified as user_is_verified,
      person.disabled_at is not null and person.id is not null as user_is_disabled,
      (
        select role from members
        where organization_id = invitation.organization_id and user_id = inviter.id and inviter.disabled_at is null
      ) as inviter_role
    from invitations invitation
    join organizations organization on organization.id = invitation.organization_id
    left join users inviter on inviter.id = invitation.invited_by
    left join users person on person.email = invitation.email
    where invitation.token_hash = ${token_hash} and invitation.expires_at > ${now}
      and invitation.accepted_at is null and invitation.revoked_at is null
    for no key update of invitation`;
  return row ?? null;
}

/** An invitation that is to be mailed; null: it was accepted or revoked, or has expired. */
export async function findMailedInvitation(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ShownInvitationRow | null> {
  const [row] = await sql<ShownInvitationRow[]>`
    select invitation.organization_id, invitation.id, invitation.email, invitation.role, invitation.mailed,
      invitation.invited_by, invitation.created_at, invitation.expires_at, inviter.name as inviter_name
    from invitations invitation left join users inviter on inviter.id = invitation.invited_by
    where invitation.organization_id = ${organizationId} and invitation.id = ${id}
      and invitation.accepted_at is null and invitation.revoked_at is null and invitation.expires_at > now()`;
  return row ?? null;
}
