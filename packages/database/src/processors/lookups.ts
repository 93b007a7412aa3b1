import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";

export type LookupPurpose = "products" | "payment" | "amounts" | "promo_codes";

/** A payment fact that waits for a lookup. */
export interface LookupKey {
  kind: string;
  subject: string;
}

export interface WantedLookup extends LookupKey {
  purpose: LookupPurpose;
  object_id: string;
  /** The message that reported the payment fact: the lookup goes to its account. */
  message_id: string;
}

export interface LookupRow extends LookupKey {
  purpose: LookupPurpose;
  object_id: string;
  account: string | null;
  wanted_at: Date;
  due_at: Date | null;
  failures: number;
  reason: string | null;
  answered_at: Date | null;
}

const COLUMNS =
  "kind, subject, purpose, object_id, account, wanted_at, due_at, failures, reason, answered_at";

/**
 * A promotion code is fetched at most once a day, for all its uses. For the payment of a refund the lookup is
 * delayed by some minutes, since the processor usually reports it.
 */
const INSERT = statement<
  object,
  "organization_id" | "kinds" | "subjects" | "purposes" | "object_ids" | "message_ids"
>(`
  insert into processor_lookups (organization_id, processor, kind, subject, purpose, object_id, account, wanted_at,
    due_at, answered_at)
  select :organization_id::uuid, 'stripe', wanted.kind, wanted.subject, wanted.purpose, wanted.object_id,
    message.account, now(),
    case when answered.at is null then now() + case wanted.purpose when 'payment' then interval '10 minutes'
      else interval '0' end end,
    answered.at
  from unnest(:kinds::text::text[], :subjects::text::text[], :purposes::text::text[], :object_ids::text::text[],
    :message_ids::text::text[]) as wanted (kind, subject, purpose, object_id, message_id)
  left join processor_messages message on message.organization_id = :organization_id::uuid
    and message.processor = 'stripe' and message.id = wanted.message_id
  left join lateral (
    select max(known.answered_at) as at from processor_lookups known
    where known.organization_id = :organization_id::uuid and known.object_id = wanted.object_id
      and starts_with(wanted.object_id, 'promo_') and known.answered_at > now() - interval '1 day'
  ) as answered on true
  on conflict (organization_id, processor, kind, subject) do update
  set purpose = excluded.purpose, object_id = excluded.object_id, account = excluded.account,
    wanted_at = excluded.wanted_at, due_at = excluded.due_at, answered_at = excluded.answered_at, failures = 0,
    reason = null`);

/** Inserts lookups that payment facts wait for. */
export async function insertLookups(
  sql: Connection,
  organizationId: string,
  wanted: readonly WantedLookup[],
): Promise<void> {
  await INSERT.run(sql, {
    organization_id: organizationId,
    kinds: arrayText(wanted.map(({ kind }) => kind)),
    subjects: arrayText(wanted.map(({ subject }) => subject)),
    purposes: arrayText(wanted.map(({ purpose }) => purpose)),
    object_ids: arrayText(wanted.map(({ object_id }) => object_id)),
    message_ids: arrayText(wanted.map(({ message_id }) => message_id)),
  });
}

const DELETE = statement<object, "organization_id" | "kinds" | "subjects">(`
  delete from processor_lookups lookup
  using unnest(:kinds::text::text[], :subjects::text::text[]) as gone (kind, subject)
  where lookup.organization_id = :organization_id::uuid and lookup.processor = 'stripe'
    and lookup.kind = gone.kind and lookup.subject = gone.subject`);

/** Deletes lookups that no payment fact waits for any more. */
export async function deleteLookups(
  sql: Connection,
  organizationId: string,
  keys: readonly LookupKey[],
): Promise<void> {
  await DELETE.run(sql, {
    organization_id: organizationId,
    kinds: arrayText(keys.map(({ kind }) => kind)),
    subjects: arrayText(keys.map(({ subject }) => subject)),
  });
}

const READ_DUE = statement<LookupRow, "organization_id" | "limit" | Fence>(`
  select ${COLUMNS} from processor_lookups
  where organization_id = :organization_id::uuid and due_at <= now() and ${OWNS_SHARD}
    and (purpose <> 'promo_codes' or exists (
      select from affiliate_codes where organization_id = :organization_id::uuid and kind = 'promo'))
  order by due_at limit :limit::int`);

/**
 * An organization's due lookups, the longest due first; none without its shard. Discounts matter only where affiliates
 * have promo codes.
 */
