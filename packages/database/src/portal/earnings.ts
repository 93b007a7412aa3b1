import type { CommissionListRow, CommissionState, RowRange } from "../commissions/list-rows.ts";
import {
  JOIN_RECRUIT,
  OWN_CUSTOMER_EMAIL,
  OWN_RECRUIT_COLUMNS,
  type RecruitColumns,
} from "../commissions/recruit-columns.ts";
import { FINITE_DUE_AT } from "../commissions/reviews.ts";
import type { LedgerEntryRow } from "../ledger/entries.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { CampaignRow } from "../rows.ts";
import type { OwnAffiliate } from "./home.ts";

/** A commission of an affiliate, with its customer and payout, or an adjustment. */
export interface EarningRow
  extends Pick<
      CommissionListRow,
      | "id"
      | "commission_minor"
      | "currency"
      | "payout_status"
      | "payable_at"
      | "due_at"
      | "review_state"
      | "referral_date"
      | "created_at"
      | "reversal_of"
      | "lead"
      | "payout_id"
      | "payout_period"
    >,
    Pick<RecruitColumns, "recruit_commission_id" | "recruit_first_name" | "recruit_last_name"> {
  /** Null: an adjustment, or for a recruit. */
  customer_email: string | null;
  leaderboard: CampaignRow["leaderboard"];
  /** Null: an adjustment. */
  revenue_minor: bigint | null;
  /** Null: a commission. */
  adjustment_reason: string | null;
  /** The commission that the adjustment corrects. */
  adjusted_commission_id: string | null;
  hide_emails: boolean;
  voided: boolean;
  payout_state: string | null;
  payout_status_at: Date | null;
}

type Fragment = ReturnType<Connection["unsafe"]>;

interface PageQuery extends OwnAffiliate {
  range: RowRange;
  /** In review: waits for a decision. Held: in no payout, and due after `now`. Due: the others in no payout. */
  state: CommissionState | undefined;
  now: Date;
}

/** Returns a page of an affiliate's commissions and adjustments, newest first; with `before`, oldest first. */
export async function listEarnings(sql: Connection, query: PageQuery): Promise<EarningRow[]> {
  const order = query.range.before === null ? sql`desc` : sql`asc`;
  return await sql<EarningRow[]>`
    ${earnings(sql, query, chosen(sql, query))} order by chosen.id ${order}`;
}

/** Returns one commission or adjustment of an affiliate; null: it has no such row. */
export async function findEarning(
  sql: Connection,
  { id, ...own }: OwnAffiliate & { id: string },
): Promise<EarningRow | null> {
  const [row] = await sql<EarningRow[]>`${earnings(sql, own, sql`select ${id}::uuid as id`)}`;
  return row ?? null;
}

/** The other tables are joined to a few ids by key. The condition on the affiliate holds for any ids. */
function earnings(sql: Connection, { organization_id, affiliate_id }: OwnAffiliate, ids: Fragment): Fragment {
  return sql`
    select chosen.id, commission.revenue_minor, line.commission_minor, line.currency, line.voided,
      payout_status(line.voided, placed.payout_id, payout.status) as payout_status, line.payable_at,
      ${sql.unsafe(FINITE_DUE_AT)} as due_at, line.review_state, coalesce(commission.referral_date, line.created_at) as referral_date, line.created_at,
      commission.reversal_of, commission.lead, ${sql.unsafe(OWN_CUSTOMER_EMAIL)} as customer_email, campaign.hide_emails,
      campaign.leaderboard, ${sql.unsafe(OWN_RECRUIT_COLUMNS)},
      adjustment.reason as adjustment_reason, adjustment.commission_id as adjusted_commission_id,
      payout.id as payout_id, payout.period as payout_period, payout.status as payout_state,
      payout.status_at as payout_status_at
    from (${ids}) as chosen
    cross join lateral (
      select commission_minor, currency, voided, payable_at, created_at, review_state from payable_lines
      where organization_id = ${organization_id} and id = chosen.id and affiliate_id = ${affiliate_id}
      offset 0
    ) as line
    left join commissions commission on commission.organization_id = ${organization_id} and commission.id = chosen.id
    left join adjustments adjustment on adjustment.organization_id = ${organization_id} and adjustment.id = chosen.id
    join affiliates affiliate on affiliate.organization_id = ${organization_id} and affiliate.id = ${affiliate_id}
    join campaigns campaign on campaign.organization_id = ${organization_id} and campaign.id = affiliate.campaign_id
    left join referrals referral
      on referral.organization_id = ${organization_id} and referral.id = commission.referral_id
    ${sql.unsafe(JOIN_RECRUIT)}
    left join unpaid_commissions unpaid
      on unpaid.organization_id = ${organization_id} and unpaid.commission_id = chosen.id
    left join lateral (
      select payout_id from payout_commissions
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} and commission_id = chosen.id
      offset 0
    ) as placed on true
    left join lateral (
      select id, period, status, status_at from payouts
      where organization_id = ${organization_id} and id = placed.payout_id
      offset 0
    ) as payout on true`;
}

