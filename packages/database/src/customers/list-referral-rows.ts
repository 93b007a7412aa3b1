import type { RowRange } from "../commissions/list-rows.ts";
import type { LedgerEntryRow } from "../ledger/entries.ts";
import type { Connection } from "../postgres/connect.ts";
import { lowerCase } from "../postgres/lower-case.ts";
import { statement } from "../postgres/statement.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";
import type { ReferralRow } from "../rows.ts";

/** A referral with the names and sums that the dashboard's list shows. */
export interface ReferralListRow {
  id: string;
  email: string;
  processor_customer_id: string | null;
  subscription_status: ReferralRow["subscription_status"];
  signup_date: Date;
  converted_at: Date | null;
  created_at: Date;
  replaced_at: Date | null;
  email_is_manual: boolean;
  customer_id_is_manual: boolean;
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
  commissions: number;
  sums: { currency: string; revenue_minor: string; commission_minor: string }[];
}

export interface ReferralRowFilter {
  affiliate_id?: string | undefined;
  statuses?: readonly string[] | undefined;
  prefix?: string | undefined;
}

/**
 * Where a page's rows come from: all referrals, the next `most` ones with the filter's statuses, or the next `most` with a text
 * that begins with its prefix, from the index of each.
 */
export type ReferralSource = { kind: "all" } | { kind: "newest" | "text"; most: number };

type Fragment = ReturnType<Connection["unsafe"]>;

interface PageQuery {
  filter: ReferralRowFilter;
  source: ReferralSource;
  range: RowRange;
  /** Of each referral, at most so many commissions are summed up. */
  most_commissions: number;
}

/** Returns a page of referrals with their affiliates and sums, newest first; with `before`, oldest first. */
export async function listReferralRows(
  sql: Connection,
  organizationId: string,
  { filter, source, range, most_commissions }: PageQuery,
): Promise<ReferralListRow[]> {
  const order = range.before === null ? sql`desc` : sql`asc`;
  // Without `offset 0`, a plan before the first `analyze` reads all referrals for each candidate.
  const page = sql`
    select referral.* from (${candidates(sql, organizationId, { filter, source, range })}) as candidate
    cross join lateral (
      select * from referrals where organization_id = ${organizationId} and id = candidate.id offset 0
    ) as referral
    where true ${conditions(sql, filter)}
    order by candidate.id ${order} limit ${constant(sql, range.limit)}`;
  return await sql<ReferralListRow[]>`
    ${rowsOf(sql, organizationId, { page, most_commissions })} order by referral.id ${order}`;
}

