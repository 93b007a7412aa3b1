import type { Connection } from "./connect.ts";

/*
 * Queued mails and their subjects; their texts are composed when they are sent. `events.ts` and `payout-moves.ts`
 * insert them, in the statements of the changes themselves.
 */

interface MailClaim {
  organization_id: string;
  id: string;
  claim_id: string;
  /** The number of failed attempts. */
  attempts: number;
}

/** A mail that is claimed by one worker until its lease ends. */
export type ClaimedMail = MailClaim & {
  organization_name: string;
  /** ISO 4217: the organization's currency. */
  currency: string;
} & (ClaimedAffiliateMail | ClaimedOwnerMail);

export interface ClaimedAffiliateMail {
  kind: "affiliate_approved" | "new_paid_referral" | "payout_paid";
  /** The id of the affiliate, the referral or the payout. */
  about: string;
  affiliate_id: string;
}

export interface ClaimedOwnerMail {
  kind: "payouts_failed";
  /** An owner's address. */
  recipient: string;
  /** Whether the organization still has this owner. */
  is_owner: boolean;
  payout_count: number;
  /** The first few payouts. */
  payout_ids: string[];
}

/**
 * Claims the longest due mail that no other worker has claimed; null: none is due. It is due again after the lease,
 * unless a result is recorded before. The same claim returns the same mail again, so a claim can be repeated if its
 * answer was lost.
 */
export async function claimMail(
  sql: Connection,
  { claim_id, lease_seconds }: { claim_id: string; lease_seconds: number },
): Promise<ClaimedMail | null> {
  const [row] = await sql<ClaimedMail[]>`
    with own as materialized (
      select ctid from mails where claim_id = ${claim_id} and state = 'due'
    ),
    next as materialized (
      select ctid from mails where next_attempt_at <= now() and not exists (select from own)
      order by next_attempt_at limit 1 for update skip locked
    ),
    claimed as (
      update mails
      set claim_id = ${claim_id}, next_attempt_at = now() + make_interval(secs => ${lease_seconds})
      where ctid = any (array(select ctid from own union all select ctid from next))
      returning organization_id, id, claim_id, kind, about, recipient, affiliate_id, payout_count, payout_ids, attempts
    )
    select claimed.*, organization.name as organization_name, organization.currency,
      claimed.recipient = any (organization.owner_emails) as is_owner
    from claimed
    join organizations organization on organization.id = claimed.organization_id`;
  return row ?? null;
}

/**
 * Records the final result of a mail; false: the lease had ended, and another worker has claimed the mail. Recording
 * the same result again changes nothing.
 */
export async function settleMail(
  sql: Connection,
  { organization_id, id, claim_id, attempts }: MailClaim,
  { state, reason }: { state: "sent" | "dropped" | "given_up"; reason: string | null },
): Promise<boolean> {
  const result = await sql`
    update mails set state = ${state}, reason = ${reason}, attempts = ${attempts + 1}, next_attempt_at = null,
      settled_at = coalesce(settled_at, now())
    where organization_id = ${organization_id} and id = ${id} and claim_id = ${claim_id}
      and state in ('due', ${state})`;
  return result.count > 0;
}

/**
 * Records a failed attempt, and makes the mail due again after so many seconds. Does nothing if the lease had ended and
 * another worker has claimed the mail.
 */
export async function postponeMail(
  sql: Connection,
  { organization_id, id, claim_id, attempts }: MailClaim,
  { seconds, reason }: { seconds: number; reason: string },
): Promise<void> {
  await sql`
    update mails set reason = ${reason}, attempts = ${attempts + 1},
      next_attempt_at = now() + make_interval(secs => ${seconds})
    where organization_id = ${organization_id} and id = ${id} and claim_id = ${claim_id} and state = 'due'`;
}

/**
 * Adds the job that sends mails, if any is due. A queue serializes these jobs across workers, so that a mail server
 * that does not answer blocks no other jobs.
 */
export async function addMailJob(
  sql: Connection,
  { task, queue }: { task: string; queue: string },
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${task}, queue_name => ${queue}, job_key => ${task},
      job_key_mode => 'preserve_run_at')
    where exists (select from mails where next_attempt_at <= now())`;
}

/** Deletes at most `limit` mails that ended before a moment; returns the number of deleted rows. */
export async function deleteOldMails(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from mails where ctid = any (array(
      select ctid from mails where settled_at < ${before} order by settled_at limit ${limit}))`;
  return result.count;
}

export interface FirstCommissionRow {
  affiliate_id: string;
  commission_minor: bigint;
  currency: string;
  payable_at: Date;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
}

/** Returns the commission that converted a referral. */
export async function findFirstCommission(
  sql: Connection,
  organizationId: string,
  referralId: string,
): Promise<FirstCommissionRow | null> {
  const [row] = await sql<FirstCommissionRow[]>`
    select affiliate_id, commission_minor, currency, payable_at, payout_status from commission_states
    where organization_id = ${organizationId} and referral_id = ${referralId} and reversal_of is null
    order by id limit 1`;
  return row ?? null;
}

export interface FailedPayoutRow {
  affiliate_name: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  status_reason: string | null;
}

/** Returns failed payouts, oldest first. */
export async function findFailedPayouts(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<FailedPayoutRow[]> {
  return await sql<FailedPayoutRow[]>`
    select affiliate_name, amount_minor, currency, period, status_reason from payouts
    where organization_id = ${organizationId} and id = any (${ids}::uuid[])
    order by id`;
}
