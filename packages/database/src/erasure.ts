import { empty_profile, personal_fields, pickFields } from "@findersfee/contract/affiliates/fields";
import type { Connection } from "./postgres/connect.ts";

/*
 * The function `personal_fields` of the database has the fields of audit log entries that can identify a person. Amounts, ids,
 * states and settings are not among them, and the database refuses to erase them.
 */

/**
 * Erases personal data from the audit log entries of a resource, or of all of its kind (null); returns the number of changed
 * entries.
 */
export async function eraseAuditLog(
  sql: Connection,
  organizationId: string,
  { resource, resource_id }: { resource: string; resource_id: string | null },
): Promise<number> {
  const names = sql`personal_fields(${resource})`;
  const result = await sql`
    update audit_log_entries set before = erased(before, ${names}), after = erased(after, ${names})
    where organization_id = ${organizationId}
      and ${resource_id === null ? sql`resource = ${resource}` : sql`resource_id = ${resource_id} and resource || '' = ${resource}`}
      and (erased(before, ${names})::jsonb is distinct from before::jsonb
        or erased(after, ${names})::jsonb is distinct from after::jsonb)`;
  return result.count;
}

/** Erases personal data from the audit log entries of an affiliate's referrals; returns the number of changed entries. */
export async function eraseReferralEntries(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<number> {
  const names = sql`personal_fields('referral')`;
  const result = await sql`
    update audit_log_entries entry set before = erased(before, ${names}), after = erased(after, ${names})
    from referrals referral
    where referral.organization_id = ${organizationId} and referral.affiliate_id = ${affiliateId}
      and entry.organization_id = ${organizationId} and entry.resource_id = referral.id::text
      and entry.resource || '' = 'referral'
      and (erased(before, ${names})::jsonb is distinct from before::jsonb
        or erased(after, ${names})::jsonb is distinct from after::jsonb)`;
  return result.count;
}

/** Erases the reasons of changes of an affiliate's commissions from the audit log; returns the number of changed entries. */
export async function eraseCommissionEntries(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<number> {
  const names = sql`personal_fields('commission')`;
  const result = await sql`
    update audit_log_entries entry set before = erased(before, ${names}), after = erased(after, ${names})
    from commissions commission
    where commission.organization_id = ${organizationId} and commission.affiliate_id = ${affiliateId}
      and entry.organization_id = ${organizationId} and entry.resource_id = commission.id::text
      and entry.resource || '' = 'commission'
      and (erased(before, ${names})::jsonb is distinct from before::jsonb
        or erased(after, ${names})::jsonb is distinct from after::jsonb)`;
  return result.count;
}

/**
 * Replaces an affiliate's personal data, ends its participation, and drops its pending mails. The
 * answers of mail servers to earlier ones can contain its address. The
 * constraint `affiliates_erased` prevents later changes of the erased fields.
 */
export async function eraseAffiliateRow(
  sql: Connection,
  organizationId: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const profile = pickFields({ ...empty_profile, email }, personal_fields);
  await sql`
    update affiliates set ${sql(profile as never)}, custom_fields = '[]', ban_reason = null,
      new_paid_referral_notifications = false, banned = true, erased_at = now()
    where organization_id = ${organizationId} and id = ${id}`;
  // The code's own id is the new text, so it is unique. The promotion code at the processor then has a different text
  // and is replaced.
  await sql`
    update affiliate_codes set code = 'erased-' || id, external_code = case when external_id is not null then 'erased' end,
      due_at = case when kind = 'promo' then now() end, external_request_id = null, reason = null
    where organization_id = ${organizationId} and affiliate_id = ${id}`;
  await sql`
    update mails set state = case state when 'due' then 'dropped' else state end, reason = 'the affiliate was erased',
      due_at = null, finished_at = coalesce(finished_at, now())
    where organization_id = ${organizationId} and affiliate_id = ${id} and (state = 'due' or reason is not null)`;
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
