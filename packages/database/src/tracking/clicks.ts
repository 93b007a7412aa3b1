import type { Connection } from "../postgres/connect.ts";
import { arrayText, plainArrayText, type Statement, statement } from "../postgres/statement.ts";

export interface ClickRow {
  organization_id: string;
  /** A UUIDv7 of `clicked_at`. */
  id: string;
  affiliate_id: string;
  /** The link's code, in the affiliate's spelling. */
  code: string;
  /** Hex. */
  visitor_hash: string;
  /** Hex; null: no campaign asked for it. */
  network_hash: string | null;
  landing_url: string | null;
  referrer: string | null;
  /** The affiliate's own name for the place of the link. */
  sub_id: string | null;
  /** The visitor's, as the operator's proxy reports it: ISO 3166, two letters. */
  country: string | null;
  clicked_at: Date;
}

type Columns = Record<
  | "organization_ids"
  | "ids"
  | "affiliate_ids"
  | "codes"
  | "visitor_hashes"
  | "network_hashes"
  | "landing_urls"
  | "referrers"
  | "sub_ids"
  | "countries"
  | "clicked_ats",
  string
>;

/** SQL: the hour that a click is counted in. */
const HOUR = "date_trunc('hour', click.clicked_at, 'UTC')";
const LINK_VISITOR = "hashtextextended(click.affiliate_id || click.visitor_hash || click.code, 0)";

/**
 * Records clicks of any organizations and increments the affiliates' counters in one statement: one round trip and one
 * commit for all of them. The rows are locked in the order of their keys, so that two such statements never
 * deadlock. A visitor counts once for each link and hour (UTC); the lock on the affiliate keeps two
 * statements from counting the same visitor. A counted click with a sub-id counts for that, too; the same lock keeps two
 * statements from waiting for each other there.
 *
 * Affiliates are looked up one by one (offset): a join could read all affiliates of an organization.
 */
function insertStatement(waiting: "" | "skip locked"): Statement<{ id: string }, keyof Columns> {
  return statement(`
    with click as (
      select * from unnest(:organization_ids::text::uuid[], :ids::text::uuid[], :affiliate_ids::text::uuid[],
        :codes::text::text[], :visitor_hashes::text::text[], :network_hashes::text::text[], :landing_urls::text::text[],
        :referrers::text::text[], :sub_ids::text::text[], :countries::text::text[], :clicked_ats::text::timestamptz[])
        as click (organization_id, id, affiliate_id, code, visitor_hash, network_hash, landing_url, referrer, sub_id, country,
          clicked_at)
    ),
    clicked as materialized (
      select distinct organization_id, affiliate_id from click order by organization_id, affiliate_id
    ),
    free as (
      select affiliate.organization_id, affiliate.id
      from clicked
      cross join lateral (
        select affiliate.organization_id, affiliate.id from affiliates affiliate
        where affiliate.organization_id = clicked.organization_id and affiliate.id = clicked.affiliate_id
          and affiliate.approved and not affiliate.banned
        for no key update ${waiting}
      ) as affiliate
    ),
    first as (
      insert into counted_clicks (hour, link_visitor, organization_id, affiliate_id)
      select ${HOUR}, ${LINK_VISITOR}, click.organization_id, click.affiliate_id
      from click
      join free on free.organization_id = click.organization_id and free.id = click.affiliate_id
      on conflict do nothing
      returning hour, link_visitor, organization_id, affiliate_id
    ),
    counted as (
      select organization_id, affiliate_id, count(*) as clicks from first group by organization_id, affiliate_id
    ),
    counted_sub_ids as (
      insert into sub_id_clicks as known (day, organization_id, affiliate_id, sub_id, clicks)
      select (hour at time zone 'UTC')::date, organization_id, affiliate_id, sub_id, count(*)
      from (
        select distinct on (first.hour, first.link_visitor) first.hour, click.organization_id, click.affiliate_id, click.sub_id
        from click
        join first on first.link_visitor = ${LINK_VISITOR} and first.hour = ${HOUR}
        where click.sub_id is not null
        order by first.hour, first.link_visitor, click.id
      ) as counted_click
      group by 1, 2, 3, 4
      on conflict (day, organization_id, affiliate_id, sub_id) do update set clicks = known.clicks + excluded.clicks
    ),
    raised as (
      update affiliates affiliate set clicks = affiliate.clicks + counted.clicks
      from counted
      where affiliate.organization_id = counted.organization_id and affiliate.id = counted.affiliate_id
    )
    insert into clicks
      (organization_id, id, affiliate_id, code, visitor_hash, network_hash, landing_url, referrer, sub_id, country, clicked_at)
    select click.organization_id, click.id, click.affiliate_id, click.code, decode(click.visitor_hash, 'hex'),
      decode(click.network_hash, 'hex'), click.landing_url, click.referrer, click.sub_id, click.country, click.clicked_at
    from click
    join free on free.organization_id = click.organization_id and free.id = click.affiliate_id
    returning id`);
}

