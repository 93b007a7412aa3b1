import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** An affiliate who waits for approval. */
export interface WaitingAffiliateRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  payout_email: string | null;
  details: string | null;
  custom_fields: { id: string; label: string; value: string }[];
  campaign_id: string;
  campaign_name: string;
  created_at: Date;
  email_confirmed_at: Date | null;
  others: OtherAccount[];
}

/** Another affiliate with the same email or payout email. */
export interface OtherAccount {
  id: string;
  campaign_name: string;
  approved: boolean;
  banned: boolean;
  declined: boolean;
  left: boolean;
}

/** The most other affiliates to name for each application. */
const MAX_OTHERS = 5;

/** Returns applications with the affiliates that have the same address, oldest first. */
export async function listWaiting(
  sql: Connection,
  organizationId: string,
  {
    campaign_id,
    after,
    limit,
  }: { campaign_id: string | undefined; after: string | undefined; limit: number },
): Promise<WaitingAffiliateRow[]> {
  return await sql<WaitingAffiliateRow[]>`
    select waiting.id, waiting.email, waiting.first_name, waiting.last_name, waiting.payout_email, waiting.details,
      waiting.custom_fields, waiting.campaign_id, campaign.name as campaign_name, waiting.created_at,
      waiting.email_confirmed_at, others.others
    from (
      select * from affiliates
      where organization_id = ${organizationId} and not approved and not banned and declined_at is null
        ${campaign_id === undefined ? sql`` : sql`and campaign_id = ${campaign_id}`}
        ${after === undefined ? sql`` : sql`and id > ${after}`}
      order by id limit ${limit}
    ) as waiting
    join campaigns campaign on campaign.organization_id = ${organizationId} and campaign.id = waiting.campaign_id
    cross join lateral (
      select coalesce(json_agg(found order by found.id), '[]') as others from (
        select other.id, of_other.name as campaign_name, other.approved, other.banned,
          other.declined_at is not null as declined, other.left_at is not null as left
        from affiliates other
        join campaigns of_other on of_other.organization_id = ${organizationId} and of_other.id = other.campaign_id
        where other.organization_id = ${organizationId} and other.id <> waiting.id
          and lower(other.email) = any (array[lower(waiting.email), lower(waiting.payout_email)])
        limit ${MAX_OTHERS}) as found
    ) as others
    order by waiting.id`;
}

/** Counts those who wait, up to `most`. */
export async function countWaiting(
  sql: Connection,
  organizationId: string,
  { campaign_id, most }: { campaign_id: string | undefined; most: number },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from affiliates
      where organization_id = ${organizationId} and not approved and not banned and declined_at is null
        ${campaign_id === undefined ? sql`` : sql`and campaign_id = ${campaign_id}`}
      limit ${most}) as counted`;
  return row.count;
}

/** The parts of an affiliate that only the dashboard and the portal show. */
export interface AffiliateReviewRow {
  declined_at: Date | null;
  decline_reason: string | null;
  /** For the affiliate; null: none was given, or it is not banned. */
  ban_reason: string | null;
  left_at: Date | null;
  email_confirmed_at: Date | null;
  /** Null: the organization added it, and the person has not agreed. */
  agreed_at: Date | null;
  /** When the person said that the invitation is not theirs. */
  disowned_at: Date | null;
  /** When a mail is sent that waits for the next day's quota; null: none waits. */
  mail_waits_until: Date | null;
  /** Of the last mail that invites a person who has not agreed; null: none was written to this address, or it was deleted. */
  invitation_state: "due" | "sent" | "given_up" | null;
  /** When that mail is due, or ended. */
  invitation_at: Date | null;
  /** When another affiliate of the organization with the same address was last invited, or will be; null: none was. */
  others_invited_at: Date | null;
  /** The host name at which the organization has its portal; null: the service's. */
  portal_host: string | null;
  /** Whether the organization is test data, which has no portal. */
  is_test: boolean;
}

const REVIEW = statement<AffiliateReviewRow, "organization_id" | "id">(`
  select declined_at, decline_reason, ban_reason, left_at, email_confirmed_at, agreed_at, disowned_at, (
      select min(due_at) from mails
      where mails.organization_id = affiliate.organization_id and affiliate_id = affiliate.id and awaits_quota
    ) as mail_waits_until, invitation.state as invitation_state, invitation.at as invitation_at,
    case when agreed_at is null then (
      select max(coalesce(mail.finished_at, mail.due_at))
      from affiliates other
      join mails mail on mail.organization_id = other.organization_id and mail.affiliate_id = other.id
        and mail.kind = 'affiliate_approved' and mail.state in ('due', 'sent')
      where other.organization_id = affiliate.organization_id and lower(other.email) = lower(affiliate.email)
        and other.id <> affiliate.id and other.agreed_at is null
    ) end as others_invited_at,
    organization.portal_host, organization.test_of is not null as is_test
  from affiliates affiliate
  join organizations organization on organization.id = affiliate.organization_id
  left join lateral (
    select mail.state, coalesce(mail.finished_at, mail.due_at) as at from mails mail
    where mail.organization_id = affiliate.organization_id and mail.affiliate_id = affiliate.id
      and mail.kind = 'affiliate_approved' and mail.state <> 'dropped'
      -- A mail goes to the address of the moment in which it is sent.
      and (mail.state = 'due' or affiliate.email_changed_at is null or mail.finished_at > affiliate.email_changed_at)
    order by mail.created_at desc limit 1
  ) as invitation on affiliate.agreed_at is null
  where affiliate.organization_id = :organization_id::uuid and affiliate.id = :id::uuid`);

export async function findAffiliateReview(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<AffiliateReviewRow | null> {
  const [row] = await REVIEW.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

const DECLINE = statement<object, "organization_id" | "id" | "reason" | "at">(`
  update affiliates set declined_at = :at::timestamptz, decline_reason = :reason::text
  where organization_id = :organization_id::uuid and id = :id::uuid and not approved and not banned
    and declined_at is null
  returning id`);

/** Declines an application. False: the affiliate does not wait. */
export async function declineAffiliate(
  sql: Transaction,
  organizationId: string,
  declined: { id: string; reason: string | null; at: Date },
): Promise<boolean> {
  return (await DECLINE.run(sql, { organization_id: organizationId, ...declined })).length > 0;
}

const SET_BAN_REASON = statement<object, "organization_id" | "id" | "reason">(`
  update affiliates set ban_reason = :reason::text
  where organization_id = :organization_id::uuid and id = :id::uuid and banned`);

/** Stores why an affiliate is banned. The end of the ban removes it. */
export async function setBanReason(
  sql: Transaction,
  organizationId: string,
  banned: { id: string; reason: string },
): Promise<void> {
  await SET_BAN_REASON.run(sql, { organization_id: organizationId, ...banned });
}

const LEAVE = statement<object, "organization_id" | "id" | "at">(`
  update affiliates set banned = true, left_at = :at::timestamptz
  where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Records that an affiliate left. The caller has locked it. */
