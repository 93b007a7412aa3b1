import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { FailedPayoutRow } from "./mails.ts";

/*
 * Waiting items and recent events for owners and admins, for the mails about them. Each list has the newest
 * first, up to `most`.
 */

/**
 * How long a digest lists items that need no decision: a payout that failed, or an endpoint that was
 * disabled.
 */
const RECENT = "interval '7 days'";

interface NamedRow {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
}

export interface ApplicationNoticeRow extends NamedRow {
  campaign_name: string;
}

const APPLICATIONS = statement<ApplicationNoticeRow, "organization_id" | "most">(`
  select waiting.id, waiting.first_name, waiting.last_name, waiting.email, campaign.name as campaign_name
  from affiliates waiting
  join campaigns campaign
    on campaign.organization_id = waiting.organization_id and campaign.id = waiting.campaign_id
  where waiting.organization_id = :organization_id::uuid and not waiting.approved and not waiting.banned
    and waiting.declined_at is null
  order by waiting.id desc limit :most::int`);

/** Affiliates who wait for a decision. */
export function listWaitingApplications(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<ApplicationNoticeRow[]> {
  return APPLICATIONS.run(sql, { organization_id: organizationId, most });
}

export interface ClaimNoticeRow extends NamedRow {
  /** As `YYYY-MM-DD`. */
  paid_on: string;
}

const CLAIMS = statement<ClaimNoticeRow, "organization_id" | "most">(`
  select claim.id, affiliate.first_name, affiliate.last_name, affiliate.email, claim.paid_on::text as paid_on
  from claims claim
  join affiliates affiliate
    on affiliate.organization_id = claim.organization_id and affiliate.id = claim.affiliate_id
  where claim.organization_id = :organization_id::uuid and claim.state = 'open'
  order by claim.id desc limit :most::int`);

/** Missing sales that wait for a decision, with their affiliates. */
export function listOpenClaims(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<ClaimNoticeRow[]> {
  return CLAIMS.run(sql, { organization_id: organizationId, most });
}

export interface DeadMessageRow {
  processor: string;
  id: string;
  type: string;
  reason: string | null;
}

const MESSAGES = statement<DeadMessageRow, "organization_id" | "most">(`
  select processor, id, type, reason from processor_messages
  where organization_id = :organization_id::uuid and state = 'parked'
  order by received_at desc limit :most::int`);

/** Messages of processors that were given up. */
export function listDeadMessages(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<DeadMessageRow[]> {
  return MESSAGES.run(sql, { organization_id: organizationId, most });
}

export interface StripeEventsRow {
  missing_events: string[] | null;
  events_check_error: string | null;
}

/** SQL: whether the endpoint at Stripe lacks something, of a row of `processors`. */
const LACKS_EVENTS = "(events_check_error is not null or cardinality(missing_events) > 0)";

const STRIPE = statement<StripeEventsRow, "organization_id">(`
  select missing_events, events_check_error from processors
  where organization_id = :organization_id::uuid and name = 'stripe' and ${LACKS_EVENTS}`);

/** The events that the endpoint at Stripe lacks; null: none, or it was not checked. */
export async function findStripeProblem(
  sql: Connection,
  organizationId: string,
): Promise<StripeEventsRow | null> {
  const [row] = await STRIPE.run(sql, { organization_id: organizationId });
  return row ?? null;
}

export interface DisabledEndpointRow {
  id: string;
  url: string;
  disabled_at: Date | null;
}

/** SQL: whether the service has disabled a row of `endpoints` lately. */
const IS_DISABLED = `(not enabled and disabled_reason <> 'operator' and disabled_at > now() - ${RECENT})`;

const ENDPOINTS = statement<DisabledEndpointRow, "organization_id" | "most">(`
  select id, url, disabled_at from endpoints
  where organization_id = :organization_id::uuid and ${IS_DISABLED}
  order by disabled_at desc limit :most::int`);

/** Endpoints that the service disabled in the last days. */
export function listDisabledEndpoints(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<DisabledEndpointRow[]> {
  return ENDPOINTS.run(sql, { organization_id: organizationId, most });
}

export interface RecentFailedPayoutRow extends FailedPayoutRow {
  id: string;
}

const HAS_FAILED = `(status = 'failed' and status_at > now() - ${RECENT})`;

const PAYOUTS = statement<RecentFailedPayoutRow, "organization_id" | "most">(`
  select payout.id, payout.affiliate_name, payout.amount_minor, payout.currency, payout.period, payout.status_reason,
    affiliate.erased_at is not null as is_erased
  from payouts payout
  join affiliates affiliate
    on affiliate.organization_id = payout.organization_id and affiliate.id = payout.affiliate_id
  where payout.organization_id = :organization_id::uuid and ${HAS_FAILED}
  order by payout.status_at desc limit :most::int`);

/** Payouts that failed in the last days. */
export function listFailedPayouts(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<RecentFailedPayoutRow[]> {
  return PAYOUTS.run(sql, { organization_id: organizationId, most });
}

export interface RunToApproveRow {
  id: string;
  period: string;
  number: number;
}

const RUNS = statement<RunToApproveRow, "organization_id" | "user_id" | "most">(`
  select id, period, number from payout_runs
  where organization_id = :organization_id::uuid and approval = 'waiting' and starter_id is distinct from :user_id::uuid
  order by id desc limit :most::int`);

/** Payout runs that wait for an approval which a member can give: somebody else started them. */
export function listRunsToApprove(
  sql: Connection,
  organizationId: string,
  { user_id, most }: { user_id: string; most: number },
): Promise<RunToApproveRow[]> {
  return RUNS.run(sql, { organization_id: organizationId, user_id, most });
}

/** SQL: whether anything is in one of the lists above, by the topic of a row `notified`. */
export const SOMETHING_WAITS = `case notified.topic
    when 'applications' then exists (
      select from affiliates
      where organization_id = notified.organization_id and not approved and not banned and declined_at is null)
    when 'claims' then exists (
      select from claims where organization_id = notified.organization_id and state = 'open')
    when 'connections' then exists (
        select from processor_messages where organization_id = notified.organization_id and state = 'parked')
      or exists (
        select from processors
        where organization_id = notified.organization_id and name = 'stripe' and ${LACKS_EVENTS})
    when 'endpoints' then exists (
      select from endpoints where organization_id = notified.organization_id and ${IS_DISABLED})
    when 'payouts' then exists (
      select from payouts where organization_id = notified.organization_id and ${HAS_FAILED})
    when 'payout_runs' then exists (
      select from payout_runs where organization_id = notified.organization_id and approval = 'waiting')
  end`;
