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
    update affiliates set ${sql(profile as never)}, custom_fields = '[]', rule_schedule = '[]', tags = '{}', ban_reason = null,
      new_paid_referral_notifications = false, banned = true, erased_at = now()
    where organization_id = ${organizationId} and id = ${id}`;
  await eraseSources(sql, organizationId, id);
  await sql`
    delete from affiliate_networks
    where organization_id = ${organizationId} and affiliate_id = ${id}`;
  await sql`
    update commission_reviews review set decision_reason = null
    from commissions commission
    where commission.organization_id = ${organizationId} and commission.affiliate_id = ${id}
      and commission.review_state <> 'none'
      and review.organization_id = ${organizationId} and review.commission_id = commission.id
      and review.decision_reason is not null`;
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

/**
 * Replaces an affiliate's codes in clicks, sign-ups and totals by the text that erased codes get. No other
 * source has this text, so the sums stay. It locks the seal, so that no turn reads the former text in the
 * meantime.
 */
async function eraseSources(sql: Connection, organizationId: string, affiliateId: string): Promise<void> {
  await sql`select from total_seals where organization_id = ${organizationId} for update`;
  const code = sql`
    (select lower(code) as former, 'erased-' || id as erased from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = ${affiliateId}) as code`;
  await sql`
    update clicks set code = erased from ${code}
    where organization_id = ${organizationId} and affiliate_id = ${affiliateId} and lower(clicks.code) = former`;
  await sql`
    update referrals set link_code = erased from ${code}
    where organization_id = ${organizationId} and affiliate_id = ${affiliateId} and lower(link_code) = former`;
  await sql`
    update total_moves set link_code = erased from ${code}
    where organization_id = ${organizationId} and lower(link_code) = former`;
  // Totals store a code with each spelling of upper and lower case that it had. These become one value.
  await sql`
    with renamed as (
      update total_values set value = erased || case when place > 1 then '-' || total_values.id else '' end
      from (
        select known.id, erased, row_number() over (partition by erased order by known.id) as place
        from total_values known join ${code} on lower(known.value) = former
        where organization_id = ${organizationId} and dimension = 'link'
      ) as found
      where organization_id = ${organizationId} and total_values.id = found.id returning place
    )
    update total_seals set is_outdated = true, due_at = now()
    where organization_id = ${organizationId} and exists (select from renamed where place > 1)`;
}
