import type { Connection } from "../postgres/connect.ts";
import type { MemberRow } from "./members.ts";

/** The OpenID Connect provider of an organization. */
export interface SignInProviderRow {
  organization_id: string;
  issuer: string;
  client_id: string;
  client_secret_encrypted: Buffer;
  /** Null: no claim gives a role, and members keep the one that they have. */
  role_claim: string | null;
  claim_roles: Record<string, MemberRow["role"]>;
  /** Null: people without a value that gives a role cannot sign in. */
  default_role: MemberRow["role"] | null;
  is_required: boolean;
  session_hours: number;
  /** The last sign-in with these settings. */
  used_at: Date | null;
}

export async function findSignInProvider(
  sql: Connection,
  organizationId: string,
): Promise<SignInProviderRow | null> {
  const [row] = await sql<SignInProviderRow[]>`
    select organization_id, issuer, client_id, client_secret_encrypted, role_claim, claim_roles, default_role, is_required,
      session_hours, used_at
    from sign_in_providers where organization_id = ${organizationId}`;
  return row ?? null;
}

/** The provider of the organization that has proven the domain of an address. */
export async function findSignInProviderOfDomain(
  sql: Connection,
  domain: string,
): Promise<SignInProviderRow | null> {
  const [row] = await sql<SignInProviderRow[]>`
    select provider.organization_id, provider.issuer, provider.client_id, provider.client_secret_encrypted,
      provider.role_claim, provider.claim_roles, provider.default_role, provider.is_required, provider.session_hours,
      provider.used_at
    from sign_in_domains proven join sign_in_providers provider on provider.organization_id = proven.organization_id
    where proven.domain = ${domain} and proven.proven_at is not null`;
  return row ?? null;
}

/** Inserts the provider of an organization, or replaces it. */
export async function upsertSignInProvider(
  sql: Connection,
  { claim_roles, ...provider }: SignInProviderRow,
  now: Date,
): Promise<void> {
  const values = { ...provider, claim_roles: sql.json(claim_roles), updated_at: now };
  await sql`
    insert into sign_in_providers ${sql({ ...values, created_at: now } as never)}
    on conflict (organization_id) do update set ${sql(values as never)}`;
}

export async function deleteSignInProvider(sql: Connection, organizationId: string): Promise<void> {
  await sql`delete from sign_in_providers where organization_id = ${organizationId}`;
}

/** Records a sign-in, after which the provider can be required. */
export async function recordProviderUse(
  sql: Connection,
  organizationId: string,
  used_at: Date,
): Promise<void> {
  await sql`update sign_in_providers set used_at = ${used_at} where organization_id = ${organizationId}`;
}

/** Ends the sessions that an organization's provider opened. Returns the ids of their users. */
export async function deleteProviderSessions(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ user_id: string }[]>`
    delete from user_sessions where provider_organization_id = ${organizationId} returning user_id`;
  return [...new Set(rows.map(({ user_id }) => user_id))];
}

/** Organizations that require their provider of this person, an owner, who can sign in without it. */
export async function listBypassedProviders(
  sql: Connection,
  userId: string,
): Promise<{ organization_id: string }[]> {
  return await sql<{ organization_id: string }[]>`
    select member.organization_id
    from members member
    join users on users.id = member.user_id
    join sign_in_providers provider on provider.organization_id = member.organization_id and provider.is_required
    join sign_in_domains proven on proven.organization_id = member.organization_id
      and proven.proven_at is not null and proven.domain = substring(users.email from '[^@]*$')
    where member.user_id = ${userId} and member.role = 'owner'`;
}
