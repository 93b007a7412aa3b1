import type { AffiliateText } from "../affiliates/search.ts";
import { actorName } from "../audit-log/actor-name.ts";
import type { RowRange } from "../commissions/list-rows.ts";
import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface ClaimRow {
  id: string;
  affiliate_id: string;
  /** In lower case; empty once the affiliate was erased. */
  email: string;
  /** As `YYYY-MM-DD`. */
  paid_on: string;
  note: string;
  payment_known: boolean;
  state: "open" | "accepted" | "declined";
  answer: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  payment_decision_id: string | null;
  commission_id: string | null;
  created_at: Date;
}

const COLUMNS = `claim.id, claim.affiliate_id, claim.email, claim.paid_on::text as paid_on, claim.note, claim.payment_known,
  claim.state, claim.answer, claim.decided_by, claim.decided_at, claim.payment_decision_id, claim.commission_id,
  claim.created_at`;

const LOCK_CLAIMANT = statement<{ is_active: boolean }, "organization_id" | "affiliate_id">(`
  select approved and not banned and erased_at is null as is_active from affiliates
  where organization_id = :organization_id::uuid and id = :affiliate_id::uuid
  for no key update`);

/** Locks an affiliate until the transaction ends, so that its claims are made one by one. False: it is not active. */
export async function lockClaimant(
  sql: Transaction,
  organizationId: string,
  affiliateId: string,
): Promise<boolean> {
  const [row] = await LOCK_CLAIMANT.run(sql, { organization_id: organizationId, affiliate_id: affiliateId });
  return row?.is_active === true;
}

const FIND_SAME = statement<ClaimRow, "organization_id" | "affiliate_id" | "email" | "paid_on">(`
  select ${COLUMNS} from claims claim
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and email = :email::text
    and paid_on = :paid_on::text::date and email <> ''`);

/** Returns the affiliate's claim for the same address and day. */
export async function findSameClaim(
  sql: Connection,
  organizationId: string,
  claim: { affiliate_id: string; email: string; paid_on: string },
): Promise<ClaimRow | null> {
  const [row] = await FIND_SAME.run(sql, { organization_id: organizationId, ...claim });
  return row ?? null;
}

const RECENT = statement<{ created_at: Date }, "organization_id" | "affiliate_id" | "from_id" | "limit">(`
  select created_at from claims
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and id >= :from_id::uuid
  order by id desc limit :limit::int`);

/** Returns the times of the affiliate's last claims, the latest first. */
export async function listRecentClaims(
  sql: Connection,
  organizationId: string,
  query: { affiliate_id: string; from_id: string; limit: number },
): Promise<Date[]> {
  const rows = await RECENT.run(sql, { organization_id: organizationId, ...query });
  return rows.map(({ created_at }) => created_at);
}

const INSERT = statement<
  ClaimRow,
  "organization_id" | "id" | "affiliate_id" | "email" | "paid_on" | "note" | "created_at" | "days"
>(`
  insert into claims as claim (organization_id, id, affiliate_id, email, paid_on, note, payment_known, created_at)
  values (:organization_id::uuid, :id::uuid, :affiliate_id::uuid, :email::text, :paid_on::text::date, :note::text,
    exists (
      select from customer_keys key
      join payment_decisions decision
        on decision.organization_id = key.organization_id and decision.customer_id = key.customer_id
      where key.organization_id = :organization_id::uuid and key.key = 'email:' || :email::text
        and decision.replaced_at is null
        and decision.paid_at >= (:paid_on::text::date - :days::int)::timestamp at time zone 'UTC'
        and decision.paid_at < (:paid_on::text::date + :days::int + 1)::timestamp at time zone 'UTC'),
    :created_at::timestamptz)
  returning ${COLUMNS}`);

/** Inserts a claim, and whether a payment of the address within `days` of the day is known. */
export async function insertClaim(
  sql: Transaction,
  organizationId: string,
  claim: Pick<ClaimRow, "id" | "affiliate_id" | "email" | "paid_on" | "note" | "created_at"> & {
    days: number;
  },
): Promise<ClaimRow> {
  const [row] = await INSERT.run(sql, { organization_id: organizationId, ...claim });
  if (row === undefined) throw new Error("the claim was not inserted");
  return row;
}