const INSERT_FREE = insertStatement("skip locked");
const INSERT = insertStatement("");

/**
 * Records clicks and counts them, except clicks of affiliates that another transaction has locked or that may not
 * refer. Returns the ids of the recorded clicks.
 */
export async function insertClicksWithoutWaiting(sql: Connection, clicks: ClickRow[]): Promise<Set<string>> {
  const rows = await INSERT_FREE.run(sql, columnsOf(clicks));
  return new Set(rows.map(({ id }) => id));
}

/** Same, but waits for locked rows: omits only clicks of affiliates that may not refer. */
export async function insertClicks(sql: Connection, clicks: ClickRow[]): Promise<Set<string>> {
  const rows = await INSERT.run(sql, columnsOf(clicks));
  return new Set(rows.map(({ id }) => id));
}

function columnsOf(clicks: ClickRow[]): Columns {
  return {
    organization_ids: plainArrayText(clicks.map(({ organization_id }) => organization_id)),
    ids: plainArrayText(clicks.map(({ id }) => id)),
    affiliate_ids: plainArrayText(clicks.map(({ affiliate_id }) => affiliate_id)),
    codes: arrayText(clicks.map(({ code }) => code)),
    visitor_hashes: plainArrayText(clicks.map(({ visitor_hash }) => visitor_hash)),
    network_hashes: arrayText(clicks.map(({ network_hash }) => network_hash)),
    landing_urls: arrayText(clicks.map(({ landing_url }) => landing_url)),
    referrers: arrayText(clicks.map(({ referrer }) => referrer)),
    sub_ids: arrayText(clicks.map(({ sub_id }) => sub_id)),
    countries: arrayText(clicks.map(({ country }) => country)),
    clicked_ats: plainArrayText(clicks.map(({ clicked_at }) => clicked_at.toISOString())),
  };
}

/** Returns a click by its id and its time, which together identify one row of one partition. */
export async function findClick(
  sql: Connection,
  organizationId: string,
  { id, clicked_at }: Pick<ClickRow, "id" | "clicked_at">,
): Promise<ClickRow | null> {
  const [row] = await sql<ClickRow[]>`
    select organization_id, id, affiliate_id, code, encode(visitor_hash, 'hex') as visitor_hash,
      encode(network_hash, 'hex') as network_hash, landing_url, referrer, sub_id, country, clicked_at
    from clicks where organization_id = ${organizationId} and id = ${id} and clicked_at = ${clicked_at}`;
  return row ?? null;
}

const FIND_ALL = statement<ClickRow, "organization_id" | "ids" | "times">(`
  select click.organization_id, click.id, click.affiliate_id, click.code, encode(click.visitor_hash, 'hex') as visitor_hash,
    encode(click.network_hash, 'hex') as network_hash, click.landing_url, click.referrer, click.sub_id, click.country, click.clicked_at
  from unnest(:ids::uuid[], :times::text::timestamptz[]) as asked (id, clicked_at)
  cross join lateral (
    select * from clicks
    where organization_id = :organization_id::uuid and id = asked.id and clicked_at = asked.clicked_at
    limit 1) as click`);

/** Same as `findClick`, for many clicks. */
export async function findClicks(
  sql: Connection,
  organizationId: string,
  clicks: readonly Pick<ClickRow, "id" | "clicked_at">[],
): Promise<ClickRow[]> {
  return await FIND_ALL.run(sql, {
    organization_id: organizationId,
    ids: clicks.map(({ id }) => id),
    times: arrayText(clicks.map(({ clicked_at }) => clicked_at)),
  });
}

/** Deletes at most `limit` counted visitors of hours before a moment; returns the number of deleted rows. */
export async function deleteCountedClicks(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await sql`
    delete from counted_clicks where (hour, link_visitor) in (
      select hour, link_visitor from counted_clicks
      where hour < ${before} order by hour limit ${limit})`;
  return rows.count;
}
