import type { CommissionListRow, RowRange } from "../commissions/list-rows.ts";
import type { LedgerEntryRow } from "../ledger/entries.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { OwnAffiliate } from "./home.ts";

/** A commission of an affiliate, with its customer and payout. */
export interface EarningRow
  extends Pick<
    CommissionListRow,
    | "id"
    | "revenue_minor"
    | "commission_minor"
    | "currency"
    | "payout_status"
    | "payable_at"
    | "due_at"
    | "referral_date"
    | "created_at"
    | "reversal_of"
    | "customer_email"
    | "payout_id"
    | "payout_period"
  > {
  hide_emails: boolean;
  voided: boolean;
  payout_state: string | null;
  payout_status_at: Date | null;
}

type State = "held" | "due" | "pending" | "paid" | "voided";
type Fragment = ReturnType<Connection["unsafe"]>;

interface PageQuery extends OwnAffiliate {
  range: RowRange;
  /** Held: in no payout, and due after `now`. Due: the others in no payout. */
  state: State | undefined;
  now: Date;
}

/** Returns a page of an affiliate's commissions, newest first; with `before`, oldest first. */
export async function listEarnings(sql: Connection, query: PageQuery): Promise<EarningRow[]> {
  const order = query.range.before === null ? sql`desc` : sql`asc`;
  return await sql<EarningRow[]>`
    ${earnings(sql, query, chosen(sql, query))} order by commission.id ${order}`;
}

/** Returns one commission of an affiliate; null: it has no such commission. */
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
    select commission.id, commission.revenue_minor, commission.commission_minor, commission.currency, commission.voided,
      payout_status(commission.voided, placed.payout_id, payout.status) as payout_status, commission.payable_at,
      unpaid.due_at, commission.referral_date, commission.created_at, commission.reversal_of,
      referral.email as customer_email, campaign.hide_emails, payout.id as payout_id, payout.period as payout_period,
      payout.status as payout_state, payout.status_at as payout_status_at
    from (${ids}) as chosen
    join commissions commission on commission.organization_id = ${organization_id} and commission.id = chosen.id
      and commission.affiliate_id = ${affiliate_id}
    join affiliates affiliate on affiliate.organization_id = ${organization_id} and affiliate.id = ${affiliate_id}
    join campaigns campaign on campaign.organization_id = ${organization_id} and campaign.id = affiliate.campaign_id
    join referrals referral on referral.organization_id = ${organization_id} and referral.id = commission.referral_id
    left join unpaid_commissions unpaid
      on unpaid.organization_id = ${organization_id} and unpaid.commission_id = commission.id
    left join lateral (
      select payout_id from payout_commissions
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} and commission_id = commission.id
      offset 0
    ) as placed on true
    left join lateral (
      select id, period, status, status_at from payouts
      where organization_id = ${organization_id} and id = placed.payout_id
      offset 0
    ) as payout on true`;
}

/** The ids of a page. Each state has a source in which few other commissions are read. */
function chosen(sql: Connection, query: PageQuery): Fragment {
  const { organization_id, affiliate_id, state, now, range } = query;
  const own = sql`organization_id = ${organization_id} and affiliate_id = ${affiliate_id}`;
  switch (state) {
    case undefined:
      return paged(sql, sql`select id from commissions where ${own}`, range);
    case "voided":
      return paged(sql, sql`select id from commissions where ${own} and voided`, range);
    case "held":
    case "due": {
      // Without `offset 0`, Postgres would walk the ids of all affiliates.
      const due = state === "held" ? sql`due_at > ${now}` : sql`due_at <= ${now}`;
      const unpaid = sql`select commission_id as id from unpaid_commissions where ${own} and ${due} offset 0`;
      return paged(sql, sql`select id from (${unpaid}) as unpaid where true`, range);
    }
    case "pending":
    case "paid": {
      const statuses = state === "paid" ? ["paid"] : ["pending", "processing"];
      // Most are paid, so that the ids are walked until a page is full. Of a few payouts, all commissions are sorted.
      const placed = sql`
        select commission_id as id from payout_commissions
        where ${own} and payout_id = any (array(
          select id from payouts where ${own} and status = any (${statuses}::text[])))
        ${state === "paid" ? sql`` : sql`offset 0`}`;
      return paged(sql, sql`select id from (${placed}) as placed where true`, range);
    }
  }
}

function paged(sql: Connection, ids: Fragment, { after, before, limit }: RowRange): Fragment {
  return sql`
    ${ids}
      ${after === null ? sql`` : sql`and id < ${after}`}
      ${before === null ? sql`` : sql`and id > ${before}`}
    order by id ${before === null ? sql`desc` : sql`asc`} limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

const ENTRIES = statement<
  Pick<LedgerEntryRow, "kind" | "unpaid_minor" | "created_at">,
  keyof OwnAffiliate | "id"
>(`
  select kind, unpaid_minor, created_at from ledger_entries
  where organization_id = :organization_id::uuid and commission_id = :id::uuid and affiliate_id = :affiliate_id::uuid
  order by number limit 1000`);

/** Returns the ledger entries of a commission, oldest first. */
export async function listEarningEntries(
  sql: Connection,
  { id, ...own }: OwnAffiliate & { id: string },
): Promise<Pick<LedgerEntryRow, "kind" | "unpaid_minor" | "created_at">[]> {
  return await ENTRIES.run(sql, { ...own, id });
}

/** Returns the reversals of a commission, and the commission that it reverses with its other reversals. */
export async function listRelatedEarnings(
  sql: Connection,
  { id, reversal_of, ...own }: OwnAffiliate & Pick<EarningRow, "id" | "reversal_of">,
): Promise<EarningRow[]> {
  const original = reversal_of ?? id;
  const related = sql`
    select id from commissions
    where organization_id = ${own.organization_id} and (id = ${original} or reversal_of = ${original}) and id <> ${id}
    limit 100`;
  return await sql<
    EarningRow[]
  >`${earnings(sql, own, related)} order by commission.created_at, commission.id`;
}

export interface EarningDecisionRow {
  paid_at: Date;
  explanation: unknown;
}

const FIND_DECISION = statement<EarningDecisionRow, keyof OwnAffiliate | "id">(`
  select paid_at, explanation from payment_decisions
  where organization_id = :organization_id::uuid and commission_id = :id::uuid and affiliate_id = :affiliate_id::uuid
  limit 1`);

/** Returns the decision on the payment that earned a commission; null for a manual commission. */
export async function findEarningDecision(
  sql: Connection,
  { id, ...own }: OwnAffiliate & { id: string },
): Promise<EarningDecisionRow | null> {
  const [row] = await FIND_DECISION.run(sql, { ...own, id });
  return row ?? null;
}
