import { type AffiliateText, affiliateTextCondition } from "../affiliates/search.ts";
import type { LedgerEntryRow } from "../ledger/entries.ts";
import type { Connection } from "../postgres/connect.ts";
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
  /** Whether a person has stopped the customer's commissions. */
  is_stopped: boolean;
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
  signed_up_from?: Date | undefined;
  signed_up_until?: Date | undefined;
  text?: ReferralText | undefined;
}

/** A text of the search field, and who has it. */
export interface ReferralText extends AffiliateText {
  /** As typed. */
  prefix: string;
  /** With it in their emails, at the beginning of their customer ids, or in their ids; null: they may be many. */
  referral_ids: readonly string[] | null;
}

type RareText = ReferralText & Record<"referral_ids" | "affiliate_ids", readonly string[]>;

/** Whether few people have the text, so that their referrals are read, and sorted. */
export function isRare(text: ReferralText): text is RareText {
  return text.referral_ids !== null && text.affiliate_ids !== null;
}

/** The position of a row: the list is in the order of the sign-ups. */
export interface SignUpPosition {
  signup_date: Date;
  id: string;
}

export interface SignUpRange {
  after: SignUpPosition | null;
  before: SignUpPosition | null;
  limit: number;
}

type Fragment = ReturnType<Connection["unsafe"]>;

interface PageQuery {
  filter: ReferralRowFilter;
  range: SignUpRange;
  /** The number of next referrals to search for a frequent text, instead of all. */
  searched?: number | undefined;
  /** The most commissions to sum up for each referral. */
  most_commissions: number;
}

type NextQuery = Omit<PageQuery, "most_commissions">;

/** Returns a page of referrals with their affiliates and sums, the latest sign-up first; with `before`, the earliest first. */
export async function listReferralRows(
  sql: Connection,
  organizationId: string,
  { most_commissions, ...query }: PageQuery,
): Promise<ReferralListRow[]> {
  const order = query.range.before === null ? sql`desc` : sql`asc`;
  // Without `offset 0`, a plan before the first `analyze` reads all referrals for each one of the page.
  const page = sql`
    select referral.* from (${chosen(sql, organizationId, query)}) as chosen
    cross join lateral (
      select * from referrals where organization_id = ${organizationId} and id = chosen.id offset 0
    ) as referral`;
  return await sql<ReferralListRow[]>`
    ${rowsOf(sql, organizationId, { page, most_commissions })}
    order by referral.signup_date ${order}, referral.id ${order}`;
}

/** Counts the referrals of a list, up to `most`. */
export async function countReferralRows(
  sql: Connection,
  organizationId: string,
  { filter, most }: { filter: ReferralRowFilter; most: number },
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${chosen(sql, organizationId, { filter, range })}) as referral`;
  return row.count;
}

/** Returns the last of the `searched` referrals in which a frequent text is looked for; null: they were all. */
export async function findLastSearched(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: { filter: ReferralRowFilter; range: SignUpRange; searched: number },
): Promise<SignUpPosition | null> {
  const next = { filter, range: { ...range, limit: searched }, having: sql`` };
  const [row] = await sql<SignUpPosition[]>`
    select id, signup_date from (${nearest(sql, organizationId, next)}) as next
    ${newestOf(sql, { ...range, limit: 1 })} offset ${searched - 1}`;
  return row ?? null;
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
      affiliate.first_name, affiliate.last_name, summed.commissions, summed.sums,
      ${isStopped(sql, organizationId)} as is_stopped
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
            and recruit_commission_id is null
          limit ${most_commissions}) as first
        group by currency) as by_currency
    ) as summed`;
}

/** Whether a stop of the referral's customer is in force. */
function isStopped(sql: Connection, organizationId: string): Fragment {
  return sql`exists (
    select from customer_keys known
    join payment_facts fact on fact.organization_id = ${organizationId} and fact.customer_id = known.customer_id
    where known.organization_id = ${organizationId}
      and known.key in ('email:' || lower(referral.email), 'customer:' || referral.processor_customer_id)
      and fact.processor = 'organization' and fact.kind = 'override' and fact.data ->> 'type' = 'stop'
      and fact.data ->> 'until' is null and fact.data ->> 'undone_at' is null)`;
}

/** The ids and sign-ups of the next referrals. */
function chosen(sql: Connection, organizationId: string, query: NextQuery): Fragment {
  const { filter, range, searched } = query;
  const { text, affiliate_id } = filter;
  if (text === undefined) return nearest(sql, organizationId, { filter, range, having: sql`` });
  // Without `offset 0`, Postgres could walk all dates for the few rows.
  const sorted = (few: Fragment) => sql`
    select id, signup_date from (${few} offset 0) as referral ${newestOf(sql, range)}`;
  const rows = matching(sql, organizationId, query);
  if (isRare(text)) {
    return sorted(sql`
      ${rows} and referral.id = any (${[...text.referral_ids]}::uuid[])
      union ${rows} and referral.affiliate_id = any (${[...text.affiliate_ids]}::uuid[])`);
  }
  const having = frequentText(sql, organizationId, text);
  // An affiliate has few referrals, and its index finds them.
  if (affiliate_id !== undefined) return sorted(sql`${rows} ${having}`);
  if (searched === undefined) return nearest(sql, organizationId, { filter, range, having });
  const next = { filter, range: { ...range, limit: searched }, having: sql`` };
  return sql`
    select id, signup_date from (${nearest(sql, organizationId, next)}) as referral
    where true ${having} ${newestOf(sql, range)}`;
}