export async function setAffiliateLeft(
  sql: Transaction,
  organizationId: string,
  left: { id: string; at: Date },
): Promise<void> {
  await LEAVE.run(sql, { organization_id: organizationId, ...left });
}

const INSERT_MAIL = statement<object, "organization_id" | "kind" | "affiliate_id" | "about">(`
  insert into mails (organization_id, kind, about, affiliate_id)
  values (:organization_id::uuid, :kind::text, :about::text, :affiliate_id::uuid)`);

/** Writes the mail to an affiliate who was declined, or has left. */
export async function insertEndMail(
  sql: Transaction,
  organizationId: string,
  { kind, id, at }: { kind: "affiliate_declined" | "affiliate_left"; id: string; at: Date },
): Promise<void> {
  const about = `${id} ${at.toISOString()}`;
  await INSERT_MAIL.run(sql, { organization_id: organizationId, kind, affiliate_id: id, about });
}

const SET_CAMPAIGN = statement<object, "organization_id" | "id" | "campaign_id">(`
  update affiliates set campaign_id = :campaign_id::uuid
  where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Moves an affiliate to another campaign. Its totals move with it: a worker sums them up again. */
export async function setAffiliateCampaign(
  sql: Transaction,
  organizationId: string,
  moved: { id: string; campaign_id: string },
): Promise<void> {
  await SET_CAMPAIGN.run(sql, { organization_id: organizationId, ...moved });
}

export interface CodeOwnerRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
}

const CODE_OWNER = statement<CodeOwnerRow, "organization_id" | "kind" | "code">(`
  select affiliate.id, affiliate.email, affiliate.first_name, affiliate.last_name
  from affiliate_codes code
  join affiliates affiliate
    on affiliate.organization_id = code.organization_id and affiliate.id = code.affiliate_id
  where code.organization_id = :organization_id::uuid and code.kind = :kind::text
    and lower(code.code) = lower(:code::text)`);

/** Returns the affiliate who has a code, in any case. */
export async function findCodeOwner(
  sql: Connection,
  organizationId: string,
  code: { kind: "link" | "promo"; code: string },
): Promise<CodeOwnerRow | null> {
  const [row] = await CODE_OWNER.run(sql, { organization_id: organizationId, ...code });
  return row ?? null;
}

export interface AffiliateMonthRow {
  /** As `YYYY-MM`. */
  month: string;
  commission_minor: bigint;
  clicks: bigint;
}

const MONTHS = statement<AffiliateMonthRow, "organization_id" | "affiliate_id" | "currency">(`
  with day as (
    select day::date as day, seal.generation
    from organizations organization
    join total_seals seal on seal.organization_id = organization.id
    cross join lateral generate_series(
      date_trunc('month', now() at time zone organization.time_zone) - interval '11 months',
      now() at time zone organization.time_zone, interval '1 day') as day
    where organization.id = :organization_id::uuid
  )
  select to_char(day.day, 'YYYY-MM') as month, coalesce(sum(amount.commission_minor), 0)::bigint as commission_minor,
    coalesce(sum(counted.clicks), 0)::bigint as clicks
  from day
  left join daily_totals amount
    on amount.organization_id = :organization_id::uuid and amount.generation = day.generation
      and amount.currency = :currency::text and amount.day = day.day and amount.affiliate_id = :affiliate_id::uuid
  left join daily_totals counted
    on counted.organization_id = :organization_id::uuid and counted.generation = day.generation
      and counted.currency = 'XXX' and counted.day = day.day and counted.affiliate_id = :affiliate_id::uuid
  group by 1 order by 1`);

/** An affiliate's sealed totals of the last 12 months, oldest first: two probes of the primary key for each day. */
export async function listAffiliateMonths(
  sql: Connection,
  organizationId: string,
  { affiliate_id, currency }: { affiliate_id: string; currency: string },
): Promise<AffiliateMonthRow[]> {
  return await MONTHS.run(sql, { organization_id: organizationId, affiliate_id, currency });
}

/** Returns the affiliates of a campaign with these emails, which are in lower case. */
export async function findAffiliatesByEmail(
  sql: Connection,
  organizationId: string,
  { campaign_id, emails }: { campaign_id: string; emails: readonly string[] },
): Promise<{ id: string; email: string }[]> {
  return await sql<{ id: string; email: string }[]>`
    select id, lower(email) as email from affiliates
    where organization_id = ${organizationId} and campaign_id = ${campaign_id}
      and lower(email) = any (${[...emails]}::text[])`;
}
