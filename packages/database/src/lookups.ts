import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

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
  attempts: number;
  error: string | null;
  answered_at: Date | null;
}

const COLUMNS = "kind, subject, purpose, object_id, account, wanted_at, due_at, attempts, error, answered_at";

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
    wanted_at = excluded.wanted_at, due_at = excluded.due_at, answered_at = excluded.answered_at, attempts = 0,
    error = null`);

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

/**
 * Claims due lookups for the duration of the lease, longest due first. Lookups of discounts are skipped if no affiliate
 * has a promo code.
 */
export async function claimLookups(
  sql: Connection,
  organizationId: string,
  { lease_seconds, limit }: { lease_seconds: number; limit: number },
): Promise<LookupRow[]> {
  return await sql<LookupRow[]>`
    with due as materialized (
      select processor, kind, subject from processor_lookups
      where organization_id = ${organizationId} and due_at <= now()
        and (purpose <> 'promo_codes' or exists (
          select from affiliate_codes where organization_id = ${organizationId} and kind = 'promo'))
      order by due_at limit ${limit} for update skip locked
    )
    update processor_lookups lookup set due_at = now() + make_interval(secs => ${lease_seconds})
    from due
    where lookup.organization_id = ${organizationId} and lookup.processor = due.processor
      and lookup.kind = due.kind and lookup.subject = due.subject
    returning ${sql.unsafe(
      COLUMNS.split(", ")
        .map((name) => `lookup.${name}`)
        .join(", "),
    )}`;
}

/** Releases claimed lookups: they are due again. */
export async function releaseLookups(
  sql: Connection,
  organizationId: string,
  keys: readonly LookupKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update processor_lookups lookup set due_at = now()
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ subject }) => subject)}::text[])
      as given_back (kind, subject)
    where lookup.organization_id = ${organizationId} and lookup.processor = 'stripe'
      and lookup.kind = given_back.kind and lookup.subject = given_back.subject and lookup.due_at is not null`;
}

/** Records that the object was stored, for all payment facts that wait for it. */
export async function answerLookups(
  sql: Connection,
  organizationId: string,
  object_id: string,
): Promise<void> {
  await sql`
    update processor_lookups set answered_at = now(), due_at = null, error = null
    where organization_id = ${organizationId} and object_id = ${object_id}
      and (answered_at is null or due_at is not null)`;
}

/** Records a failed attempt; the lookup is due again after so long, or only when staff retry it (null). */
export async function failLookup(
  sql: Connection,
  organizationId: string,
  { kind, subject, error, again_seconds }: LookupKey & { error: string; again_seconds: number | null },
): Promise<void> {
  await sql`
    update processor_lookups set attempts = attempts + 1, error = ${error},
      due_at = case when ${again_seconds !== null} then now() + make_interval(secs => ${again_seconds ?? 0}) end
    where organization_id = ${organizationId} and processor = 'stripe' and kind = ${kind}
      and subject = ${subject} and answered_at is null`;
}

/** Makes all unanswered lookups of an organization due and resets their attempts; returns their number. */
export async function makeLookupsDue(sql: Connection, organizationId: string): Promise<number> {
  const result = await sql`
    update processor_lookups set due_at = now(), attempts = 0, error = null
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
    update processor_lookups set due_at = now(), attempts = 0
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

export interface LookupBacklog {
  /** Counted over all organizations, up to 100,000. */
  waiting: number;
  oldest_waiting_seconds: number;
  /** Refunds and disputes without a payment among them. */
  unmatched: number;
  oldest_unmatched_seconds: number;
}

/**
 * Counts waiting lookups for the metrics. Promotion codes are excluded: they may stay unknown, and are never fetched
 * if no affiliate has a promo code.
 */
export async function readLookupBacklog(sql: Connection): Promise<LookupBacklog> {
  const [row] = await sql<[LookupBacklog]>`
    select count(*)::int as waiting,
      coalesce(extract(epoch from now() - min(wanted_at)), 0)::float as oldest_waiting_seconds,
      (count(*) filter (where purpose = 'payment'))::int as unmatched,
      coalesce(extract(epoch from now() - min(wanted_at) filter (where purpose = 'payment')), 0)::float
        as oldest_unmatched_seconds
    from (
      select purpose, wanted_at from processor_lookups
      where answered_at is null and purpose <> 'promo_codes' limit 100000
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
