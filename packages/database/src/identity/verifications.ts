import type { Connection } from "../postgres/connect.ts";

export type VerificationKind = "password_reset" | "email" | "second_factor" | "device";

export interface NewVerification {
  id: string;
  kind: VerificationKind;
  user_id: string;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  created_at: Date;
  expires_at: Date;
}

export async function insertVerification(sql: Connection, verification: NewVerification): Promise<void> {
  await sql`insert into user_verifications ${sql({ ...verification })}`;
}

/** The links that anyone can have mailed to a user's address. */
const MAILED_LINKS = { password_reset: "password_reset", device: "device_link" } as const;

/**
 * Inserts the verification of a password reset or a device, and its mail, if a user has the address. If nobody has it, the statement
 * inserts the verification without a user and no mail, so that both take as long. A user with `max_open` links
 * that have not expired counts as nobody.
 */
export async function requestLink(
  sql: Connection,
  {
    kind,
    id,
    email,
    token_hash,
    created_at,
    expires_at,
    max_open,
  }: Omit<NewVerification, "kind" | "user_id"> & {
    kind: keyof typeof MAILED_LINKS;
    email: string;
    max_open: number;
  },
): Promise<void> {
  await sql`
    with person as (
      select id, email from users where email = ${email} and disabled_at is null
        and ${max_open}::int > (
          select count(*) from user_verifications
          where user_id = users.id and kind = ${kind} and expires_at > ${created_at}
        )
    ), verification as (
      insert into user_verifications (id, kind, user_id, token_hash, created_at, expires_at)
      values (${id}, ${kind}, (select id from person), ${token_hash}, ${created_at}, ${expires_at})
    ), home as (
      select organization_id from members where user_id = (select id from person)
      order by created_at, organization_id limit 1
    )
    insert into mails (organization_id, kind, about, recipient)
    select home.organization_id, ${MAILED_LINKS[kind]}, ${id}::uuid::text, person.email from person cross join home`;
}

/** Counts a user's verifications of a kind that have not expired. */
export async function countOpenVerifications(
  sql: Connection,
  userId: string,
  { kind, now }: { kind: VerificationKind; now: Date },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from user_verifications
    where user_id = ${userId} and kind = ${kind} and expires_at > ${now}`;
  return row.count;
}

export interface OpenVerificationRow {
  id: string;
  user_id: string;
  failures: number;
}

/** Returns a verification that has not expired, locked until the transaction ends. */
export async function lockVerification(
  sql: Connection,
  { kind, token_hash, now }: { kind: VerificationKind; token_hash: Buffer; now: Date },
): Promise<OpenVerificationRow | null> {
  const [row] = await sql<OpenVerificationRow[]>`
    select verification.id, users.id as user_id, verification.failures
    from user_verifications verification join users on users.id = verification.user_id
    where verification.token_hash = ${token_hash} and verification.kind = ${kind}
      and verification.expires_at > ${now} and users.disabled_at is null
    for no key update of verification, users`;
  return row ?? null;
}

export async function countVerificationFailure(sql: Connection, id: string): Promise<void> {
  await sql`update user_verifications set failures = failures + 1 where id = ${id}`;
}

export async function deleteVerification(sql: Connection, id: string): Promise<void> {
  await sql`delete from user_verifications where id = ${id}`;
}

/** Deletes all verifications of a user: their links and cookies stop working. */
export async function deleteUserVerifications(sql: Connection, userId: string): Promise<void> {
  await sql`delete from user_verifications where user_id = ${userId}`;
}

/** A verification with a link to mail. */
export interface MailedVerificationRow {
  kind: VerificationKind;
  user_name: string;
  expires_at: Date;
}

/** Null: it was used, has expired, or its user no longer has this address. */
export async function findMailedVerification(
  sql: Connection,
  { id, email }: { id: string; email: string },
): Promise<MailedVerificationRow | null> {
  const [row] = await sql<MailedVerificationRow[]>`
    select verification.kind, users.name as user_name, verification.expires_at
    from user_verifications verification join users on users.id = verification.user_id
    where verification.id = ${id} and verification.expires_at > now() and users.email = ${email}
      and users.disabled_at is null`;
  return row ?? null;
}

/** Inserts the mail with the link that confirms an address. */
export async function insertConfirmationMail(
  sql: Connection,
  { id, user_id }: Pick<NewVerification, "id" | "user_id">,
): Promise<void> {
  await sql`
    insert into mails (organization_id, kind, about, recipient)
    select member.organization_id, 'email_confirmation', ${id}::uuid::text, users.email
    from users join members member on member.user_id = users.id
    where users.id = ${user_id}
    order by member.created_at, member.organization_id limit 1`;
}
