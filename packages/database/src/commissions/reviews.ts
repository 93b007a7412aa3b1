import { actorName } from "../audit-log/actor-name.ts";
import { dueAt } from "../ledger/due.ts";
import type { Connection } from "../postgres/connect.ts";
import { jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";
import type { ReviewState } from "../rows.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";

/** The state of a commission's review, and its columns in a row of another statement. Null: it needed none. */
export interface ReviewColumns {
  review_state: ReviewState;
  review_reasons: string[] | null;
  review_created_at: Date | null;
  review_due_at: Date | null;
  review_decided_by: string | null;
  review_decided_by_name: string | null;
  review_decided_at: Date | null;
  review_decision_reason: string | null;
}

/** Columns of rows `commission` and `review`. */
export const REVIEW_COLUMNS = `commission.review_state, review.reasons as review_reasons,
    review.created_at as review_created_at, review.due_at as review_due_at, review.decided_by as review_decided_by,
    ${actorName({ organization_id: "review.organization_id", actor: "review.decided_by" })} as review_decided_by_name,
    review.decided_at as review_decided_at, review.decision_reason as review_decision_reason`;

/** Joins `review` to `commission`, by its key and only if there is one. */
export const JOIN_REVIEW = `left join lateral (
      select * from commission_reviews
      where organization_id = commission.organization_id and commission_id = commission.id
        and commission.review_state <> 'none'
      offset 0
    ) as review on true`;

/** The due date of a row `unpaid`; null: it is in review. */
export const FINITE_DUE_AT = "nullif(unpaid.due_at, 'infinity')";

const FIND_CLEARED = statement<{ id: string }, "organization_id" | "affiliate_ids">(`
  select id from unnest(:affiliate_ids::uuid[]) as affiliate (id)
  where exists (
    select from commissions
    where organization_id = :organization_id::uuid and affiliate_id = affiliate.id and reversal_of is null
      and recruit_commission_id is null and not voided and review_state in ('none', 'approved')
    order by id limit 1)`);

/**
 * Returns the affiliates among these with a commission of their own in force that was approved, or that
 * needed no review.
 */
export async function findClearedAffiliates(
  sql: Connection,
  organizationId: string,
  affiliate_ids: string[],
): Promise<string[]> {
  const rows = await FIND_CLEARED.run(sql, { organization_id: organizationId, affiliate_ids });
  return rows.map(({ id }) => id);
}

const FIND_APPROVED = statement<{ id: string }, "organization_id" | "ids">(`
  select id from commissions
  where organization_id = :organization_id::uuid and id = any (:ids::uuid[]) and review_state = 'approved'`);

/** Returns the commissions among these that were approved. */
export async function findApproved(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await FIND_APPROVED.run(sql, { organization_id: organizationId, ids });
  return rows.map(({ id }) => id);
}

export interface ReviewDecision {
  id: string;
  state: "approved" | "rejected";
  decided_by: string;
  decided_at: Date;
  decision_reason: string | null;
}

/** An unpaid commission gets the due date of its new state. */
const DECIDE = statement<object, "organization_id" | keyof ReviewDecision>(`
  with review as (
    update commission_reviews
    set due_at = null, failures = 0, reason = null, decided_by = :decided_by::text,
      decided_at = :decided_at::timestamptz, decision_reason = :decision_reason::text
    where organization_id = :organization_id::uuid and commission_id = :id::uuid
  ),
  commission as (
    update commissions set review_state = :state::text
    where organization_id = :organization_id::uuid and id = :id::uuid
    returning id, commission_minor, payable_at, created_at, review_state
  )
  update unpaid_commissions unpaid set due_at = ${dueAt("commission")}
  from commission
  where unpaid.organization_id = :organization_id::uuid and unpaid.commission_id = commission.id`);

/** Stores the decision about a commission that the caller has locked. A rejected one was voided before. */
export async function decideReview(
  sql: Connection,
  organizationId: string,
  decision: ReviewDecision,
): Promise<void> {
  await DECIDE.run(sql, { organization_id: organizationId, ...decision });
}

/** Why a commission waits, after its affiliate, its amount or its payment's signals of fraud changed. */
export interface ReviewReasons {
  commission_id: string;
  /** The kinds of reasons that these replace: what is before a colon. Null: all, because another affiliate has it. */
  replaced: string[] | null;
  reasons: string[];
  /** If it waits from now on. */
  since: Date;
  approves_at: Date | null;
}

const REASONS_TYPES = {
  commission_id: "uuid",
  replaced: "text[]",
  reasons: "text[]",
  since: "timestamptz",
  approves_at: "timestamptz",
} satisfies Record<keyof ReviewReasons, string>;

/** What somebody decided stays. Without any reason, the commission waits no more. */
const CHANGE_REASONS = statement<object, "organization_id" | "changes">(`
  with change as materialized (
    select change.commission_id, change.since, change.approves_at, change.replaced is null as is_moved,
      review.commission_id is not null as is_known, array(
        select reason from unnest(review.reasons) as reason where split_part(reason, ':', 1) <> all (change.replaced)
      ) || change.reasons as reasons
    from ${jsonRows("changes", "change", REASONS_TYPES)}
    join commissions commission
      on commission.organization_id = :organization_id::uuid and commission.id = change.commission_id
    left join commission_reviews review
      on review.organization_id = :organization_id::uuid and review.commission_id = change.commission_id
    where commission.review_state in ('none', 'pending')
      and (review.commission_id is not null or change.reasons <> '{}')
  ),
  gone as (
    delete from commission_reviews review using change
    where review.organization_id = :organization_id::uuid and review.commission_id = change.commission_id
      and change.reasons = '{}'
  ),
  kept as (
    update commission_reviews review set reasons = change.reasons,
      due_at = case when change.is_moved then review.created_at + (change.approves_at - change.since) else review.due_at end
    from change
    where review.organization_id = :organization_id::uuid and review.commission_id = change.commission_id
      and change.reasons <> '{}'
  ),
  waiting as (
    insert into commission_reviews (organization_id, commission_id, reasons, created_at, due_at)
    select :organization_id::uuid, commission_id, reasons, since, approves_at from change
    where not is_known and reasons <> '{}'
  ),
  commission as (
    update commissions commission set review_state = case when change.reasons = '{}' then 'none' else 'pending' end
    from change
    where commission.organization_id = :organization_id::uuid and commission.id = change.commission_id
    returning commission.id, commission.commission_minor, commission.payable_at, commission.created_at,
      commission.review_state
  )
  update unpaid_commissions unpaid set due_at = ${dueAt("commission")}
  from commission
  where unpaid.organization_id = :organization_id::uuid and unpaid.commission_id = commission.id`);

/** Brings undecided reviews to the reasons that they have now. The caller has locked the commissions, which are in no payout. */
export async function changeReviewReasons(
  sql: Connection,
  organizationId: string,
  changes: readonly ReviewReasons[],
): Promise<void> {
  await CHANGE_REASONS.run(sql, { organization_id: organizationId, changes: JSON.stringify(changes) });
}

const LIST_DUE = statement<{ commission_id: string; failures: number }, "organization_id" | "limit" | Fence>(`
  select commission_id, failures from commission_reviews
  where organization_id = :organization_id::uuid and due_at <= now() and ${OWNS_SHARD}
  order by due_at limit :limit::int`);

/** Returns the commissions that are to be approved now; none without the organization's shard. */
export async function listDueReviews(
  sql: Connection,
  organizationId: string,
  { owner, limit }: { owner: ShardOwner; limit: number },
): Promise<{ commission_id: string; failures: number }[]> {
  return await LIST_DUE.run(sql, { organization_id: organizationId, limit, ...owner });
}

const LOCK_DUE = statement<object, "organization_id" | "id" | Fence>(`
  select from commission_reviews
  where organization_id = :organization_id::uuid and commission_id = :id::uuid and due_at <= now() and ${OWNS_SHARD}
  for update`);

/** Locks a review that is due. False: somebody decided, or another worker has the organization's shard. */
export async function lockDueReview(
  sql: Connection,
  organizationId: string,
  { id, owner }: { id: string; owner: ShardOwner },
): Promise<boolean> {
  return (await LOCK_DUE.run(sql, { organization_id: organizationId, id, ...owner })).length > 0;
}

const POSTPONE = statement<object, "organization_id" | "id" | "seconds" | "reason" | Fence>(`
  update commission_reviews set ${POSTPONED}
  where organization_id = :organization_id::uuid and commission_id = :id::uuid and due_at is not null and ${OWNS_SHARD}`);

/** Records that an approval failed, which is due again after `seconds`. */
export async function postponeReview(
  sql: Connection,
  organizationId: string,
  { id, owner, seconds, reason }: { id: string; owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  await POSTPONE.run(sql, { organization_id: organizationId, id, seconds, reason, ...owner });
}
