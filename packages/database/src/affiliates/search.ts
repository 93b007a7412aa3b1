import { searched_fields } from "@findersfee/contract/affiliates/fields";
import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";

/** The affiliates that the dashboard's list shows. */
export interface AffiliateRowFilter {
  state?: "waiting" | "active" | "declined" | "banned" | "left" | undefined;
  agreement?: "agreed" | "open" | "disowned" | undefined;
  campaign_id?: string | undefined;
  from_id?: string | undefined;
  ids?: readonly string[] | undefined;
  /** The beginning of an email, a name or a code. */
  prefix?: string | undefined;
  /** Whether they are owed something in a currency, or owe it. */
  owed_in?: string | undefined;
}

/** A figure that the list can be ordered by, the largest first. Affiliates without it are not listed then. */
export interface AffiliateOrder {
  figure: "earned" | "unpaid" | "clicks";
  /** Of the amounts. */
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
  const { state, agreement, campaign_id, from_id, ids, prefix, owed_in } = filter;
  return [
    state === undefined ? sql`` : stateCondition(sql, state),
    agreement === undefined ? sql`` : agreementCondition(sql, agreement),
    campaign_id === undefined ? sql`` : sql`and affiliate.campaign_id = ${campaign_id}`,
    from_id === undefined ? sql`` : sql`and affiliate.id >= ${from_id}`,
    ids === undefined ? sql`` : sql`and affiliate.id = any (${[...ids]}::uuid[])`,
    prefix === undefined ? sql`` : textCondition(sql, organizationId, prefix),
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

/** The texts that a search compares, of an affiliate by its alias. Each has an index. */
const SEARCHED = [
  ...searched_fields.map((name) => (alias: string) => `lower(${alias}.${name})`),
  (alias: string) => `lower(${alias}.first_name || ' ' || ${alias}.last_name)`,
];

function textCondition(sql: Connection, organizationId: string, prefix: string): Fragment {
  const lower = lowerCase(prefix);
  const texts = SEARCHED.map((text) => sql`starts_with(${sql.unsafe(text("affiliate"))}, ${lower}) or`);
  return sql`and (${texts}
    exists (
      select from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = affiliate.id
        and starts_with(lower(code), ${lower})))`;
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
  const { table, column, present } = FIGURES[figure];
  const place = sql.unsafe(`((${column}), affiliate_id)`);
  const { after, before } = range;
  return sql`
    select affiliate_id as id, ${sql.unsafe(column)} as figure from ${sql.unsafe(table)}
    where organization_id = ${organizationId} and ${sql.unsafe(present)}
      ${table === "balances" ? sql`and currency = ${currency}` : sql`and generation = (${currentGeneration(sql, organizationId)})`}
      ${after === null ? sql`` : sql`and ${place} < (${after.figure}::bigint, ${after.id}::uuid)`}
      ${before === null ? sql`` : sql`and ${place} > (${before.figure}::bigint, ${before.id}::uuid)`}
    order by organization_id, ${sql.unsafe(table === "balances" ? "currency" : "generation")}, ${sql.unsafe(`(${column}) ${wayOf(range)}, affiliate_id ${wayOf(range)}`)}
    ${most === null ? sql`` : sql`limit ${most}`}`;
}

/** The next `most` affiliates (`id`, `figure`) with a text that begins with the prefix: the nearest of each index. */
export function byText(
  sql: Connection,
  organizationId: string,
  {
    prefix,
    from_id,
    range,
    most,
  }: { prefix: string; from_id: string | undefined; range: AffiliateRange; most: number },
): Fragment {
  const { after, before } = range;
  const nearest = sql`order by id ${before === null ? sql`desc` : sql`asc`} limit ${most}`;
  // Without `offset 0`, Postgres would walk the ids and check the text of each.
  const within = (matching: Fragment) => sql`
    select id from (${matching} offset 0) as matching
    where true
      ${after === null ? sql`` : sql`and id < ${after.id}`} ${before === null ? sql`` : sql`and id > ${before.id}`}
      ${from_id === undefined ? sql`` : sql`and id >= ${from_id}`}
    ${nearest}`;
  return sql`
    select id, null::bigint as figure from (${textMatches(sql, organizationId, { prefix, within })}) as matching
    group by id ${nearest}`;
}

/** The way of a page: down the list from the largest figures and newest ids, or up to a position. */
export function wayOf({ before }: AffiliateRange): "desc" | "asc" {
  return before === null ? "desc" : "asc";
}

/** The affiliates with an email, name or code that begins with a text, from the index of each. */
function textMatches(
  sql: Connection,
  organizationId: string,
  { prefix, within }: { prefix: string; within: (matching: Fragment) => Fragment },
): Fragment {
  const { from, until } = prefixBounds(lowerCase(prefix));
  const begins = (text: Fragment) =>
    sql`${text} >= ${from} and ${text} < ${until} and starts_with(${text}, ${from})`;
  const affiliates = (text: Fragment) =>
    sql`(${within(sql`
    select id from affiliates affiliate where organization_id = ${organizationId} and ${begins(text)}`)})`;
  const codes = (kind: "link" | "promo") =>
    sql`(${within(sql`
    select affiliate_id as id from affiliate_codes
    where organization_id = ${organizationId} and kind = ${kind} and ${begins(sql`lower(code)`)}`)})`;
  const texts = SEARCHED.map((text) => sql`${affiliates(sql.unsafe(text("affiliate")))} union all`);
  return sql`${texts} ${codes("link")} union all ${codes("promo")}`;
}

/** Whether at most `most` affiliates have an email, name or code that begins with a text. */
export async function hasFewTextMatches(
  sql: Connection,
  organizationId: string,
  { prefix, most }: { prefix: string; most: number },
): Promise<boolean> {
  const within = (matching: Fragment) => sql`${matching} limit ${most + 1}`;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      ${textMatches(sql, organizationId, { prefix, within })} limit ${most + 1}) as matches`;
  return row.count <= most;
}

/** Returns the affiliates with an email, name or code that begins with a text; null: there are more than `most`. */
export async function findTextAffiliates(
  sql: Connection,
  organizationId: string,
  { prefix, most }: { prefix: string; most: number },
): Promise<string[] | null> {
  const within = (matching: Fragment) => sql`${matching} limit ${most + 1}`;
  const rows = await sql<{ id: string }[]>`
    select distinct id from (${textMatches(sql, organizationId, { prefix, within })}) as matching`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** A text of the search field of a list of other rows. `few`: its affiliates are read first, because an index finds them. */
export interface TextFilter {
  prefix: string;
  few: boolean;
}

/** For lists of other rows: the condition that the affiliate with an id, a column, has such an email, name or code. */
export function affiliateTextCondition(
  sql: Connection,
  organizationId: string,
  { prefix, few }: TextFilter,
): (id: Fragment) => Fragment {
  if (few) {
    const within = (matching: Fragment) => matching;
    return (id) => sql`and ${id} = any (array(${textMatches(sql, organizationId, { prefix, within })}))`;
  }
  return (id) => sql`and exists (
    select from affiliates affiliate
    where affiliate.organization_id = ${organizationId} and affiliate.id = ${id}
      ${textCondition(sql, organizationId, prefix)})`;
}
