import type { Connection } from "../postgres/connect.ts";
import { tierCondition } from "./of-tier.ts";
import { tagCondition } from "./tags.ts";

/** A text of a search field in lower case, and the affiliates with it; null: they may be many. */
export interface AffiliateText {
  lower: string;
  affiliate_ids: readonly string[] | null;
}

/** The affiliates that the dashboard's list shows. */
export interface AffiliateRowFilter {
  state?: "waiting" | "active" | "declined" | "banned" | "left" | undefined;
  agreement?: "agreed" | "open" | "disowned" | undefined;
  campaign_id?: string | undefined;
  tag?: string | undefined;
  tier_id?: string | undefined;
  from_id?: string | undefined;
  /** The first id after the filter's period. */
  until_id?: string | undefined;
  ids?: readonly string[] | undefined;
  /** A part of an email, a name, a code or a tag. */
  text?: AffiliateText | undefined;
  /** Whether they are owed something in a currency, or owe it. */
  owed_in?: string | undefined;
}

/** A figure that the list can be ordered by, the largest first. Affiliates without it are not listed then. */
export interface AffiliateOrder {
  figure: "earned" | "unpaid" | "clicks";
  /** The currency of the amounts. */
  currency: string;
}

/** A place in the list. The figure is null if the list is ordered by time. */
export interface AffiliatePosition {
  figure: bigint | null;
  id: string;
}

export interface AffiliateRange {
  after: AffiliatePosition | null;
  before: AffiliatePosition | null;
  limit: number;
}

export type Fragment = ReturnType<Connection["unsafe"]>;

/** The conditions on `affiliate`; those that `candidatesOf` has already applied cost little more. */
export function conditions(sql: Connection, organizationId: string, filter: AffiliateRowFilter): Fragment[] {
  const { state, agreement, campaign_id, tag, tier_id, from_id, until_id, ids, text, owed_in } = filter;
  return [
    state === undefined ? sql`` : stateCondition(sql, state),
    agreement === undefined ? sql`` : agreementCondition(sql, agreement),
    campaign_id === undefined ? sql`` : sql`and affiliate.campaign_id = ${campaign_id}`,
    tag === undefined ? sql`` : tagCondition(tag)(sql),
    tier_id === undefined ? sql`` : tierCondition(organizationId, tier_id)(sql),
    from_id === undefined ? sql`` : sql`and affiliate.id >= ${from_id}`,
    until_id === undefined ? sql`` : sql`and affiliate.id < ${until_id}`,
    ids === undefined ? sql`` : sql`and affiliate.id = any (${[...ids]}::uuid[])`,
    text === undefined ? sql`` : affiliateTextCondition(sql, organizationId, text)(sql`affiliate.id`),
    owed_in === undefined
      ? sql``
      : sql`and exists (
          select from balances where organization_id = ${organizationId} and affiliate_id = affiliate.id
            and currency = ${owed_in} and unpaid_minor <> 0)`,
  ];
}

function stateCondition(sql: Connection, state: NonNullable<AffiliateRowFilter["state"]>): Fragment {
  switch (state) {
    case "waiting":
      return sql`and not affiliate.approved and not affiliate.banned and affiliate.declined_at is null`;
    case "active":
      return sql`and affiliate.approved and not affiliate.banned`;
    case "declined":
      return sql`and affiliate.declined_at is not null`;
    case "banned":
      return sql`and affiliate.banned and affiliate.left_at is null`;
    case "left":
      return sql`and affiliate.left_at is not null`;
  }
}

function agreementCondition(
  sql: Connection,
  agreement: NonNullable<AffiliateRowFilter["agreement"]>,
): Fragment {
  switch (agreement) {
    case "agreed":
      return sql`and affiliate.agreed_at is not null`;
    case "open":
      return sql`and affiliate.agreed_at is null and affiliate.erased_at is null and affiliate.disowned_at is null`;
    case "disowned":
      return sql`and affiliate.agreed_at is null and affiliate.erased_at is null and affiliate.disowned_at is not null`;
  }
}

/** The condition that the affiliate with an id, a column, has a text. */
export function affiliateTextCondition(
  sql: Connection,
  organizationId: string,
  { lower, affiliate_ids }: AffiliateText,
): (id: Fragment) => Fragment {
  if (affiliate_ids !== null) return (id) => sql`and ${id} = any (${[...affiliate_ids]}::uuid[])`;
  // Without `offset 0`, Postgres would first read the texts of all affiliates.
  return (id) => sql`and exists (
    select from affiliate_texts
    where organization_id = ${organizationId} and affiliate_id = ${id} and strpos(texts, ${lower}) > 0
    offset 0)`;
}

/** The next `most` affiliates of a filter (`id`, `figure`), by time. */
export function byTime(
  sql: Connection,
  organizationId: string,
  { filter, range, most }: { filter: AffiliateRowFilter; range: AffiliateRange; most: number },
): Fragment {
  const { after, before } = range;
  return sql`
    select affiliate.id, null::bigint as figure from affiliates affiliate
    where affiliate.organization_id = ${organizationId} ${conditions(sql, organizationId, filter)}
      ${after === null ? sql`` : sql`and affiliate.id < ${after.id}`}
      ${before === null ? sql`` : sql`and affiliate.id > ${before.id}`}
    order by affiliate.id ${before === null ? sql`desc` : sql`asc`} limit ${most}`;
}

