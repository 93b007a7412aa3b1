import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { JOIN_RECRUIT, RECRUIT_COLUMNS, type RecruitColumns } from "./recruit-columns.ts";
import { FINITE_DUE_AT, JOIN_REVIEW, REVIEW_COLUMNS, type ReviewColumns } from "./reviews.ts";

export interface CommissionStoryRow extends ReviewColumns, RecruitColumns {
  id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  voided: boolean;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  referral_date: Date;
  payable_at: Date;
  /** When a payout run takes it; null: it is in a payout, void or in review. */
  due_at: Date | null;
  created_at: Date;
  processor_payment_id: string | null;
  reversal_of: string | null;
  lead: string | null;
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  campaign_id: string;
  campaign_name: string;
  referral_id: string;
  customer_email: string;
  /** A person voided it, or decided that it stays so. */
  stays_voided: boolean;
  payout_id: string | null;
  payout_period: string | null;
  payout_state: string | null;
  payout_created_at: Date | null;
  payout_status_at: Date | null;
}

const FIND = statement<CommissionStoryRow, "organization_id" | "id">(`
  select commission.id, commission.revenue_minor, commission.commission_minor, commission.currency, commission.voided,
    payout_status(commission.voided, placed.payout_id, payout.status) as payout_status, commission.referral_date,
    commission.payable_at, ${FINITE_DUE_AT} as due_at, commission.created_at, ${REVIEW_COLUMNS}, ${RECRUIT_COLUMNS},
    commission.processor_payment_id, commission.reversal_of, commission.lead, affiliate.id as affiliate_id,
    affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name, campaign.id as campaign_id,
    campaign.name as campaign_name, referral.id as referral_id, referral.email as customer_email,
    payout.id as payout_id, payout.period as payout_period, payout.status as payout_state,
    payout.created_at as payout_created_at, payout.status_at as payout_status_at,
    coalesce(correction.voided, false) as stays_voided
  from commissions commission
  join affiliates affiliate
    on affiliate.organization_id = commission.organization_id and affiliate.id = commission.affiliate_id
  join campaigns campaign
    on campaign.organization_id = commission.organization_id and campaign.id = affiliate.campaign_id
  join referrals referral
    on referral.organization_id = commission.organization_id and referral.id = commission.referral_id
  left join unpaid_commissions unpaid
    on unpaid.organization_id = commission.organization_id and unpaid.commission_id = commission.id
  left join payout_commissions placed
    on placed.organization_id = commission.organization_id and placed.affiliate_id = commission.affiliate_id
      and placed.commission_id = commission.id
  left join payouts payout on payout.organization_id = commission.organization_id and payout.id = placed.payout_id
  ${JOIN_REVIEW}
  ${JOIN_RECRUIT}
  left join commission_corrections correction
    on correction.organization_id = commission.organization_id and correction.commission_id = commission.id
  where commission.organization_id = :organization_id::uuid and commission.id = :id::uuid`);

/** Returns a commission with its affiliate, customer and payout. */
export async function findCommissionStory(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<CommissionStoryRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

export interface RelatedCommissionRow {
  id: string;
  commission_minor: bigint;
  currency: string;
  payout_status: string;
  created_at: Date;
}

/** Returns the reversals of a commission, and the commission that it reverses with its other reversals. */
export async function listRelatedCommissions(
  sql: Connection,
  organizationId: string,
  { id, reversal_of }: Pick<CommissionStoryRow, "id" | "reversal_of">,
): Promise<RelatedCommissionRow[]> {
  const original = reversal_of ?? id;
  return await sql<RelatedCommissionRow[]>`
    select id, commission_minor, currency, payout_status, created_at from commission_states
    where organization_id = ${organizationId} and (id = ${original} or reversal_of = ${original}) and id <> ${id}
    order by created_at, id limit 100`;
}

/** Returns the event that reported a new commission, among those with ids in a range. */
export async function findCommissionEvent(
  sql: Connection,
  organizationId: string,
  { commission_id, from_id, until_id }: { commission_id: string; from_id: string; until_id: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from events
    where organization_id = ${organizationId} and id >= ${from_id} and id < ${until_id}
      and type = 'commission.created' and body::json #>> '{data,id}' = ${commission_id}
    limit 1`;
  return row?.id ?? null;
}

/** Returns the decision about the payment that created a commission, or that a manual commission names. */
export async function findCommissionDecision(
  sql: Connection,
  organizationId: string,
  commissionId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from payment_decisions
    where organization_id = ${organizationId} and commission_id = ${commissionId}
    union all
    select id from payment_decisions
    where organization_id = ${organizationId} and manual_commission_id = ${commissionId}
    limit 1`;
  return row?.id ?? null;
}

/** Whether payments created some of these commissions, or those that they reverse, or manual commissions name payments. */
export async function hasPaymentDecisions(
  sql: Connection,
  organizationId: string,
  commissionIds: readonly string[],
): Promise<boolean> {
  const rows = await sql`
    with original as materialized (
      select coalesce(reversal_of, id) as id from commissions
      where organization_id = ${organizationId} and id = any (${[...commissionIds]}::uuid[])
    )
    select from payment_decisions
    where organization_id = ${organizationId} and commission_id in (select id from original)
    union all
    select from leads where organization_id = ${organizationId} and commission_id in (select id from original)
    union all
    select from payment_decisions
    where organization_id = ${organizationId} and manual_commission_id in (select id from original)
    limit 1`;
  return rows.length > 0;
}
