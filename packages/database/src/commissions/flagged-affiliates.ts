import type { SignalName } from "@findersfee/contract/attribution/signals";
import type { Connection } from "../postgres/connect.ts";

/**
 * An affiliate with commissions that wait because of signals of fraud, or with payments that are only
 * flagged.
 */
export interface FlaggedAffiliateRow {
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  /** Those that wait. */
  commissions: number;
  /** Those of payments that are flagged alone: nobody has to decide on them. */
  flagged: number;
  /** The newest of the commissions that wait, up to a number. */
  commission_ids: string[];
  since: Date;
  latest: Date;
  /** The amounts of the commissions that wait. */
  amounts: { currency: string; minor: string }[];
  /** With the explanation of the newest commission that has it. */
  signals: { signal: SignalName; commissions: number; explanation: unknown }[];
}

export interface FlaggedRange {
  after: FlaggedPosition | null;
  before: FlaggedPosition | null;
  limit: number;
}

/** A position in the order of the latest commission. */
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
    with suspected as materialized (
      ${waitingIn(sql, organizationId)} union all ${flaggedIn(sql, organizationId)}
    ),
    page as (
      select affiliate_id, count(*) filter (where waits)::int as commissions,
        count(*) filter (where not waits)::int as flagged, min(since) as since, max(since) as latest,
        coalesce((array_agg(id order by since desc, id desc) filter (where waits))[1:${most}::int], '{}') as commission_ids
      from suspected group by affiliate_id ${place}
      order by max(since) ${order}, affiliate_id ${order} limit ${limit}
    )
    select page.*, affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name, lost.amounts, found.signals
    from page
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = page.affiliate_id
    cross join lateral (
      select coalesce(json_agg(json_build_object('currency', currency, 'minor', minor::text) order by currency), '[]') as amounts
      from (
        select currency, sum(commission_minor) as minor from suspected
        where affiliate_id = page.affiliate_id and waits group by currency
      ) as sum
    ) as lost
    cross join lateral (
      select json_agg(json_build_object('signal', signal, 'commissions', times, 'explanation', decision.explanation)
        order by times desc, signal) as signals
      from (
        select signal, count(*)::int as times, (array_agg(id order by since desc, id desc))[1] as newest_id
        from suspected, unnest(signals) as signal
        where affiliate_id = page.affiliate_id group by signal
      ) as counted
      left join lateral (
        select explanation from payment_decisions
        where organization_id = ${organizationId} and commission_id = counted.newest_id limit 1
      ) as decision on true
    ) as found
    order by latest ${order}, affiliate_id ${order}`;
}

/**
 * The few commissions in review, with the signals that they wait for. Commissions for recruits are left out:
 * they follow others.
 */
function waitingIn(sql: Connection, organizationId: string) {
  return sql`
    select commission.id, commission.affiliate_id, commission.currency, commission.commission_minor,
      date_trunc('milliseconds', review.created_at) as since, found.signals, true as waits
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

/**
 * The commissions in no payout and no review of payments with signals that their campaign only flags. Postgres expects few rows of an
 * equation that it has no statistics of, and many of `is not null`: with that, it would read all decisions.
 */
function flaggedIn(sql: Connection, organizationId: string) {
  return sql`
    select commission.id, commission.affiliate_id, commission.currency, commission.commission_minor,
      date_trunc('milliseconds', commission.created_at), found.signals, false
    from payment_decisions decision
    join unpaid_commissions unpaid
      on unpaid.organization_id = decision.organization_id and unpaid.commission_id = decision.commission_id
    join commissions commission
      on commission.organization_id = decision.organization_id and commission.id = decision.commission_id
    cross join lateral (
      select array_agg(signal ->> 'signal') as signals from json_array_elements(decision.explanation -> 'signals') as signal
      where signal ->> 'action' = 'flag'
    ) as found
    where decision.organization_id = ${organizationId} and json_typeof(decision.explanation -> 'signals') = 'array'
      and decision.commission_id is not null and decision.replaced_at is null
      and commission.review_state = 'none' and not commission.voided and found.signals is not null`;
}
