import { type ExportedField, exported_fields, type Profile } from "@findersfee/contract/affiliates/fields";
import type { Connection } from "../postgres/connect.ts";
import {
  type AffiliateOrder,
  type AffiliatePosition,
  type AffiliateRange,
  type AffiliateRowFilter,
  byFigure,
  byText,
  byTime,
  conditions,
  currentGeneration,
  type Fragment,
  findTextEnd,
  someByFigure,
  wayOf,
} from "./search.ts";

/** An affiliate with the names and counts that the dashboard's list shows. */
export interface AffiliateListRow extends Pick<Profile, ExportedField> {
  id: string;
  campaign_id: string;
  campaign_name: string;
  approved: boolean;
  banned: boolean;
  declined: boolean;
  left: boolean;
  agreed: boolean;
  disowned: boolean;
  erased: boolean;
  code: string | null;
  clicks: bigint;
  /** The day of the last click in the sealed totals, as `2026-11-21`. */
  last_click_day: string | null;
  /** The figure that orders the list; null if it is ordered by time. */
  figure: bigint | null;
  referrals: number;
  converted: number;
  tags: string[];
  created_at: Date;
}

export interface AffiliateBalanceRow {
  affiliate_id: string;
  currency: string;
  /** Less the amounts that refunds, disputes, corrections and voids took back. */
  net_minor: bigint;
  unpaid_minor: bigint;
  held_minor: bigint;
}

/** Where the rows of a page come from. Each source is in the order of the list. */
export type AffiliateSource =
  /** All affiliates, or those of an index for the filter's state or campaign. */
  | { kind: "all" }
  /** The few affiliates of the filter's text, by time, or by a figure that they have. */
  | { kind: "rare_text"; ids: readonly string[]; order: AffiliateOrder | null }
  /** The next `most` affiliates in the filter's state. Each state has an index. */
  | { kind: "newest"; most: number }
  /** The next `most` affiliates with the filter's text among the next `searched` ones. */
  | { kind: "text"; most: number; searched: number }
  /** The next `most` affiliates with a figure; null: all of them. */
  | { kind: "figure"; most: number | null; order: AffiliateOrder };

/** A source that is read up to a limit, even if no row matches. */
export type LimitedSource = Extract<AffiliateSource, { most: unknown }> & { most: number };

export interface AffiliatePageQuery {
  filter: AffiliateRowFilter;
  source: AffiliateSource;
  range: AffiliateRange;
  /** The most referrals to count for each affiliate. */
  most_referrals: number;
}

/**
 * Returns a page of affiliates with their campaigns and codes, in the order of their source; with `before`,
 * in the other order. A source with `most` is read up to that number of rows, even if none matches: see
 * `findLastCandidate`.
 */
export async function listAffiliateRows(
  sql: Connection,
  organizationId: string,
  { filter, source, range, most_referrals }: AffiliatePageQuery,
): Promise<AffiliateListRow[]> {
  const way = sql.unsafe(wayOf(range));
  // Without `offset 0`, a plan before the first `analyze` reads all affiliates for each candidate.
  return await sql<AffiliateListRow[]>`
    with page as (
      select affiliate.*, candidate.figure
      from (${candidates(sql, organizationId, { filter, source, range })}) as candidate
      cross join lateral (
        select * from affiliates where organization_id = ${organizationId} and id = candidate.id offset 0
      ) as affiliate
      where true ${conditions(sql, organizationId, filter)}
      order by candidate.figure ${way}, candidate.id ${way} limit ${range.limit}
    )
    ${rowsOf(sql, organizationId, { page: sql`page`, range, most_referrals })}`;
}

/** The ids and figures of a source's next affiliates. */
function candidates(
  sql: Connection,
  organizationId: string,
  { filter, source, range }: Pick<AffiliatePageQuery, "filter" | "source" | "range">,
): Fragment {
  switch (source.kind) {
    case "figure":
      return byFigure(sql, organizationId, { order: source.order, range, most: source.most });
    case "rare_text":
      return source.order === null
        ? someByTime(sql, { ids: source.ids, range })
        : someByFigure(sql, organizationId, { order: source.order, range, ids: source.ids });
    case "text":
      return byText(sql, organizationId, { filter, range, ...source });
    case "newest":
      return byTime(sql, organizationId, { filter: stateOnly(filter), range, most: source.most });
    case "all":
      return byTime(sql, organizationId, { filter, range, most: range.limit });
  }
}

function someByTime(
  sql: Connection,
  { ids, range: { after, before } }: { ids: readonly string[]; range: AffiliateRange },
): Fragment {
  return sql`
    select id, null::bigint as figure from unnest(${[...ids]}::uuid[]) as of (id)
    where true
      ${after === null ? sql`` : sql`and id < ${after.id}`} ${before === null ? sql`` : sql`and id > ${before.id}`}`;
}

function stateOnly({ state }: AffiliateRowFilter): AffiliateRowFilter {
  return { state };
}

/**
 * The last affiliate of a source that is read up to `most`; null if it has fewer. A page with less than its limit of rows
 * continues there.
 */
