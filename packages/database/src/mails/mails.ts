import type { Connection, Transaction } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import type { ReviewState } from "../rows.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";
import type { PortalLanguage } from "./language.ts";
import { mailLanguage } from "./language.ts";
import type { NoticeKind } from "./notices.ts";
import { NOTIFIED } from "./notifications.ts";
import type { UnsentCause } from "./unsent.ts";

/*
 * Queued mails and their subjects; their texts are composed when they are sent. The statements of the changes insert them:
 * `git grep 'insert into mails'` finds them, in `webhooks/events.ts`, `payouts/moves.ts` and other areas.
 */

interface MailKey {
  organization_id: string;
  id: string;
}

/** A mail that is due. */
export type DueMail = MailKey & {
  /** Attempts that failed before. */
  failures: number;
  organization_name: string;
  organization_slug: string;
  /** ISO 4217: the organization's currency. */
  currency: string;
  /** The organization's time zone, which the days in its mails have. */
  time_zone: string;
  support_email: string | null;
  /** Of the organization's portal; null: it has none. */
  portal_host: string | null;
  /** Whether its reader has neither asked for it nor agreed to be the organization's affiliate. */
  to_stranger: boolean;
  /** The organization's own quota of such mails; null: the service's. */
  mails_to_strangers: number | null;
} & (
    | AffiliateMail
    | PayoutsFailedMail
    | EndpointDisabledMail
    | AccountLinkMail
    | PayoutEmailChangedMail
    | SecurityNoticeMail
    | PayoutRunWaitingMail
    | NoticeMail
  );

export interface AffiliateMail {
  kind:
    | "affiliate_approved"
    | "affiliate_declined"
    | "affiliate_left"
    | "new_paid_referral"
    | "payout_paid"
    | "claim_decided"
    | "promo_code_ready";
  /**
   * The id of the affiliate, the referral, the payout or the claim. For a declined or left affiliate also the
   * time; for a promo code, its ids.
   */
  about: string;
  affiliate_id: string;
  language: PortalLanguage;
}

/** A mail to an owner or admin who wants to be notified at once. */
export interface PayoutsFailedMail {
  kind: "payouts_failed";
  recipient: string;
  payout_count: number;
  /** The first few payouts. */
  payout_ids: string[];
}

/** A mail to an owner or admin who wants to be notified at once. */
export interface EndpointDisabledMail {
  kind: "endpoint_disabled";
  recipient: string;
  /** The endpoint's id, and when it was disabled. */
  about: string;
}

/** A mail with a link that lets only its recipient in. */
export interface AccountLinkMail {
  kind:
    | "invitation"
    | "password_reset"
    | "email_confirmation"
    | "device_link"
    | "portal_code"
    | "payout_email_code";
  /** The id of the invitation, the verification, the code or the change. */
  about: string;
  recipient: string;
}

/** A mail to the former addresses of an affiliate. */
export interface PayoutEmailChangedMail {
  kind: "payout_email_changed";
  /** The id of the change. */
  about: string;
  recipient: string;
}

/** A mail to an owner or admin who can approve a payout run. */
export interface PayoutRunWaitingMail {
  kind: "payout_run_waiting";
  /** The id of the run. */
  about: string;
  recipient: string;
}

/** A notice to an owner or admin about waiting items. */
export interface NoticeMail {
  kind: NoticeKind | "daily_digest";
  /** The quarter of an hour since 1970; for a digest, the day. */
  about: string;
  recipient: string;
}

/** A notice to the owner of an account. */
export interface SecurityNoticeMail {
  kind: "security_notice";
  /** The id of the security event. */
  about: string;
  recipient: string;
}

/** Invitations of members, and mails to affiliates who have not agreed. */
const TO_STRANGER = `(mail.kind = 'invitation' or exists (
      select from affiliates stranger
      where stranger.organization_id = mail.organization_id and stranger.id = mail.affiliate_id
        and stranger.agreed_at is null))`;

const READ = statement<DueMail, "organization_id" | "limit" | Fence>(`
  select mail.organization_id, mail.id, mail.kind, mail.about, mail.recipient, mail.affiliate_id, mail.payout_count,
    mail.payout_ids, mail.failures, organization.name as organization_name,
    organization.slug as organization_slug, organization.currency, organization.time_zone, organization.support_email, organization.portal_host,
    (
      select ${mailLanguage({ email: "lower(affiliate.email)", organization: "organization" })} from affiliates affiliate
      where affiliate.organization_id = mail.organization_id and affiliate.id = mail.affiliate_id
    ) as language,
    ${TO_STRANGER} as to_stranger, organization.mails_to_strangers
  from mails mail
  join organizations organization on organization.id = mail.organization_id
  where mail.organization_id = :organization_id::uuid and mail.due_at <= now() and ${OWNS_SHARD}
  order by mail.due_at limit :limit::int`);

