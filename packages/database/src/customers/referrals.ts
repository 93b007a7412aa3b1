import type { ReferralSource } from "../attribution/customers.ts";
import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { referralReader } from "../readers.ts";
import type { ReferralRow, ReferralWithAffiliateRow } from "../rows.ts";

export type ReferralValues = Pick<ReferralRow, "email" | "subscription_status" | "processor_customer_id">;

export interface ReferralFilter {
  affiliate_id?: string | undefined;
  email?: string | undefined;
  processor_customer_id?: string | undefined;
  subscription_statuses?: string[] | undefined;
}

/** Returns the referral with its nested resources. */
export const findReferral = referralReader.find;

/** Same as `findReferral`, and locks the row against changes until the transaction ends. */
export const lockReferral = referralReader.lock;

/** Returns the referrals with these ids, each with its nested resources. */
export const findReferrals = referralReader.findAll;

export async function findReferralByEmail(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from referrals
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and replaced_at is null`;
  return row?.id ?? null;
}

/** The origin of a referral that was created manually or by API, each null for another origin. */
interface ReferralOrigin {
  /** When a request created it; null also after a claim changed it. */
  requested_at: Date | null;
  /** The credit for a payment that made the customer a referral. */
  override_id: string | null;
}

/** The fact of an override, in the form in which a referral stores its source. */
const CREDIT = "^organization:override:(.+)$";

/** Returns the origin of a referral; null: it does not exist. */
export async function findReferralOrigin(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ReferralOrigin | null> {
  const [row] = await sql<ReferralOrigin[]>`
    select substring(attributed_by from ${CREDIT}) as override_id,
      case when attributed_by is null and signup_date = created_at then created_at end as requested_at
    from referrals where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

export async function findReferralByCustomer(
  sql: Connection,
  organizationId: string,
  processorCustomerId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from referrals
    where organization_id = ${organizationId} and processor_customer_id = ${processorCustomerId}
      and replaced_at is null`;
  return row?.id ?? null;
}

export async function listReferrals(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: ReferralFilter; range: PageRange },
): Promise<ReferralWithAffiliateRow[]> {
  return await referralReader.list(sql, organizationId, {
    chosen: sql`select * from referrals referral where ${conditions(sql, organizationId, filter)}`,
    range,
  });
}

export async function countReferrals(
  sql: Connection,
  organizationId: string,
  filter: ReferralFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from referrals referral where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: ReferralFilter) {
  const { affiliate_id, email, processor_customer_id, subscription_statuses } = filter;
  return [
    sql`referral.organization_id = ${organizationId} and referral.replaced_at is null`,
    affiliate_id === undefined ? sql`` : sql`and referral.affiliate_id = ${affiliate_id}`,
    email === undefined ? sql`` : sql`and lower(referral.email) = lower(${email})`,
    processor_customer_id === undefined
      ? sql``
      : sql`and referral.processor_customer_id = ${processor_customer_id}`,
    subscription_statuses === undefined
      ? sql``
      : sql`and referral.subscription_status = any (${subscription_statuses}::text[])`,
  ];
}

/** Marks a referral as converted. False: it already was. */
export async function convertReferral(
  sql: Connection,
  organizationId: string,
  { id, converted_at }: { id: string; converted_at: Date },
): Promise<boolean> {
  const rows = await sql`
    update referrals set converted_at = ${converted_at}
    where organization_id = ${organizationId} and id = ${id} and converted_at is null
    returning id`;
  return rows.length > 0;
}

export async function insertReferral(
  sql: Connection,
  organizationId: string,
  referral: ReferralRow & { affiliate_id: string } & ReferralSource,
): Promise<void> {
  await sql`insert into referrals ${sql({ ...referral, organization_id: organizationId })}`;
}

export async function updateReferral(
  sql: Connection,
  organizationId: string,
  { id, values }: { id: string; values: ReferralValues },
): Promise<void> {
  await sql`
    update referrals set ${sql(values as never)} where organization_id = ${organizationId} and id = ${id}`;
}

/** Records which fields of a referral were set manually: payment facts no longer change them. */
export async function markManualFields(
  sql: Connection,
  organizationId: string,
  { id, email, customer_id }: { id: string; email: boolean; customer_id: boolean },
): Promise<void> {
  await sql`
    update referrals set email_is_manual = email_is_manual or ${email},
      customer_id_is_manual = customer_id_is_manual or ${customer_id}
    where organization_id = ${organizationId} and id = ${id}`;
}

/**
 * Makes a referral cover earlier payments. It then counts from the given time, as if created manually, and
 * payment facts no longer decide which affiliate it belongs to.
 */
export async function backdateReferral(
  sql: Connection,
  organizationId: string,
  { id, signup_date }: { id: string; signup_date: Date },
): Promise<void> {
  await sql`
    update referrals set signup_date = least(signup_date, ${signup_date}), attributed_by = null, attributed_at = null,
      customer_id_is_manual = customer_id_is_manual or processor_customer_id is not null
    where organization_id = ${organizationId} and id = ${id}`;
}
