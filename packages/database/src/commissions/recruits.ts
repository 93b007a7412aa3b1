import { dueAt } from "../ledger/due.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { ReviewState } from "../rows.ts";
import { lockPayoutStatuses, WRITTEN_COLUMNS, type WrittenCommission } from "./changes.ts";

/*
 * Commissions for recruits: a percentage of each commission of a recruit. The root is the recruit's commission that corrects no
 * other one.
 */

type Names = "organization_id" | "ids";

const FIND = statement<{ id: string }, Names>(`
  select id from unnest(:ids::uuid[]) as root (id)
  where exists (
      select from (
        select affiliate_id from commissions where organization_id = :organization_id::uuid and id = root.id
        union all
        select affiliate_id from commissions where organization_id = :organization_id::uuid and reversal_of = root.id
      ) as part
      join affiliates affiliate
        on affiliate.organization_id = :organization_id::uuid and affiliate.id = part.affiliate_id
      where affiliate.recruited_by is not null
    ) or exists (
      select from commissions
      where organization_id = :organization_id::uuid and recruit_commission_id = root.id and reversal_of is null)`);

/**
 * Returns the commissions among these that recruits have, or had when they gave a commission to a recruiter.
 */
export async function findRecruitsCommissions(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await FIND.run(sql, { organization_id: organizationId, ids });
  return rows.map(({ id }) => id);
}

const LOCK = statement<{ id: string }, Names>(`
  select id from commissions
  where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
  order by id for no key update`);

