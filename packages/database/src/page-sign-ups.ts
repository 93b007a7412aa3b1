import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

const FIND = statement<{ subject: string; email: string }, "organization_id" | "subjects">(`
  select subject, data ->> 'email' as email from payment_events
  where organization_id = :organization_id::uuid and processor = 'tracking' and kind = 'signup'
    and subject = any (:subjects::text[])`);

/** The sign-ups of pages with these subjects, by subject. */
export async function findPageSignUps(
  sql: Connection,
  organizationId: string,
  subjects: string[],
): Promise<Map<string, string>> {
  const rows = await FIND.run(sql, { organization_id: organizationId, subjects });
  return new Map(rows.map(({ subject, email }) => [subject, email]));
}

/**
 * Releases the email of a referral that only a page's sign-up made, with no payment and no commission yet, for a
 * referral that the organization itself makes.
 */
export async function supersedePageSignUp(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<void> {
  await sql`
    update referrals referral set superseded_at = now()
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and superseded_at is null
      and bound_by like 'tracking:signup:%'
      and not exists (
        select from commissions commission
        where commission.organization_id = referral.organization_id and commission.referral_id = referral.id)`;
}