/** The ids of a page. Each state has a source in which few other rows are read. */
function chosen(sql: Connection, query: PageQuery): Fragment {
  const { organization_id, affiliate_id, state, now, range } = query;
  const own = sql`organization_id = ${organization_id} and affiliate_id = ${affiliate_id}`;
  switch (state) {
    case undefined:
      return paged(sql, lines(sql, own), range);
    case "voided":
      return paged(sql, lines(sql, sql`${own} and voided`), range);
    case "in_review":
    case "held":
    case "due": {
      // Without `offset 0`, Postgres would walk the ids of all affiliates.
      const due = dueIn(sql, state, now);
      const unpaid = sql`select commission_id as id from unpaid_commissions where ${own} and ${due} offset 0`;
      return paged(sql, sql`select id from (${unpaid}) as unpaid where true`, range);
    }
    case "pending":
    case "paid": {
      const statuses = state === "paid" ? ["paid"] : ["pending", "processing"];
      // Most commissions are paid, so the query walks their ids until a page is full. Other states have few
      // payouts, so it sorts all their commissions.
      const placed = sql`
        select commission_id as id from payout_commissions
        where ${own} and payout_id = any (array(
          select id from payouts where ${own} and status = any (${statuses}::text[])))
        ${state === "paid" ? sql`` : sql`offset 0`}`;
      return paged(sql, sql`select id from (${placed}) as placed where true`, range);
    }
  }
}

/** The due dates of unpaid commissions in a state; those in review are never due. */
function dueIn(sql: Connection, state: "in_review" | "held" | "due", now: Date): Fragment {
  if (state === "in_review") return sql`due_at = 'infinity'`;
  return state === "held" ? sql`due_at > ${now} and due_at < 'infinity'` : sql`due_at <= ${now}`;
}

/** Both tables are read in the order of their ids, so that few rows of them are. */
function lines(sql: Connection, condition: Fragment): Fragment {
  return sql`
    select id from (
      select id from commissions where ${condition} union all select id from adjustments where ${condition}
    ) as line where true`;
}

function paged(sql: Connection, ids: Fragment, { after, before, limit }: RowRange): Fragment {
  return sql`
    ${ids}
      ${after === null ? sql`` : sql`and id < ${after}`}
      ${before === null ? sql`` : sql`and id > ${before}`}
    order by id ${before === null ? sql`desc` : sql`asc`} limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

export interface EarningEntryRow extends Pick<LedgerEntryRow, "kind" | "unpaid_minor" | "created_at"> {
  /** Who lowered or restored the amount: a report of the processor, or the organization. Null: unknown. */
  because: "refund" | "dispute" | "organization" | null;
}

/** The facts of a message are found among those of the payment's customer. `:original` is the commission that a reversal reverses. */
const ENTRIES = statement<EarningEntryRow, keyof OwnAffiliate | "id" | "original">(`
  select kind, unpaid_minor, created_at,
    case
      when kind not in ('reduced', 'restored', 'voided', 'reversed') then null
      when cause ~ '^(user|key|operator)' then 'organization'
      else (
        select case when bool_or(fact.kind = 'dispute') then 'dispute' when count(*) > 0 then 'refund' end
        from payment_decisions decision
        join payment_facts fact on fact.organization_id = decision.organization_id
          and fact.customer_id = decision.customer_id and fact.kind in ('refund', 'dispute', 'refunded_total')
        where decision.organization_id = :organization_id::uuid and decision.commission_id = :original::uuid
          and fact.processor || ' ' || fact.message_id = any (string_to_array(entry.cause, ', ')))
    end as because
  from ledger_entries entry
  where organization_id = :organization_id::uuid and commission_id = :id::uuid and affiliate_id = :affiliate_id::uuid
  order by number limit 1000`);

/** Returns the ledger entries of a commission or an adjustment, oldest first. */
export async function listEarningEntries(
  sql: Connection,
  { id, reversal_of, ...own }: OwnAffiliate & { id: string; reversal_of: string | null },
): Promise<EarningEntryRow[]> {
  return await ENTRIES.run(sql, { ...own, id, original: reversal_of ?? id });
}

/**
 * Returns the reversals and adjustments of a commission, and for one of them also the commission itself with the others.
 */
export async function listRelatedEarnings(
  sql: Connection,
  {
    id,
    reversal_of,
    adjusted_commission_id,
    ...own
  }: OwnAffiliate & Pick<EarningRow, "id" | "reversal_of" | "adjusted_commission_id">,
): Promise<EarningRow[]> {
  const original = reversal_of ?? adjusted_commission_id ?? id;
  const related = sql`
    select id from (
      select id from commissions
      where organization_id = ${own.organization_id} and (id = ${original} or reversal_of = ${original})
      union all
      select id from adjustments where organization_id = ${own.organization_id} and commission_id = ${original}
    ) as line
    where id <> ${id}
    limit 100`;
  return await sql<EarningRow[]>`${earnings(sql, own, related)} order by line.created_at, chosen.id`;
}

export interface EarningDecisionRow {
  paid_at: Date;
  explanation: unknown;
  /** When the organization accepted the affiliate's report of a sale to the customer; null: there is none. */
  claim_accepted_at: Date | null;
  /** Whether no checkout and no payment created the customer's referral. */
  referral_is_manual: boolean;
}

const FIND_DECISION = statement<EarningDecisionRow, keyof OwnAffiliate | "id">(`
  select decision.paid_at, decision.explanation, claim.decided_at as claim_accepted_at,
    referral.id is not null and referral.attributed_by is null as referral_is_manual
  from payment_decisions decision
  left join referrals referral
    on referral.organization_id = :organization_id::uuid and referral.id = decision.referral_id
  left join lateral (
    select decided_at from claims
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      and email = lower(referral.email) and state = 'accepted'
    order by decided_at limit 1
  ) as claim on true
  where decision.organization_id = :organization_id::uuid and decision.commission_id = :id::uuid
    and decision.affiliate_id = :affiliate_id::uuid
  limit 1`);

/** Returns the decision on the payment that earned a commission; null for a manual commission. */
export async function findEarningDecision(
  sql: Connection,
  { id, ...own }: OwnAffiliate & { id: string },
): Promise<EarningDecisionRow | null> {
  const [row] = await FIND_DECISION.run(sql, { ...own, id });
  return row ?? null;
}