/** Counts the referrals of a list, up to `most`. */
export async function countReferralRows(
  sql: Connection,
  organizationId: string,
  { filter, most }: { filter: ReferralRowFilter; most: number },
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from (${candidates(sql, organizationId, { filter, source: { kind: "all" }, range })}) as referral`;
  return row.count;
}

/** Returns the last one of a source's `most` referrals; null: it has fewer. */
export async function findLastCandidate(
  sql: Connection,
  organizationId: string,
  { filter, source, range }: Omit<PageQuery, "most_commissions">,
): Promise<string | null> {
  if (source.kind === "all") return null;
  const order = range.before === null ? sql`desc` : sql`asc`;
  const [row] = await sql<{ id: string }[]>`
    select id from (${candidates(sql, organizationId, { filter, source, range })}) as candidate
    order by id ${order} offset ${source.most - 1} limit 1`;
  return row?.id ?? null;
}

/** Returns one referral in the same form, replaced or not. */
export async function findReferralRow(
  sql: Connection,
  organizationId: string,
  { id, most_commissions }: { id: string; most_commissions: number },
): Promise<ReferralListRow | null> {
  const page = sql`select * from referrals where organization_id = ${organizationId} and id = ${id}`;
  const [row] = await sql<ReferralListRow[]>`${rowsOf(sql, organizationId, { page, most_commissions })}`;
  return row ?? null;
}

function rowsOf(
  sql: Connection,
  organizationId: string,
  { page, most_commissions }: { page: Fragment; most_commissions: number },
): Fragment {
  return sql`
    select referral.id, referral.email, referral.processor_customer_id, referral.subscription_status,
      referral.signup_date, referral.converted_at, referral.created_at, referral.replaced_at, referral.email_is_manual,
      referral.customer_id_is_manual, affiliate.id as affiliate_id, affiliate.email as affiliate_email,
      affiliate.first_name, affiliate.last_name, summed.commissions, summed.sums
    from (${page}) as referral
    join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = referral.affiliate_id
    cross join lateral (
      select coalesce(sum(count), 0)::int as commissions,
        coalesce(json_agg(json_build_object('currency', currency, 'revenue_minor', revenue::text,
          'commission_minor', commission::text) order by currency), '[]') as sums
      from (
        select currency, count(*) as count, sum(revenue_minor) as revenue, sum(commission_minor) as commission
        from (
          select currency, revenue_minor, commission_minor from commissions
          where organization_id = ${organizationId} and referral_id = referral.id and not voided
          limit ${most_commissions}) as first
        group by currency) as by_currency
    ) as summed`;
}

/** A number in the text of a statement: a plan for any limit expects a tenth of all referrals, and reads them all. */
function constant(sql: Connection, number: number): Fragment {
  return sql.unsafe(String(Math.trunc(number)));
}

function candidates(
  sql: Connection,
  organizationId: string,
  { filter, source, range: { after, before, limit } }: Pick<PageQuery, "filter" | "source" | "range">,
): Fragment {
  const way = before === null ? sql`desc` : sql`asc`;
  const nearest = (most: number) => sql`
    ${after === null ? sql`` : sql`and id < ${after}`} ${before === null ? sql`` : sql`and id > ${before}`}
    order by id ${way} limit ${constant(sql, most)}`;
  if (source.kind === "text") {
    const { most } = source;
    // Without `offset 0`, Postgres would walk the ids and check the text of each.
    const matching = (text: Fragment, prefix: string) => {
      const { from, until } = prefixBounds(prefix);
      return sql`(select id from (
        select id from referrals
        where organization_id = ${organizationId} and replaced_at is null
          and ${text} >= ${from} and ${text} < ${until} and starts_with(${text}, ${from})
        offset 0) as matching where true ${nearest(most)})`;
    };
    const prefix = filter.prefix ?? "";
    return sql`
      select id from (
        ${matching(sql`lower(email)`, lowerCase(prefix))} union all ${matching(sql`processor_customer_id`, prefix)}
      ) as matching
      group by id order by id ${way} limit ${constant(sql, most)}`;
  }
  const current = sql`
    select referral.id from referrals referral where organization_id = ${organizationId} and replaced_at is null`;
  if (source.kind === "all") return sql`${current} ${conditions(sql, filter)} ${nearest(limit)}`;
  const { most } = source;
  if (filter.statuses === undefined) return sql`${current} ${nearest(most)}`;
  // The index sorts only within a status.
  return sql`
    select of.id from unnest(${[...filter.statuses]}::text[]) as asked (status)
    cross join lateral (${current} and referral.subscription_status = asked.status ${nearest(most)}) as of
    order by of.id ${way} limit ${constant(sql, most)}`;
}

function conditions(sql: Connection, { affiliate_id, statuses, prefix }: ReferralRowFilter): Fragment[] {
  return [
    affiliate_id === undefined ? sql`` : sql`and referral.affiliate_id = ${affiliate_id}`,
    statuses === undefined ? sql`` : sql`and referral.subscription_status = any (${[...statuses]}::text[])`,
    prefix === undefined
      ? sql``
      : sql`and (starts_with(lower(referral.email), ${lowerCase(prefix)})
          or starts_with(referral.processor_customer_id, ${prefix}))`,
  ];
}

const ENTRIES = statement<LedgerEntryRow, "organization_id" | "commission_ids" | "limit">(`
  select number, kind, affiliate_id, commission_id, payout_id, currency, unpaid_minor, in_payout_minor, paid_minor, cause,
    created_at
  from ledger_entries
  where organization_id = :organization_id::uuid and commission_id = any (:commission_ids::uuid[])
  order by number desc limit :limit::int`);

/** Returns the last ledger entries of some commissions, newest first. */
export async function listEntriesOfCommissions(
  sql: Connection,
  organizationId: string,
  { commission_ids, limit }: { commission_ids: readonly string[]; limit: number },
): Promise<LedgerEntryRow[]> {
  return await ENTRIES.run(sql, { organization_id: organizationId, commission_ids, limit });
}

const RECEIVED = statement<{ processor: string; id: string; received_at: Date }, "organization_id" | "ids">(`
  select processor, id, received_at from processor_messages
  where organization_id = :organization_id::uuid and processor in ('stripe', 'generic') and id = any (:ids::text[])`);

/** Returns when messages arrived, of those that are still stored. */
export async function listReceiptTimes(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<{ processor: string; id: string; received_at: Date }[]> {
  return await RECEIVED.run(sql, { organization_id: organizationId, ids });
}
