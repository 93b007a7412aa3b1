import type { RowRange } from "./commission-rows.ts";
import type { Connection } from "./connect.ts";
import { lowerCase } from "./lower-case.ts";
import { prefixBounds } from "./text-prefix.ts";

/** An affiliate with the names and counts that the dashboard's list shows. */
export interface AffiliateListRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  campaign_id: string;
  campaign_name: string;
  approved: boolean;
  banned: boolean;
  payout_email: string | null;
  code: string | null;
  clicks: bigint;
  referrals: number;
  converted: number;
  created_at: Date;
}

export interface AffiliateRowFilter {
  state?: "waiting" | "active" | "banned" | undefined;
  campaign_id?: string | undefined;
  from_id?: string | undefined;
  ids?: readonly string[] | undefined;
  text?: TextFilter | undefined;
}

/** A text of the list's search field. `few`: its matches are read first, because an index finds them. */
export interface TextFilter {
  prefix: string;
  few: boolean;
}

export interface AffiliateBalanceRow {
  affiliate_id: string;
  currency: string;
  earned_minor: bigint;
  unpaid_minor: bigint;
  held_minor: bigint;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/**
 * Returns a page of affiliates with their campaigns and codes, newest first; with `before`, oldest first. Of each, at most
 * `most` referrals are counted.
 */
export async function listAffiliateRows(
  sql: Connection,
  organizationId: string,
  { filter, range, most }: { filter: AffiliateRowFilter; range: RowRange; most: number },
): Promise<AffiliateListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  return await sql<AffiliateListRow[]>`
    select affiliate.id, affiliate.email, affiliate.first_name, affiliate.last_name, affiliate.campaign_id,
      campaign.name as campaign_name, affiliate.approved, affiliate.banned, affiliate.payout_email, shared.code, affiliate.clicks,
      counted.referrals, counted.converted, affiliate.created_at
    from (
      select affiliate.* from affiliates affiliate
      where affiliate.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}
        ${range.after === null ? sql`` : sql`and affiliate.id < ${range.after}`}
        ${range.before === null ? sql`` : sql`and affiliate.id > ${range.before}`}
      order by affiliate.id ${order} limit ${range.limit}
    ) as affiliate
    join campaigns campaign
      on campaign.organization_id = ${organizationId} and campaign.id = affiliate.campaign_id
    left join lateral (
      select code from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = affiliate.id
      order by kind, id limit 1
    ) as shared on true
    cross join lateral (
      select count(*)::int as referrals, count(converted_at)::int as converted from (
        select converted_at from referrals
        where organization_id = ${organizationId} and affiliate_id = affiliate.id and replaced_at is null
        limit ${most}) as first
    ) as counted
    order by affiliate.id ${order}`;
}

/** Counts all affiliates of a filter: reads each of them, or the index of the filter. */
export async function countAffiliateRows(
  sql: Connection,
  organizationId: string,
  filter: AffiliateRowFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from affiliates affiliate
    where affiliate.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: AffiliateRowFilter): Fragment[] {
  const { state, campaign_id, from_id, ids, text } = filter;
  return [
    state === undefined ? sql`` : stateCondition(sql, state),
    campaign_id === undefined ? sql`` : sql`and affiliate.campaign_id = ${campaign_id}`,
    from_id === undefined ? sql`` : sql`and affiliate.id >= ${from_id}`,
    ids === undefined ? sql`` : sql`and affiliate.id = any (${[...ids]}::uuid[])`,
    text === undefined ? sql`` : textCondition(sql, organizationId, text),
  ];
}

function stateCondition(sql: Connection, state: NonNullable<AffiliateRowFilter["state"]>): Fragment {
  switch (state) {
    case "waiting":
      return sql`and not affiliate.approved and not affiliate.banned`;
    case "active":
      return sql`and affiliate.approved and not affiliate.banned`;
    case "banned":
      return sql`and affiliate.banned`;
  }
}

function textCondition(sql: Connection, organizationId: string, { prefix, few }: TextFilter): Fragment {
  const lower = lowerCase(prefix);
  if (few) return sql`and affiliate.id = any (array(${textMatches(sql, organizationId, { lower })}))`;
  return sql`and (starts_with(lower(affiliate.email), ${lower})
    or starts_with(lower(affiliate.first_name || ' ' || affiliate.last_name), ${lower})
    or starts_with(lower(affiliate.last_name), ${lower})
    or exists (
      select from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = affiliate.id
        and starts_with(lower(code), ${lower})))`;
}

/** For lists of other rows: the condition that the affiliate with an id, a column, has such an email, name or code. */
export function affiliateTextCondition(
  sql: Connection,
  organizationId: string,
  text: TextFilter,
): (id: Fragment) => Fragment {
  if (text.few) {
    const lower = lowerCase(text.prefix);
    return (id) => sql`and ${id} = any (array(${textMatches(sql, organizationId, { lower })}))`;
  }
  return (id) => sql`and exists (
    select from affiliates affiliate
    where affiliate.organization_id = ${organizationId} and affiliate.id = ${id}
      ${textCondition(sql, organizationId, text)})`;
}

/** The affiliates with an email, name or code that begins with a text, from the index of each. */
function textMatches(
  sql: Connection,
  organizationId: string,
  { lower, most }: { lower: string; most?: number },
): Fragment {
  const { from, until } = prefixBounds(lower);
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  const begins = (text: Fragment) =>
    sql`${text} >= ${from} and ${text} < ${until} and starts_with(${text}, ${from})`;
  const affiliates = (text: Fragment) => sql`
    (select id from affiliates where organization_id = ${organizationId} and ${begins(text)} ${limit})`;
  const codes = (kind: "link" | "promo") => sql`
    (select affiliate_id from affiliate_codes
      where organization_id = ${organizationId} and kind = ${kind} and ${begins(sql`lower(code)`)} ${limit})`;
  return sql`
    ${affiliates(sql`lower(email)`)}
    union all ${affiliates(sql`lower(first_name || ' ' || last_name)`)}
    union all ${affiliates(sql`lower(last_name)`)}
    union all ${codes("link")}
    union all ${codes("promo")}`;
}

/** Whether at most `most` affiliates have an email, name or code that begins with a text. */
export async function hasFewTextMatches(
  sql: Connection,
  organizationId: string,
  { prefix, most }: { prefix: string; most: number },
): Promise<boolean> {
  const lower = lowerCase(prefix);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      ${textMatches(sql, organizationId, { lower, most: most + 1 })} limit ${most + 1}) as matches`;
  return row.count <= most;
}

/** Returns the balances of some affiliates in each currency. Only `held_minor` sums commissions. */
export async function listBalancesOf(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, now }: { affiliate_ids: readonly string[]; now: Date },
): Promise<AffiliateBalanceRow[]> {
  return await sql<AffiliateBalanceRow[]>`
    select balance.affiliate_id, balance.currency, balance.earned_minor, balance.unpaid_minor, held.held_minor
    from balances balance
    cross join lateral (
      select coalesce(sum(commission_minor), 0)::bigint as held_minor from unpaid_commissions
      where organization_id = ${organizationId} and affiliate_id = balance.affiliate_id
        and currency = balance.currency and due_at > ${now}
    ) as held
    where balance.organization_id = ${organizationId} and balance.affiliate_id = any (${[...affiliate_ids]}::uuid[])
    order by balance.affiliate_id, balance.currency`;
}