/** A claim with the names that the dashboard shows. */
export interface ClaimListRow extends ClaimRow {
  affiliate_email: string;
  first_name: string;
  last_name: string;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface ClaimFilter {
  states?: readonly string[] | undefined;
  affiliate_id?: string | undefined;
  from_id?: string | undefined;
  /** The first id after the filter's period. */
  until_id?: string | undefined;
  /** A part of the customer's email, or of the affiliate's texts. */
  text?: AffiliateText | undefined;
}

/**
 * Returns a page of claims with their affiliates, newest first; with `before`, oldest first. States are read one by one,
 * because the index sorts only within a state. They are ranges of its columns: for `state = 'open'`, the planner would walk all
 * claims in the order of their ids to find a few open ones.
 */
export async function listClaims(
  sql: Connection,
  organizationId: string,
  query: ClaimQuery,
): Promise<ClaimListRow[]> {
  const order = query.range.before === null ? sql`desc` : sql`asc`;
  return await sql<ClaimListRow[]>`
    select ${sql.unsafe(COLUMNS)}, affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name
    from (${chosen(sql, organizationId, query)}) as claim
    join affiliates affiliate on affiliate.organization_id = ${organizationId} and affiliate.id = claim.affiliate_id
    order by claim.id ${order}`;
}

/** Counts the claims of a list, up to `most`. */
export async function countClaims(
  sql: Connection,
  organizationId: string,
  { filter, most }: { filter: ClaimFilter; most: number },
): Promise<number> {
  const range = { after: null, before: null, limit: most };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${chosen(sql, organizationId, { filter, range })}) as claim`;
  return row.count;
}

interface ClaimQuery {
  filter: ClaimFilter;
  range: RowRange;
}

function chosen(
  sql: Connection,
  organizationId: string,
  { filter, range }: ClaimQuery,
): ReturnType<Connection["unsafe"]> {
  const { states, affiliate_id, text, from_id, until_id } = filter;
  const { after, before, limit } = range;
  const order = before === null ? sql`desc` : sql`asc`;
  const within = sql`
      ${after === null ? sql`` : sql`and id < ${after}`} ${before === null ? sql`` : sql`and id > ${before}`}
      ${from_id === undefined ? sql`` : sql`and id >= ${from_id}`}
      ${until_id === undefined ? sql`` : sql`and id < ${until_id}`}`;
  const matching = sql`
    select * from claims
    where organization_id = ${organizationId}
      ${affiliate_id === undefined ? sql`` : sql`and affiliate_id = ${affiliate_id}`}
      ${text === undefined ? sql`` : textCondition(sql, organizationId, text)}
      ${within}`;
  const nearest = sql`order by id ${order} limit ${limit}`;
  if (states === undefined) return sql`${matching} ${nearest}`;
  if (affiliate_id !== undefined || text !== undefined) {
    return sql`${matching} and state || '' = any (${[...states]}::text[]) ${nearest}`;
  }
  return sql`
    select claim.* from unnest(${[...new Set(states)]}::text[]) as asked (state)
    cross join lateral (
      select * from claims
      where organization_id = ${organizationId} and (state, id) > (asked.state, ${before ?? FIRST_ID}::uuid)
        and (state, id) < (asked.state, ${after ?? LAST_ID}::uuid) ${within}
      order by state ${order}, id ${order} limit ${limit}
    ) as claim
    order by claim.id ${order} limit ${limit}`;
}

function textCondition(
  sql: Connection,
  organizationId: string,
  { lower, affiliate_ids }: AffiliateText,
): ReturnType<Connection["unsafe"]> {
  const of_affiliate =
    affiliate_ids === null
      ? sql`exists (
          select from affiliate_texts
          where organization_id = ${organizationId} and affiliate_id = claims.affiliate_id
            and strpos(texts, ${lower}) > 0
          offset 0)`
      : sql`affiliate_id = any (${[...affiliate_ids]}::uuid[])`;
  return sql`and (strpos(email, ${lower}) > 0 or ${of_affiliate})`;
}

/** Returns a page of an affiliate's own claims, newest first; with `before`, oldest first. */
export async function listAffiliateClaims(
  sql: Connection,
  organizationId: string,
  { affiliate_id, range: { after, before, limit } }: { affiliate_id: string; range: RowRange },
): Promise<ClaimRow[]> {
  const order = before === null ? sql`desc` : sql`asc`;
  return await sql<ClaimRow[]>`
    select ${sql.unsafe(COLUMNS)} from claims claim
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
      ${after === null ? sql`` : sql`and id < ${after}`} ${before === null ? sql`` : sql`and id > ${before}`}
    order by id ${order} limit ${limit}`;
}

/** A claim with everything that its page names. */
export interface ClaimDetailRow extends ClaimListRow {
  campaign_id: string;
  campaign_name: string;
  decided_by_name: string | null;
}

const FIND = statement<ClaimDetailRow, "organization_id" | "id">(`
  select ${COLUMNS}, affiliate.email as affiliate_email, affiliate.first_name, affiliate.last_name,
    campaign.id as campaign_id, campaign.name as campaign_name,
    ${actorName({ organization_id: "claim.organization_id", actor: "claim.decided_by" })} as decided_by_name
  from claims claim
  join affiliates affiliate on affiliate.organization_id = claim.organization_id and affiliate.id = claim.affiliate_id
  join campaigns campaign on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
  where claim.organization_id = :organization_id::uuid and claim.id = :id::uuid`);

export async function findClaim(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ClaimDetailRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

const LOCK = statement<ClaimRow, "organization_id" | "id">(`
  select ${COLUMNS} from claims claim
  where organization_id = :organization_id::uuid and id = :id::uuid
  for no key update`);

/** Returns a claim, locked until the transaction ends. */
export async function lockClaim(
  sql: Transaction,
  organizationId: string,
  id: string,
): Promise<ClaimRow | null> {
  const [row] = await LOCK.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

export interface ClaimDecision {
  id: string;
  state: "accepted" | "declined";
  answer: string | null;
  decided_by: string;
  decided_at: Date;
  payment_decision_id: string | null;
  commission_id: string | null;
}

const DECIDE = statement<object, "organization_id" | keyof ClaimDecision>(`
  with claim as (
    update claims set state = :state::text, answer = :answer::text, decided_by = :decided_by::text,
      decided_at = :decided_at::timestamptz, payment_decision_id = :payment_decision_id::uuid,
      commission_id = :commission_id::uuid
    where organization_id = :organization_id::uuid and id = :id::uuid
    returning organization_id, id, affiliate_id
  )
  insert into mails (organization_id, kind, about, affiliate_id)
  select organization_id, 'claim_decided', id::text, affiliate_id from claim`);

/** Records the decision on a locked claim, and the mail to its affiliate. */
export async function decideClaim(
  sql: Transaction,
  organizationId: string,
  decision: ClaimDecision,
): Promise<void> {
  await DECIDE.run(sql, { organization_id: organizationId, ...decision });
}

/** Erases the personal data in an affiliate's claims, of the affiliate and of customers, and declines open ones. */
export async function eraseClaims(
  sql: Transaction,
  organizationId: string,
  { affiliate_id, by, at }: { affiliate_id: string; by: string; at: Date },
): Promise<void> {
  await sql`
    update claims set email = '', note = '', answer = null,
      state = case state when 'open' then 'declined' else state end,
      decided_by = coalesce(decided_by, ${by}), decided_at = coalesce(decided_at, ${at})
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}`;
}

/** Deletes at most `limit` claims that were made before; returns how many. */
export async function deleteOldClaims(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from claims where ctid = any (array(
      select ctid from claims where created_at < ${before} order by created_at limit ${limit}))`;
  return result.count;
}
