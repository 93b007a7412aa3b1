import type { SettingsRow } from "../organizations/settings.ts";
import type { Connection } from "../postgres/connect.ts";

/** The rules for sign-ups with an organization's publishable key. */
export interface SignupPolicyRow {
  public_signups: SettingsRow["public_signups"];
  /** Encrypted secrets for signed sign-ups: the current one, and a previous one that is still valid. */
  secrets_encrypted: Buffer[];
}

export async function findSignupPolicy(sql: Connection, organizationId: string): Promise<SignupPolicyRow> {
  const [row] = await sql<
    { public_signups: SettingsRow["public_signups"]; current: Buffer | null; previous: Buffer | null }[]
  >`
    select public_signups, signup_secret_encrypted as current,
      case when previous_signup_secret_expires_at > now() then previous_signup_secret_encrypted end as previous
    from organizations where id = ${organizationId}`;
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  const { public_signups, current, previous } = row;
  return { public_signups, secrets_encrypted: [current, previous].filter((secret) => secret !== null) };
}

/** Replaces the secret; the previous one stays valid until `previous_expires_at`. */
export async function rotateSignupSecret(
  sql: Connection,
  organizationId: string,
  { secret_encrypted, previous_expires_at }: { secret_encrypted: Buffer; previous_expires_at: Date },
): Promise<void> {
  await sql`
    update organizations
    set previous_signup_secret_encrypted = signup_secret_encrypted,
      previous_signup_secret_expires_at = ${previous_expires_at},
      signup_secret_encrypted = ${secret_encrypted}
    where id = ${organizationId}`;
}