/** An organization's due mails, longest due first; none without its shard. */
export function readDueMails(
  sql: Connection,
  organizationId: string,
  { owner, limit }: { owner: ShardOwner; limit: number },
): Promise<DueMail[]> {
  return READ.run(sql, { organization_id: organizationId, limit, ...owner });
}

const WAIT = statement<{ id: string }, "organization_id" | "until" | Fence>(`
  update mails mail set due_at = :until::timestamptz, awaits_quota = true
  where organization_id = :organization_id::uuid and due_at <= now() and ${TO_STRANGER} and ${OWNS_SHARD}
  returning id`);

/** Postpones an organization's due mails to strangers until the next day's quota; returns how many. */
export async function awaitQuota(
  sql: Connection,
  organizationId: string,
  { owner, until }: { owner: ShardOwner; until: Date },
): Promise<number> {
  return (await WAIT.run(sql, { organization_id: organizationId, until, ...owner })).length;
}

const END_WAITS = statement<object, "organization_id" | "affiliate_id" | "is_all_dropped" | "reason">(`
  update mails mail set awaits_quota = false,
    state = case when ended.is_dropped then 'dropped' else 'due' end,
    due_at = case when ended.is_dropped then null else now() end,
    finished_at = case when ended.is_dropped then now() end,
    reason = case when ended.is_dropped then :reason::text end
  from (
    select id, :is_all_dropped::boolean or kind = 'affiliate_approved' as is_dropped from mails
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and awaits_quota
  ) as ended
  where mail.organization_id = :organization_id::uuid and mail.id = ended.id and mail.awaits_quota`);

/** Ends the wait of an affiliate's mails for the quota, now that the person has agreed: the invitation is dropped, others are due. */
export async function releaseQuotaWaits(
  sql: Transaction,
  affiliate: { organization_id: string; affiliate_id: string },
): Promise<void> {
  await END_WAITS.run(sql, { ...affiliate, is_all_dropped: false, reason: "the person has agreed" });
}

/** Drops an affiliate's mails that wait for the quota, now that the person has said that the invitation is not theirs. */
export async function dropQuotaWaits(
  sql: Transaction,
  affiliate: { organization_id: string; affiliate_id: string },
): Promise<void> {
  const reason = "the person has said that the invitation is not theirs";
  await END_WAITS.run(sql, { ...affiliate, is_all_dropped: true, reason });
}

/** Counts an organization's mails that wait for the next day's quota, up to `most`. */
export async function countQuotaWaits(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from mails where organization_id = ${organizationId} and awaits_quota limit ${most}) as counted`;
  return row.count;
}

const FINISH = statement<
  object,
  keyof MailKey | "state" | "reason" | "unsent_cause" | "failed" | "to_stranger" | "reported" | Fence
>(`
  update mails set state = :state::text, reason = :reason::text, due_at = null, awaits_quota = false,
    unsent_cause = :unsent_cause::text, reported = :reported::text::text[],
    to_stranger = :to_stranger::boolean,
    failures = failures + case when state = 'due' then :failed::int else 0 end,
    finished_at = coalesce(finished_at, now())
  where organization_id = :organization_id::uuid and id = :id::uuid and state in ('due', :state::text)
    and ${OWNS_SHARD}
  returning 1`);

/**
 * Records how a mail ended. The same again changes nothing. False: the shard has another owner, who may send the mail
 * again.
 */
export async function finishMail(
  sql: Connection,
  { organization_id, id, to_stranger }: MailKey & Pick<DueMail, "to_stranger">,
  {
    owner,
    state,
    reason,
    unsent_cause = null,
    reported = null,
  }: {
    owner: ShardOwner;
    state: "sent" | "dropped" | "given_up";
    reason: string | null;
    /** Why a mail was dropped: the service cannot send it. */
    unsent_cause?: UnsentCause | null;
    /** The items that a sent notice or digest reported. */
    reported?: readonly string[] | null;
  },
): Promise<boolean> {
  const failed = state === "given_up" ? 1 : 0;
  const counted = { to_stranger: to_stranger && state === "sent" };
  const rows = await FINISH.run(sql, {
    organization_id,
    id,
    state,
    reason,
    unsent_cause,
    failed,
    reported: reported === null ? null : arrayText(reported),
    ...counted,
    ...owner,
  });
  return rows.length > 0;
}

const POSTPONE = statement<object, keyof MailKey | "failures" | "seconds" | "reason" | Fence>(`
  update mails set ${POSTPONED}
  where organization_id = :organization_id::uuid and id = :id::uuid and state = 'due'
    and failures = :failures::int and ${OWNS_SHARD}`);

/** Records that an attempt failed, and makes the mail due again after `seconds`. Repeating the call changes nothing. */
export async function postponeMail(
  sql: Connection,
  { organization_id, id, failures }: MailKey & { failures: number },
  retry: { owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  const { owner, seconds, reason } = retry;
  await POSTPONE.run(sql, { organization_id, id, failures, seconds, reason, ...owner });
}

/** Writes the mails about a disabled endpoint to those who want to know at once; returns how many. */
export async function insertEndpointDisabledMails(
  sql: Connection,
  {
    organization_id,
    endpoint_id,
    disabled_at,
  }: { organization_id: string; endpoint_id: string; disabled_at: Date },
): Promise<number> {
  const about = `${endpoint_id} ${disabled_at.toISOString()}`;
  const result = await sql`
    insert into mails (organization_id, kind, about, recipient)
    select notified.organization_id, 'endpoint_disabled', ${about}, notified.email
    from ${sql.unsafe(NOTIFIED)} as notified
    where notified.organization_id = ${organization_id} and notified.topic = 'endpoints'
      and notified.frequency = 'at_once'
    on conflict do nothing`;
  return result.count;
}

/** Deletes at most `limit` mails that ended before; returns how many. */
export async function deleteOldMails(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from mails where ctid = any (array(
      select ctid from mails where finished_at < ${before} order by finished_at limit ${limit}))`;
  return result.count;
}