/** Locks recruits' commissions until the transaction ends: always before the commissions for them. */
export async function lockRecruitsCommissions(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<void> {
  await LOCK.run(sql, { organization_id: organizationId, ids });
}

/** A recruit's commission, or a correction of it. */
export interface RecruitPartRow {
  root_id: string;
  referral_id: string;
  commission_minor: bigint;
  currency: string;
  voided: boolean;
  referral_date: Date;
  recruit_id: string;
  recruiter_id: string;
  recruiting_rate: bigint;
  recruited_until: Date;
  recruiter_approved: boolean;
  recruiter_banned: boolean;
}

/** A correction has the dates of its root. */
const PARTS = statement<RecruitPartRow, Names>(`
  select root.id as root_id, root.referral_id, part.commission_minor, part.currency, part.voided, root.referral_date,
    recruit.id as recruit_id, recruiter.id as recruiter_id, recruit.recruiting_rate, recruit.recruited_until,
    recruiter.approved as recruiter_approved, recruiter.banned as recruiter_banned
  from commissions root
  cross join lateral (
    select id, affiliate_id, commission_minor, currency, voided from commissions
    where organization_id = :organization_id::uuid and id = root.id
    union all
    select id, affiliate_id, commission_minor, currency, voided from commissions
    where organization_id = :organization_id::uuid and reversal_of = root.id
  ) as part
  join affiliates recruit on recruit.organization_id = :organization_id::uuid and recruit.id = part.affiliate_id
  join affiliates recruiter
    on recruiter.organization_id = :organization_id::uuid and recruiter.id = recruit.recruited_by
  where root.organization_id = :organization_id::uuid and root.id = any (:ids::uuid[])
  order by root.id, part.id`);

/** Returns the parts of commissions that recruits have. */
export async function listRecruitedAmounts(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<RecruitPartRow[]> {
  return await PARTS.run(sql, { organization_id: organizationId, ids });
}

/** A commission for a recruit, or a correction of it. */
export interface RecruitLineRow extends Omit<WrittenCommission, "cause" | "recruit_commission_id"> {
  recruit_commission_id: string;
}

const LOCK_LINES = statement<Omit<RecruitLineRow, "payout_status"> & { voided: boolean }, Names>(`
  with original as (
    select ${WRITTEN_COLUMNS} from commissions
    where organization_id = :organization_id::uuid and recruit_commission_id = any (:ids::uuid[])
      and reversal_of is null
    for no key update
  ),
  added as (
    select ${WRITTEN_COLUMNS} from commissions
    where organization_id = :organization_id::uuid and reversal_of in (select id from original)
    for no key update
  )
  select * from original union all select * from added order by id`);

/** Returns the commissions for these commissions of recruits, locked until the transaction ends. */
export async function lockRecruitLines(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<RecruitLineRow[]> {
  const rows = await LOCK_LINES.run(sql, { organization_id: organizationId, ids });
  return await lockPayoutStatuses(sql, organizationId, rows);
}

export type RecruitRejection = "recruiter_banned" | "recruiter_not_approved" | "voided";

export interface RecruitTermsRow {
  /** The root. */
  commission_id: string;
  recruit_id: string;
  /** Why the recruiter gets nothing; null: the recruiter gets the percentage. */
  refusal: RecruitRejection | null;
}

const TERMS = statement<RecruitTermsRow & { recruiter_id: string }, Names>(`
  select terms.commission_id, terms.recruit_id, terms.refusal, recruiter.id as recruiter_id
  from recruit_terms terms
  join affiliates recruit on recruit.organization_id = :organization_id::uuid and recruit.id = terms.recruit_id
  join affiliates recruiter
    on recruiter.organization_id = :organization_id::uuid and recruiter.id = recruit.recruited_by
  where terms.organization_id = :organization_id::uuid and terms.commission_id = any (:ids::uuid[])`);

/** Returns the terms of commissions, also of recruits who have them no longer. */
export async function listRecruitTerms(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<(RecruitTermsRow & { recruiter_id: string })[]> {
  return await TERMS.run(sql, { organization_id: organizationId, ids });
}

const INSERT_TERMS = statement<object, "organization_id" | "commission_ids" | "recruit_ids" | "refusals">(`
  insert into recruit_terms (organization_id, commission_id, recruit_id, refusal, created_at)
  select :organization_id::uuid, commission_id, recruit_id, nullif(refusal, ''), now()
  from unnest(:commission_ids::uuid[], :recruit_ids::uuid[], :refusals::text[])
    as terms (commission_id, recruit_id, refusal)`);

export async function insertRecruitTerms(
  sql: Connection,
  organizationId: string,
  terms: readonly RecruitTermsRow[],
): Promise<void> {
  if (terms.length === 0) return;
  await INSERT_TERMS.run(sql, {
    organization_id: organizationId,
    commission_ids: terms.map(({ commission_id }) => commission_id),
    recruit_ids: terms.map(({ recruit_id }) => recruit_id),
    refusals: terms.map(({ refusal }) => refusal ?? ""),
  });
}

const SET_REFUSAL = statement<object, "organization_id" | "commission_id" | "recruiter_id" | "refusal">(`
  update recruit_terms terms set refusal = :refusal::text
  from affiliates recruit
  where terms.organization_id = :organization_id::uuid and terms.commission_id = :commission_id::uuid
    and coalesce(terms.refusal, 'voided') = 'voided' and recruit.organization_id = :organization_id::uuid and recruit.id = terms.recruit_id
    and recruit.recruited_by = :recruiter_id::uuid`);

/**
 * Stores a person's decision whether a recruiter gets a percentage of a recruit's commission. A recruiter who
 * was banned or not approved when the recruit first had the commission gets nothing of it, even if a person
 * decides otherwise.
 */
export async function setRecruitRejection(
  sql: Connection,
  organizationId: string,
  decision: { commission_id: string; recruiter_id: string; refusal: "voided" | null },
): Promise<void> {
  await SET_REFUSAL.run(sql, { organization_id: organizationId, ...decision });
}

/**
 * A commission for a recruit waits as long as the recruit's commission is in review; it has no review of its own. One in a payout does
 * not wait.
 */
const FOLLOW_REVIEW = statement<{ id: string; review_state: ReviewState }, Names>(`
  with line as (
    update commissions line set review_state = root.state
    from (
      select id, case review_state when 'pending' then 'pending' else 'none' end as state from commissions
      where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
    ) as root
    where line.organization_id = :organization_id::uuid and line.recruit_commission_id = root.id
      and line.reversal_of is null and line.review_state <> root.state
      and (root.state = 'none' or not exists (
        select from payout_commissions placed
        where placed.organization_id = :organization_id::uuid and placed.affiliate_id = line.affiliate_id
          and placed.commission_id = line.id))
    returning line.id, line.commission_minor, line.payable_at, line.created_at, line.review_state
  ),
  unpaid as (
    update unpaid_commissions unpaid set due_at = ${dueAt("line")}
    from line
    where unpaid.organization_id = :organization_id::uuid and unpaid.commission_id = line.id
  )
  select id, review_state from line`);

/** Gives the commissions for recruits the state that the recruits' commissions, which are locked, have in review. */
export async function followReviews(sql: Connection, organizationId: string, ids: string[]): Promise<void> {
  await FOLLOW_REVIEW.run(sql, { organization_id: organizationId, ids });
}

const IN_PAYOUTS = statement<{ id: string }, "organization_id" | "payout_ids">(`
  select distinct line.recruit_commission_id as id
  from payout_commissions placed
  join commissions line on line.organization_id = :organization_id::uuid and line.id = placed.commission_id
  where placed.organization_id = :organization_id::uuid and placed.payout_id = any (:payout_ids::uuid[])
    and line.recruit_commission_id is not null and line.reversal_of is null`);

/** Returns the recruits' commissions with a commission for them in one of these payouts. */
export async function findRecruitsOfPayouts(
  sql: Connection,
  organizationId: string,
  payout_ids: readonly string[],
): Promise<string[]> {
  const rows = await IN_PAYOUTS.run(sql, { organization_id: organizationId, payout_ids });
  return rows.map(({ id }) => id);
}

export interface RecruiterLossRow {
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  currency: string;
  commission_minor: bigint;
}

const LOSSES = statement<RecruiterLossRow, Names>(`
  select affiliate.id as affiliate_id, affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name,
    line.currency, sum(line.commission_minor)::bigint as commission_minor
  from commissions line
  join affiliates affiliate
    on affiliate.organization_id = line.organization_id and affiliate.id = line.affiliate_id
  where line.organization_id = :organization_id::uuid and line.recruit_commission_id = any (:ids::uuid[])
    and not line.voided
  group by affiliate.organization_id, affiliate.id, line.currency
  having sum(line.commission_minor) > 0
  order by 6 desc, 1`);

/** Returns the shares of recruiters in recruits' commissions, the largest sum first. */
export async function listRecruiterLosses(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<RecruiterLossRow[]> {
  return await LOSSES.run(sql, { organization_id: organizationId, ids });
}

const KNOWN = statement<{ id: string }, Names>(`
  select id from commissions where organization_id = :organization_id::uuid and id = any (:ids::uuid[])`);

/** Whether all of these commissions exist. */
export async function areKnown(sql: Connection, organizationId: string, ids: string[]): Promise<boolean> {
  const rows = await KNOWN.run(sql, { organization_id: organizationId, ids });
  return rows.length === new Set(ids.map((id) => id.toLowerCase())).size;
}