/** The next referrals that match. Statuses are read one by one, because their index sorts only within a status. */
function nearest(
  sql: Connection,
  organizationId: string,
  { filter, range, having }: { filter: ReferralRowFilter; range: SignUpRange; having: Fragment },
): Fragment {
  const { statuses, affiliate_id } = filter;
  const rows = matching(sql, organizationId, { filter, range });
  if (statuses === undefined || affiliate_id !== undefined)
    return sql`${rows} ${having} ${newestOf(sql, range)}`;
  const of_status = matching(sql, organizationId, { filter: { ...filter, statuses: undefined }, range });
  return sql`
    select of.* from unnest(${[...new Set(statuses)]}::text[]) as asked (status)
    cross join lateral (
      ${of_status} and referral.subscription_status = asked.status ${having} ${newestOf(sql, range)}
    ) as of
    ${newestOf(sql, range)}`;
}

function matching(
  sql: Connection,
  organizationId: string,
  { filter, range: { after, before } }: Pick<NextQuery, "filter" | "range">,
): Fragment {
  const { affiliate_id, statuses, signed_up_from, signed_up_until } = filter;
  const place = sql`(referral.signup_date, referral.id)`;
  return sql`
    select referral.id, referral.signup_date, referral.affiliate_id, referral.processor_customer_id from referrals referral
    where referral.organization_id = ${organizationId} and referral.replaced_at is null
      ${affiliate_id === undefined ? sql`` : sql`and referral.affiliate_id = ${affiliate_id}`}
      ${statuses === undefined ? sql`` : sql`and referral.subscription_status = any (${[...statuses]}::text[])`}
      ${signed_up_from === undefined ? sql`` : sql`and referral.signup_date >= ${signed_up_from}`}
      ${signed_up_until === undefined ? sql`` : sql`and referral.signup_date < ${signed_up_until}`}
      ${after === null ? sql`` : sql`and ${place} < (${after.signup_date}, ${after.id})`}
      ${before === null ? sql`` : sql`and ${place} > (${before.signup_date}, ${before.id})`}`;
}

/** With the limit in the text of the statement: a plan for any limit expects a tenth of all referrals, and reads them all. */
function newestOf(sql: Connection, { before, limit }: SignUpRange): Fragment {
  const order = before === null ? sql`desc` : sql`asc`;
  return sql`order by signup_date ${order}, id ${order} limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

/** Checks a referral for a frequent text. Without `offset 0`, Postgres would first read the texts of all people. */
function frequentText(
  sql: Connection,
  organizationId: string,
  { lower, prefix, referral_ids, affiliate_ids }: ReferralText,
): Fragment {
  const of_customer =
    referral_ids === null
      ? sql`starts_with(referral.processor_customer_id, ${prefix}) or exists (
          select from customer_texts
          where organization_id = ${organizationId} and referral_id = referral.id and strpos(email, ${lower}) > 0
          offset 0)`
      : sql`referral.id = any (${[...referral_ids]}::uuid[])`;
  const of_affiliate = affiliateTextCondition(sql, organizationId, { lower, affiliate_ids });
  return sql`and (${of_customer} or (true ${of_affiliate(sql`referral.affiliate_id`)}))`;
}

/** Returns the referrals with a customer id that begins with the text as typed; null: there are more than `most`. */
export async function findCustomerIdsBeginning(
  sql: Connection,
  organizationId: string,
  { text, most }: { text: string; most: number },
): Promise<string[] | null> {
  const { from, until } = prefixBounds(text);
  const rows = await sql<{ id: string }[]>`
    select id from referrals
    where organization_id = ${organizationId} and replaced_at is null
      and processor_customer_id >= ${from} and processor_customer_id < ${until}
      and starts_with(processor_customer_id, ${from}) limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** Counts the referrals of some affiliates, up to `most`. */
export async function countReferralsOf(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, most }: { affiliate_ids: readonly string[]; most: number },
): Promise<number> {
  // Ordered, so that Postgres reads the index of each, and not all rows for the many of one.
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from unnest(${[...affiliate_ids]}::uuid[]) as of (id) cross join lateral (
        select from referrals
        where organization_id = ${organizationId} and affiliate_id = of.id order by id limit ${most}) as one
      limit ${most}) as referral`;
  return row.count;
}

const ENTRIES = statement<LedgerEntryRow, "organization_id" | "commission_ids" | "limit">(`
  select number, kind, affiliate_id, commission_id, payout_id, currency, unpaid_minor, in_payout_minor, paid_minor,
    converted_minor, cause, created_at
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
