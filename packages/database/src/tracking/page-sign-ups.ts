import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

const FIND = statement<{ subject: string; email: string }, "organization_id" | "subjects">(`
  select subject, data ->> 'email' as email from payment_facts
  where organization_id = :organization_id::uuid and processor = 'tracking' and kind = 'signup'
    and subject = any (:subjects::text[])`);

/** Returns the emails of tracking page sign-ups, by subject. */
export async function findPageSignUps(
  sql: Connection,
  organizationId: string,
  subjects: string[],
): Promise<Map<string, string>> {
  const rows = await FIND.run(sql, { organization_id: organizationId, subjects });
  return new Map(rows.map(({ subject, email }) => [subject, email]));
}

/**
 * Whether only a tracking page's sign-up created a row of `referrals`, with no commission of a payment and no reported conversion yet.
 */
const IS_WEAK = `(attributed_by like 'tracking:signup:%' and not exists (
  select from commissions commission
  where commission.organization_id = referral.organization_id and commission.referral_id = referral.id
    and commission.lead is null and commission.recruit_commission_id is null) and not exists (
  select from leads lead
  where lead.organization_id = referral.organization_id and lead.referral_id = referral.id
    and lead.kind not in ('signup', 'trial')))`;

/** Whether a referral with this email or customer exists that is based on more than a tracking page's sign-up. */
export async function isConfirmedReferral(
  sql: Connection,
  organizationId: string,
  { email, processor_customer_id }: { email: string; processor_customer_id: string | null },
): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from referrals referral
      where organization_id = ${organizationId} and lower(email) = lower(${email}) and replaced_at is null
        and not ${sql.unsafe(IS_WEAK)}
    ) or exists (
      select from referrals referral
      where organization_id = ${organizationId} and processor_customer_id = ${processor_customer_id}
        and replaced_at is null and not ${sql.unsafe(IS_WEAK)}
    ) as found`;
  return row.found;
}

/**
 * Releases the email and the customer of referrals that only tracking page sign-ups created, with no payment and no
 * commission yet, for a referral that the organization creates.
 */
export async function replacePageSignUps(
  sql: Connection,
  organizationId: string,
  { email, processor_customer_id }: { email: string; processor_customer_id: string | null },
): Promise<void> {
  // One condition per index: joined by `or`, they would not use their indexes.
  for (const same of [
    sql`lower(email) = lower(${email})`,
    sql`processor_customer_id = ${processor_customer_id}`,
  ]) {
    await sql`
      update referrals referral set replaced_at = now()
      where organization_id = ${organizationId} and ${same} and replaced_at is null and ${sql.unsafe(IS_WEAK)}`;
  }
}