/** Each with an index of its expression, of the rows in which it is present. */
const FIGURES = {
  earned: { table: "balances", column: "earned_minor - lost_minor", present: "earned_minor > lost_minor" },
  unpaid: { table: "balances", column: "unpaid_minor", present: "unpaid_minor <> 0" },
  clicks: { table: "affiliate_clicks", column: "clicks", present: "clicks > 0" },
} as const;

/** The generation of the totals that readers see. */
export function currentGeneration(sql: Connection, organizationId: string): Fragment {
  return sql`select generation from total_seals where organization_id = ${organizationId}`;
}

/** The next `most` rows (`id`, `figure`) of the index of a figure; null: all of them. */
export function byFigure(
  sql: Connection,
  organizationId: string,
  {
    order: { figure, currency },
    range,
    most,
  }: { order: AffiliateOrder; range: AffiliateRange; most: number | null },
): Fragment {
  const { table, column } = FIGURES[figure];
  const place = sql.unsafe(`((${column}), affiliate_id)`);
  const { after, before } = range;
  return sql`
    select affiliate_id as id, ${sql.unsafe(column)} as figure from ${sql.unsafe(table)}
    where organization_id = ${organizationId} ${figureConditions(sql, organizationId, { figure, currency })}
      ${after === null ? sql`` : sql`and ${place} < (${after.figure}::bigint, ${after.id}::uuid)`}
      ${before === null ? sql`` : sql`and ${place} > (${before.figure}::bigint, ${before.id}::uuid)`}
    order by organization_id, ${sql.unsafe(table === "balances" ? "currency" : "generation")}, ${sql.unsafe(`(${column}) ${wayOf(range)}, affiliate_id ${wayOf(range)}`)}
    ${most === null ? sql`` : sql`limit ${most}`}`;
}

/** The rows (`id`, `figure`) of some affiliates who have a figure. Without `offset 0`, Postgres might walk the index of all. */
export function someByFigure(
  sql: Connection,
  organizationId: string,
  { order, range, ids }: { order: AffiliateOrder; range: AffiliateRange; ids: readonly string[] },
): Fragment {
  const { table, column } = FIGURES[order.figure];
  const place = sql`(figure, id)`;
  const { after, before } = range;
  return sql`
    select id, figure from (
      select affiliate_id as id, ${sql.unsafe(column)} as figure from ${sql.unsafe(table)}
      where organization_id = ${organizationId} and affiliate_id = any (${[...ids]}::uuid[])
        ${figureConditions(sql, organizationId, order)}
      offset 0) as matching
    where true
      ${after === null ? sql`` : sql`and ${place} < (${after.figure}::bigint, ${after.id}::uuid)`}
      ${before === null ? sql`` : sql`and ${place} > (${before.figure}::bigint, ${before.id}::uuid)`}`;
}

function figureConditions(
  sql: Connection,
  organizationId: string,
  { figure, currency }: AffiliateOrder,
): Fragment {
  const { table, present } = FIGURES[figure];
  return sql`and ${sql.unsafe(present)}
      ${table === "balances" ? sql`and currency = ${currency}` : sql`and generation = (${currentGeneration(sql, organizationId)})`}`;
}

/** The next `searched` affiliates (`id`, `texts`) of a period, by time. */
function nextTexts(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: TextQuery,
): Fragment {
  const { from_id, until_id } = filter;
  const { after, before } = range;
  return sql`
    select affiliate_id as id, texts from affiliate_texts
    where organization_id = ${organizationId}
      ${after === null ? sql`` : sql`and affiliate_id < ${after.id}`}
      ${before === null ? sql`` : sql`and affiliate_id > ${before.id}`}
      ${from_id === undefined ? sql`` : sql`and affiliate_id >= ${from_id}`}
      ${until_id === undefined ? sql`` : sql`and affiliate_id < ${until_id}`}
    order by affiliate_id ${sql.unsafe(wayOf(range))} limit ${sql.unsafe(String(Math.trunc(searched)))}`;
}

interface TextQuery {
  filter: AffiliateRowFilter;
  range: AffiliateRange;
  /** The number of affiliates to search. */
  searched: number;
  /** The number of affiliates with the text to return, the nearest first. */
  most: number;
}

/** The next `most` affiliates (`id`, `figure`) with a frequent text among the next `searched` ones. */
export function byText(sql: Connection, organizationId: string, query: TextQuery): Fragment {
  const lower = query.filter.text?.lower ?? "";
  const way = sql.unsafe(wayOf(query.range));
  return sql`
    select id, null::bigint as figure from (${nextTexts(sql, organizationId, query)}) as next
    where strpos(texts, ${lower}) > 0 order by id ${way} limit ${query.most}`;
}

/** Returns where `byText` stopped: at the last of `most` affiliates, or of those that it searches; null: it read all. */
export async function findTextEnd(
  sql: Connection,
  organizationId: string,
  query: TextQuery,
): Promise<string | null> {
  const way = sql.unsafe(wayOf(query.range));
  const [row] = await sql<[{ found: string | null; searched: string | null }]>`
    select
      (select id from (${byText(sql, organizationId, query)}) as found
        order by id ${way} offset ${query.most - 1} limit 1) as found,
      (select id from (${nextTexts(sql, organizationId, query)}) as next
        order by id ${way} offset ${query.searched - 1} limit 1) as searched`;
  return row.found ?? row.searched;
}

/** The way of a page: down the list from the largest figures and newest ids, or up to a position. */
export function wayOf({ before }: AffiliateRange): "desc" | "asc" {
  return before === null ? "desc" : "asc";
}
