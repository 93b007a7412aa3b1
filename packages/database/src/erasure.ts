import type { Connection } from "./postgres/connect.ts";

/** Erases fields from all audit log entries of a resource; returns the number of changed entries. */
export async function eraseAuditLogFields(
  sql: Connection,
  organizationId: string,
  {
    resource,
    resource_id,
    fields,
  }: { resource: string; resource_id: string | null; fields: readonly string[] },
): Promise<number> {
  const result = await sql`
    update audit_log_entries set before = erased(before, ${[...fields]}::text[]), after = erased(after, ${[...fields]}::text[])
    where organization_id = ${organizationId}
      and ${resource_id === null ? sql`resource = ${resource}` : sql`resource_id = ${resource_id} and resource || '' = ${resource}`}
      and (erased(before, ${[...fields]}::text[])::jsonb is distinct from before::jsonb
        or erased(after, ${[...fields]}::text[])::jsonb is distinct from after::jsonb)`;
  return result.count;
}

/** Erases fields from the audit log entries of an affiliate's referrals; returns the number of changed entries. */
export async function eraseReferralEntries(
  sql: Connection,
  organizationId: string,
  { affiliate_id, fields }: { affiliate_id: string; fields: readonly string[] },
): Promise<number> {
  const result = await sql`
    update audit_log_entries entry
    set before = erased(before, ${[...fields]}::text[]), after = erased(after, ${[...fields]}::text[])
    from referrals referral
    where referral.organization_id = ${organizationId} and referral.affiliate_id = ${affiliate_id}
      and entry.organization_id = ${organizationId} and entry.resource_id = referral.id::text
      and entry.resource || '' = 'referral'
      and (erased(before, ${[...fields]}::text[])::jsonb is distinct from before::jsonb
        or erased(after, ${[...fields]}::text[])::jsonb is distinct from after::jsonb)`;
  return result.count;
}

/**
 * Replaces an affiliate's personal data, ends its participation, and deletes its pending mails. The
 * constraint `affiliates_erased` prevents later changes of the erased fields.
 */
export async function eraseAffiliateRow(
  sql: Connection,
  organizationId: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await sql`
    update affiliates set email = ${email}, first_name = '', last_name = '', payout_email = null, details = null,
      note = null, custom_fields = '[]', ban_reason = null, new_paid_referral_notifications = false, banned = true, erased_at = now()
    where organization_id = ${organizationId} and id = ${id}`;
  // The code's own id is the new text, so it is unique. The promotion code at the processor then has a different text
  // and is replaced.
  await sql`
    update affiliate_codes set code = 'erased-' || id, external_code = case when external_id is not null then 'erased' end,
      due_at = case when kind = 'promo' then now() end, external_request_id = null, reason = null
    where organization_id = ${organizationId} and affiliate_id = ${id}`;
  await sql`
    update mails set state = 'dropped', reason = 'the affiliate was erased', due_at = null, finished_at = now()
    where organization_id = ${organizationId} and affiliate_id = ${id} and state = 'due'`;
}

export interface OwedRow {
  currency: string;
  /** Unpaid and in open payouts. */
  owed_minor: bigint;
}

/** Returns the balances that are not zero, locked until the transaction ends. */
export async function lockOwed(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<OwedRow[]> {
  return await sql<OwedRow[]>`
    select currency, unpaid_minor + in_payout_minor as owed_minor from balances
    where organization_id = ${organizationId} and affiliate_id = ${affiliateId}
      and (unpaid_minor <> 0 or in_payout_minor <> 0)
    order by currency for update`;
}