export interface FirstCommissionRow {
  affiliate_id: string;
  commission_minor: bigint;
  currency: string;
  payable_at: Date;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  review_state: ReviewState;
}

/** Returns the commission that converted a referral. */
export async function findFirstCommission(
  sql: Connection,
  organizationId: string,
  referralId: string,
): Promise<FirstCommissionRow | null> {
  const [row] = await sql<FirstCommissionRow[]>`
    select affiliate_id, commission_minor, currency, payable_at, payout_status, review_state
    from commission_states
    where organization_id = ${organizationId} and referral_id = ${referralId} and reversal_of is null
      and lead is null and recruit_commission_id is null
    order by id limit 1`;
  return row ?? null;
}

/** Returns when a payout was paid; null: it is not. */
export async function findPaidAt(
  sql: Connection,
  organizationId: string,
  payoutId: string,
): Promise<Date | null> {
  const [row] = await sql<{ status_at: Date }[]>`
    select status_at from payouts
    where organization_id = ${organizationId} and id = ${payoutId} and status = 'paid'`;
  return row?.status_at ?? null;
}

export interface FailedPayoutRow {
  affiliate_name: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  status_reason: string | null;
  /** Whether the affiliate was erased, so that nobody can be paid. */
  is_erased: boolean;
}

/** Returns failed payouts, oldest first. */
export async function findFailedPayouts(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<FailedPayoutRow[]> {
  return await sql<FailedPayoutRow[]>`
    select affiliate_name, amount_minor, currency, period, status_reason, exists (
        select from affiliates affiliate
        where affiliate.organization_id = payout.organization_id and affiliate.id = payout.affiliate_id
          and erased_at is not null) as is_erased
    from payouts payout
    where organization_id = ${organizationId} and id = any (${ids}::uuid[])
    order by id`;
}

/** A mail that was given up: the mail server refused it too often. */
export interface GivenUpMailRow {
  id: string;
  kind: DueMail["kind"];
  /** Empty: the affiliate's address when the mail is sent. */
  recipient: string;
  affiliate_id: string | null;
  affiliate_email: string | null;
  reason: string | null;
  finished_at: Date | null;
}

/** Mails that were given up, the last one first. Few are: `most` bounds those that are sorted. */
export async function listGivenUpMails(
  sql: Connection,
  organizationId: string,
  { limit, most }: { limit: number; most: number },
): Promise<GivenUpMailRow[]> {
  return await sql<GivenUpMailRow[]>`
    select mail.id, mail.kind, mail.recipient, mail.affiliate_id, affiliate.email as affiliate_email, mail.reason,
      mail.finished_at
    from (
      select * from mails where organization_id = ${organizationId} and state = 'given_up' order by id limit ${most}
    ) mail
    left join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = mail.affiliate_id
    order by mail.finished_at desc, mail.id limit ${limit}`;
}

/** Makes mails due that were given up; returns the ids of those that were. */
export async function retryGivenUpMails(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; kind: DueMail["kind"] }[]> {
  return await sql<{ id: string; kind: DueMail["kind"] }[]>`
    update mails set state = 'due', due_at = now(), failures = 0, reason = null, finished_at = null
    where organization_id = ${organizationId} and state = 'given_up' and id = any (${[...ids]}::uuid[])
    returning id, kind`;
}
