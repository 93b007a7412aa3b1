import type { ProfileField } from "@findersfee/contract/affiliates/fields";
import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { affiliateReader } from "../readers.ts";
import type { AffiliateRow } from "../rows.ts";
import { tierCondition } from "./of-tier.ts";
import { tagCondition } from "./tags.ts";

/** The columns of an affiliate that are written. */
export type AffiliateValues = Pick<
  AffiliateRow,
  ProfileField | "approved" | "banned" | "new_paid_referral_notifications" | "tags"
>;

export interface AffiliateFilter {
  campaign_id?: string | undefined;
  email?: string | undefined;
  ref_code?: string | undefined;
  promo_code?: string | undefined;
  recruited_by?: string | undefined;
  tag?: string | undefined;
  tier_id?: string | undefined;
  approved?: boolean | undefined;
  banned?: boolean | undefined;
}

/** Returns the affiliate with its nested resources. */
export const findAffiliate = affiliateReader.find;

/** Returns the affiliates with these ids, each with its nested resources. */
export const findAffiliates = affiliateReader.findAll;

/** Same as `findAffiliate`, and locks the row against changes until the transaction ends. */
export const lockAffiliate = affiliateReader.lock;

/** Whether all of these affiliates exist. The ids are distinct. */
export async function haveAffiliates(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<boolean> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from affiliates
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])`;
  return row.count === ids.length;
}

/** Returns the id of a campaign's affiliate by email, in any case. Null: there is none. */
export async function findAffiliateByEmail(
  sql: Connection,
  organizationId: string,
  { campaign_id, email }: { campaign_id: string; email: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from affiliates
    where organization_id = ${organizationId} and campaign_id = ${campaign_id} and lower(email) = lower(${email})`;
  return row?.id ?? null;
}

export async function listAffiliates(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: AffiliateFilter; range: PageRange },
): Promise<AffiliateRow[]> {
  return await affiliateReader.list(sql, organizationId, {
    chosen: sql`select * from affiliates affiliate where ${conditions(sql, organizationId, filter)}`,
    range,
  });
}

export async function countAffiliates(
  sql: Connection,
  organizationId: string,
  filter: AffiliateFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from affiliates affiliate where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: AffiliateFilter) {
  const { campaign_id, email, ref_code, promo_code, recruited_by, tag, tier_id, approved, banned } = filter;
  return [
    sql`affiliate.organization_id = ${organizationId}`,
    campaign_id === undefined ? sql`` : sql`and affiliate.campaign_id = ${campaign_id}`,
    email === undefined ? sql`` : sql`and lower(affiliate.email) = lower(${email})`,
    ref_code === undefined
      ? sql``
      : sql`and affiliate.id = ${ownerOfCode(sql, organizationId, "link", ref_code)}`,
    promo_code === undefined
      ? sql``
      : sql`and affiliate.id = ${ownerOfCode(sql, organizationId, "promo", promo_code)}`,
    recruited_by === undefined ? sql`` : sql`and affiliate.recruited_by = ${recruited_by}`,
    tag === undefined ? sql`` : tagCondition(tag)(sql),
    tier_id === undefined ? sql`` : tierCondition(organizationId, tier_id)(sql),
    approved === undefined ? sql`` : approved ? sql`and affiliate.approved` : sql`and not affiliate.approved`,
    banned === undefined ? sql`` : banned ? sql`and affiliate.banned` : sql`and not affiliate.banned`,
  ];
}

function ownerOfCode(sql: Connection, organizationId: string, kind: "link" | "promo", code: string) {
  return sql`(
    select affiliate_id from affiliate_codes
    where organization_id = ${organizationId} and kind = ${kind} and lower(code) = lower(${code}))`;
}

/** The terms of an affiliate's recruiter. They never change. */
export interface RecruitValues {
  recruited_by: string;
  recruiting_rate: bigint;
  recruiting_months: number;
}

/** The columns that only affiliates have who joined in the portal. */
export interface JoinedValues {
  custom_fields: AffiliateRow["custom_fields"];
  email_confirmed_at: Date | null;
  terms_accepted_at: Date | null;
  agreed_at: Date | null;
}

export async function insertAffiliate(
  sql: Connection,
  organizationId: string,
  {
    custom_fields = [],
    email_confirmed_at = null,
    terms_accepted_at = null,
    agreed_at = null,
    recruit = null,
    ...affiliate
  }: AffiliateValues &
    Partial<JoinedValues> & {
      id: string;
      campaign_id: string;
      created_at: Date;
      /** Null: nobody recruited it. */
      recruit?: RecruitValues | null;
    },
): Promise<void> {
  const answers = sql.json(custom_fields as never);
  await sql`insert into affiliates ${sql({
    ...affiliate,
    email_confirmed_at,
    terms_accepted_at,
    agreed_at,
    custom_fields: answers,
    organization_id: organizationId,
    recruited_by: recruit?.recruited_by ?? null,
    recruiting_rate: recruit?.recruiting_rate ?? null,
    recruited_until: recruit && monthsAfter(affiliate.created_at, recruit.recruiting_months),
  })}`;
}

/** The same day of a later month (UTC), or its last day. */
function monthsAfter(time: Date, months: number): Date {
  const after = new Date(time);
  after.setUTCMonth(after.getUTCMonth() + months);
  // As of 31 January plus a month, which would be in March.
  if (after.getUTCDate() !== time.getUTCDate()) after.setUTCDate(0);
  return after;
}

export async function updateAffiliate(
  sql: Connection,
  organizationId: string,
  { id, values }: { id: string; values: AffiliateValues },
): Promise<void> {
  await sql`
    update affiliates set ${sql(values as never)} where organization_id = ${organizationId} and id = ${id}`;
}