export function readDueLookups(
  sql: Connection,
  organizationId: string,
  { owner, limit }: { owner: ShardOwner; limit: number },
): Promise<LookupRow[]> {
  return READ_DUE.run(sql, { organization_id: organizationId, limit, ...owner });
}

const ANSWER = statement<object, "organization_id" | "object_id" | Fence>(`
  update processor_lookups set answered_at = now(), due_at = null, reason = null
  where organization_id = :organization_id::uuid and object_id = :object_id::text
    and (answered_at is null or due_at is not null) and ${OWNS_SHARD}`);

/** Records that an object's answer was stored, for all lookups of the object. */
export async function completeLookups(
  sql: Connection,
  organizationId: string,
  { object_id, owner }: { object_id: string; owner: ShardOwner },
): Promise<void> {
  await ANSWER.run(sql, { organization_id: organizationId, object_id, ...owner });
}

const POSTPONE = statement<object, "organization_id" | keyof LookupKey | "seconds" | "reason" | Fence>(`
  update processor_lookups set ${POSTPONED}
  where organization_id = :organization_id::uuid and processor = 'stripe' and kind = :kind::text
    and subject = :subject::text and answered_at is null and ${OWNS_SHARD}`);

/** Records a failed attempt; the lookup is due again after `seconds`, or only when staff retry it (null). */
export async function postponeLookup(
  sql: Connection,
  organizationId: string,
  { kind, subject }: LookupKey,
  retry: { owner: ShardOwner; seconds: number | null; reason: string },
): Promise<void> {
  const { owner, seconds, reason } = retry;
  await POSTPONE.run(sql, { organization_id: organizationId, kind, subject, seconds, reason, ...owner });
}

/** Makes all unanswered lookups of an organization due and resets their attempts; returns their number. */
export async function makeLookupsDue(sql: Connection, organizationId: string): Promise<number> {
  const result = await sql`
    update processor_lookups set due_at = now(), failures = 0, reason = null
    where organization_id = ${organizationId} and answered_at is null`;
  return result.count;
}

/**
 * Makes an organization's unresolved lookups due that are not older than this: refunds and disputes that still have no
 * payment, and lookups that failed permanently.
 */
export async function reopenLookups(
  sql: Connection,
  organizationId: string,
  { wanted_after }: { wanted_after: Date },
): Promise<number> {
  const result = await sql`
    update processor_lookups set due_at = now(), failures = 0
    where organization_id = ${organizationId} and due_at is null and wanted_at > ${wanted_after}
      and (answered_at is null or purpose = 'payment')`;
  return result.count;
}

/** The position of a page in the list. */
export type LookupPosition = Pick<LookupRow, "wanted_at" | "kind" | "subject">;

/** Returns unanswered lookups, the longest waiting first. */
export async function listWaitingLookups(
  sql: Connection,
  organizationId: string,
  { purpose, after, limit }: { purpose: LookupPurpose | null; after: LookupPosition | null; limit: number },
): Promise<LookupRow[]> {
  return await sql<LookupRow[]>`
    select ${sql.unsafe(COLUMNS)} from processor_lookups
    where organization_id = ${organizationId} and answered_at is null
      ${purpose === null ? sql`` : sql`and purpose = ${purpose}`}
      ${after === null ? sql`` : sql`and (wanted_at, kind, subject) > (${after.wanted_at}, ${after.kind}, ${after.subject})`}
    order by wanted_at, kind, subject limit ${limit}`;
}

export interface UnmatchedRefunds {
  /** Refunds and disputes without their payment, of all organizations, counted up to 100,000. */
  count: number;
  oldest_seconds: number;
}

/** Refunds and disputes that wait for their payment, for the metrics. */
export async function readUnmatchedRefunds(sql: Connection): Promise<UnmatchedRefunds> {
  const [row] = await sql<[UnmatchedRefunds]>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(wanted_at)), 0)::float as oldest_seconds
    from (
      select wanted_at from processor_lookups where answered_at is null and purpose = 'payment' limit 100000
    ) as waiting`;
  return row;
}

/** Deletes at most `limit` lookups that were wanted before a moment; returns the number of deleted rows. */
export async function deleteOldLookups(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from processor_lookups where (organization_id, processor, kind, subject) in (
      select organization_id, processor, kind, subject from processor_lookups
      where wanted_at < ${before} and (answered_at is not null or purpose <> 'products')
      order by wanted_at limit ${limit})`;
  return result.count;
}
