import type { Connection } from "../postgres/connect.ts";

/** Who a person is at an organization's provider. */
export interface SignInIdentityRow {
  organization_id: string;
  issuer: string;
  /** The claim `sub`. */
  subject: string;
  user_id: string;
  created_at: Date;
}

export async function findSignInIdentity(
  sql: Connection,
  organizationId: string,
  { issuer, subject }: Pick<SignInIdentityRow, "issuer" | "subject">,
): Promise<Pick<SignInIdentityRow, "user_id"> | null> {
  const [row] = await sql<Pick<SignInIdentityRow, "user_id">[]>`
    select user_id from sign_in_identities
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}`;
  return row ?? null;
}

/** False: the person is somebody else at this provider, and nothing was inserted. */
export async function insertSignInIdentity(sql: Connection, identity: SignInIdentityRow): Promise<boolean> {
  const rows = await sql`
    insert into sign_in_identities ${sql({ ...identity })} on conflict do nothing returning subject`;
  return rows.length > 0;
}
