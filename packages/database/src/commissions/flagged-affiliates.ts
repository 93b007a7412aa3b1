import type { SignalName } from "@findersfee/contract/attribution/signals";
import type { Connection } from "../postgres/connect.ts";

/** An affiliate with commissions that wait because of signals of fraud. */
export interface FlaggedAffiliateRow {
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  commissions: number;
  /** The newest first, up to a number. */
  commission_ids: string[];
  since: Date;
  latest: Date;
  amounts: { currency: string; minor: string }[];
  /** With the explanation of the newest commission that has it. */
  signals: { signal: SignalName; commissions: number; explanation: unknown }[];
}

export interface FlaggedRange {
  after: FlaggedPosition | null;
  before: FlaggedPosition | null;
  limit: number;
}

/** By the latest commission that waits. */
export interface FlaggedPosition {
  latest: Date;
  affiliate_id: string;
}

/** Returns a page of affiliates, the latest commission first; with `before`, in the opposite order. */
export async function listFlaggedAffiliates(
  sql: Connection,
  organizationId: string,
  { range: { after, before, limit }, most }: { range: FlaggedRange; most: number },
): Promise<FlaggedAffiliateRow[]> {
  const order = before === null ? sql`desc` : sql`asc`;
  const place =
    after !== null
      ? sql`having (max(since), affiliate_id) < (${after.latest}::timestamptz, ${after.affiliate_id}::uuid)`
      : before !== null
        ? sql`having (max(since), affiliate_id) > (${before.latest}::timestamptz, ${before.affiliate_id}::uuid)`
        : sql``;
  return await sql<FlaggedAffiliateRow[]>`
    with waiting as materialized (${waitingIn(sql, organizationId)}),
    page as (
      select affiliate_id, count(*)::int as commissions, min(since) as since, max(since) as latest,
        (array_agg(id order by since desc, id desc))[1:${most}::int] as commission_ids
      from waiting group by affiliate_id ${place}
      order by max(since) ${order}, affiliate_id ${order} limit ${limit}
    )
    select page.*, affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name, lost.amounts, found.signals
    from page
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = page.affiliate_id
    cross join lateral (
      select json_agg(json_build_object('currency', currency, 'minor', minor::text) order by currency) as amounts
      from (
        select currency, sum(commission_minor) as minor from waiting
        where affiliate_id = page.affiliate_id group by currency
      ) as sum
    ) as lost
    cross join lateral (
      select json_agg(json_build_object('signal', signal, 'commissions', times, 'explanation', decision.explanation)
        order by times desc, signal) as signals
      from (
        select signal, count(*)::int as times, (array_agg(id order by since desc, id desc))[1] as newest_id
        from waiting, unnest(signals) as signal
        where affiliate_id = page.affiliate_id group by signal
      ) as counted
      left join lateral (
        select explanation from payment_decisions
        where organization_id = ${organizationId} and commission_id = counted.newest_id limit 1
      ) as decision on true
    ) as found
    order by latest ${order}, affiliate_id ${order}`;
}

/** The commissions in review, of which there are few, with the signals that they wait for. Those for recruits follow others. */
function waitingIn(sql: Connection, organizationId: string) {
  return sql`
    select commission.id, commission.affiliate_id, commission.currency, commission.commission_minor,
      date_trunc('milliseconds', review.created_at) as since, found.signals
    from commissions commission
    join commission_reviews review
      on review.organization_id = commission.organization_id and review.commission_id = commission.id
    cross join lateral (
      select array_agg(substring(reason from 8)) as signals from unnest(review.reasons) as reason
      where reason like 'signal:%'
    ) as found
    where commission.organization_id = ${organizationId} and commission.review_state = 'pending'
      and not commission.voided and commission.recruit_commission_id is null and found.signals is not null`;
}