export async function findLastCandidate(
  sql: Connection,
  organizationId: string,
  query: { filter: AffiliateRowFilter; source: LimitedSource; range: AffiliateRange },
): Promise<AffiliatePosition | null> {
  const { filter, source, range } = query;
  if (source.kind === "text") {
    const id = await findTextEnd(sql, organizationId, { filter, range, ...source });
    return id === null ? null : { figure: null, id };
  }
  const [row] = await sql<AffiliatePosition[]>`
    select figure, id from (${candidates(sql, organizationId, query)}) as candidate offset ${source.most - 1}`;
  return row ?? null;
}

const EXPORTED = exported_fields.map((name) => `affiliate.${name}`).join(", ");

function rowsOf(
  sql: Connection,
  organizationId: string,
  { page, range, most_referrals }: { page: Fragment; range: AffiliateRange; most_referrals: number },
): Fragment {
  const way = sql.unsafe(wayOf(range));
  return sql`
    select affiliate.id, ${sql.unsafe(EXPORTED)}, affiliate.campaign_id,
      campaign.name as campaign_name, affiliate.approved, affiliate.banned,
      affiliate.declined_at is not null as declined, affiliate.left_at is not null as left,
      affiliate.agreed_at is not null as agreed, affiliate.disowned_at is not null as disowned,
      affiliate.erased_at is not null as erased, shared.code, affiliate.clicks,
      clicked.last_click_day, affiliate.figure, counted.referrals, counted.converted, affiliate.tags, affiliate.created_at
    from ${page} as affiliate
    join campaigns campaign
      on campaign.organization_id = ${organizationId} and campaign.id = affiliate.campaign_id
    left join lateral (
      select code from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = affiliate.id and replaced_at is null
      order by kind, id limit 1
    ) as shared on true
    left join lateral (
      select last_day::text as last_click_day from affiliate_clicks
      where organization_id = ${organizationId} and affiliate_id = affiliate.id
        and generation = (${currentGeneration(sql, organizationId)})
    ) as clicked on true
    cross join lateral (
      select count(*)::int as referrals, count(converted_at)::int as converted from (
        select converted_at from referrals
        where organization_id = ${organizationId} and affiliate_id = affiliate.id and replaced_at is null
        limit ${most_referrals}) as first
    ) as counted
    order by affiliate.figure ${way}, affiliate.id ${way}`;
}

/** All pages of a list. */
interface MatchQuery {
  filter: AffiliateRowFilter;
  /** Null: by time. */
  order: AffiliateOrder | null;
  most: number | null;
}

/** Counts the affiliates of a list, up to `most`: reads each of them, or the index of the filter. */
export async function countAffiliateRows(
  sql: Connection,
  organizationId: string,
  query: MatchQuery,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${matching(sql, organizationId, query)}) as affiliate`;
  return row.count;
}

export type AffiliateStateRow = Pick<AffiliateListRow, "id" | "approved" | "banned" | "declined" | "left">;

/** Returns the states of the affiliates of a list, up to `most`, in its order. */
export async function listMatchingAffiliates(
  sql: Connection,
  organizationId: string,
  query: MatchQuery,
): Promise<AffiliateStateRow[]> {
  return await sql<AffiliateStateRow[]>`
    select affiliate.id, affiliate.approved, affiliate.banned, affiliate.declined_at is not null as declined,
      affiliate.left_at is not null as left
    from (${matching(sql, organizationId, query)}) as candidate
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = candidate.id
    order by candidate.figure desc, candidate.id desc`;
}

const FIRST_PAGE = { after: null, before: null };

function matching(sql: Connection, organizationId: string, { filter, order, most }: MatchQuery): Fragment {
  const limit = most === null ? sql`` : sql.unsafe(`limit ${Math.trunc(most)}`);
  const having = conditions(sql, organizationId, filter);
  if (order === null) {
    return sql`
      select affiliate.id, null::bigint as figure from affiliates affiliate
      where affiliate.organization_id = ${organizationId} ${having}
      order by affiliate.id desc ${limit}`;
  }
  const range = { ...FIRST_PAGE, limit: 0 };
  const ids = filter.text?.affiliate_ids ?? null;
  const having_figure =
    ids === null
      ? byFigure(sql, organizationId, { order, range, most: null })
      : someByFigure(sql, organizationId, { order, range, ids });
  return sql`
    select affiliate.id, candidate.figure
    from (${having_figure}) as candidate
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = candidate.id
    where true ${having}
    order by candidate.figure desc, candidate.id desc ${limit}`;
}

/** Returns the balances of some affiliates in each currency. Only `held_minor` sums commissions. */
export async function listBalancesOf(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, now }: { affiliate_ids: readonly string[]; now: Date },
): Promise<AffiliateBalanceRow[]> {
  return await sql<AffiliateBalanceRow[]>`
    select balance.affiliate_id, balance.currency, balance.earned_minor - balance.lost_minor as net_minor,
      balance.unpaid_minor, held.held_minor
    from balances balance
    cross join lateral (
      select coalesce(sum(commission_minor), 0)::bigint as held_minor from unpaid_commissions
      where organization_id = ${organizationId} and affiliate_id = balance.affiliate_id
        and currency = balance.currency and due_at > ${now}
    ) as held
    where balance.organization_id = ${organizationId} and balance.affiliate_id = any (${[...affiliate_ids]}::uuid[])
    order by balance.affiliate_id, balance.currency`;
}
