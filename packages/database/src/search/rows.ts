import { FINITE_DUE_AT } from "../commissions/reviews.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { ReviewState } from "../rows.ts";
import { PAYOUTS_OF_AFFILIATES } from "./matches.ts";

/* The shown fields of rows that a search found. */

export interface FoundAffiliateRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  approved: boolean;
  banned: boolean;
  declined: boolean;
  left: boolean;
  /** The codes, former ones included. */
  codes: string[];
}

type Ids = "organization_id" | "ids";

const AFFILIATES = statement<FoundAffiliateRow, Ids>(`
  select id, email, first_name, last_name, approved, banned, declined_at is not null as declined,
    left_at is not null as left,
    array(select code from affiliate_codes
      where organization_id = :organization_id::uuid and affiliate_id = affiliate.id order by id limit 20) as codes
  from affiliates affiliate
  where organization_id = :organization_id::uuid and id = any (:ids::text[]::uuid[])`);

export async function readFoundAffiliates(
  sql: Connection,
  organization_id: string,
  ids: readonly string[],
): Promise<FoundAffiliateRow[]> {
  return ids.length === 0 ? [] : await AFFILIATES.run(sql, { organization_id, ids });
}

/** The name of a row's affiliate. */
interface AffiliateName {
  affiliate_email: string;
  first_name: string;
  last_name: string;
}

export interface FoundCustomerRow extends AffiliateName {
  id: string;
  email: string;
  processor_customer_id: string | null;
  subscription_status: string;
}

const CUSTOMERS = statement<FoundCustomerRow, Ids>(`
  select referral.id, referral.email, processor_customer_id, subscription_status, affiliate.email as affiliate_email,
    first_name, last_name
  from referrals referral
  join affiliates affiliate
    on affiliate.organization_id = :organization_id::uuid and affiliate.id = referral.affiliate_id
  where referral.organization_id = :organization_id::uuid and referral.id = any (:ids::text[]::uuid[])`);

export async function readFoundCustomers(
  sql: Connection,
  organization_id: string,
  ids: readonly string[],
): Promise<FoundCustomerRow[]> {
  return ids.length === 0 ? [] : await CUSTOMERS.run(sql, { organization_id, ids });
}

export interface FoundPaymentRow {
  id: string;
  payment_id: string;
  /** Null: no email of the customer is known. */
  customer_email: string | null;
  outcome: string;
  revenue_minor: bigint;
  currency: string;
  paid_at: Date;
}

const PAYMENTS = statement<FoundPaymentRow, Ids>(`
  select decision.id, payment_id, coalesce(referral.email, known.email) as customer_email, outcome, revenue_minor, currency,
    paid_at
  from payment_decisions decision
  left join referrals referral
    on referral.organization_id = :organization_id::uuid and referral.id = decision.referral_id
  left join lateral (
    select substr(key, 7) as email from customer_keys
    where organization_id = :organization_id::uuid and customer_id = decision.customer_id and starts_with(key, 'email:')
    limit 1
  ) as known on true
  where decision.organization_id = :organization_id::uuid and decision.id = any (:ids::text[]::uuid[])
    and decision.replaced_at is null
  order by paid_at desc, decision.id desc`);

/** The latest payments first. */
export async function readFoundPayments(
  sql: Connection,
  organization_id: string,
  ids: readonly string[],
): Promise<FoundPaymentRow[]> {
  return ids.length === 0 ? [] : await PAYMENTS.run(sql, { organization_id, ids });
}

export interface FoundCommissionRow extends AffiliateName {
  id: string;
  customer_email: string;
  processor_payment_id: string | null;
  commission_minor: bigint;
  currency: string;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  /** When a payout run takes it; null: it is in a payout, void or in review. */
  due_at: Date | null;
  review_state: ReviewState;
}

const COMMISSIONS = statement<FoundCommissionRow, Ids>(`
  select commission.id, referral.email as customer_email, processor_payment_id, commission.commission_minor,
    commission.currency, payout_status(commission.voided, placed.payout_id, payout.status) as payout_status,
    ${FINITE_DUE_AT} as due_at, commission.review_state,
    affiliate.email as affiliate_email, first_name, last_name
  from commissions commission
  join affiliates affiliate
    on affiliate.organization_id = :organization_id::uuid and affiliate.id = commission.affiliate_id
  join referrals referral
    on referral.organization_id = :organization_id::uuid and referral.id = commission.referral_id
  left join unpaid_commissions unpaid
    on unpaid.organization_id = :organization_id::uuid and unpaid.commission_id = commission.id
  left join lateral (
    select payout_id from payout_commissions
    where organization_id = :organization_id::uuid and affiliate_id = commission.affiliate_id
      and commission_id = commission.id
    offset 0
  ) as placed on true
  left join lateral (
    select status from payouts where organization_id = :organization_id::uuid and id = placed.payout_id offset 0
  ) as payout on true
  where commission.organization_id = :organization_id::uuid and commission.id = any (:ids::text[]::uuid[])
  order by commission.id desc`);

/** The newest commissions first. */
export async function readFoundCommissions(
  sql: Connection,
  organization_id: string,
  ids: readonly string[],
): Promise<FoundCommissionRow[]> {
  return ids.length === 0 ? [] : await COMMISSIONS.run(sql, { organization_id, ids });
}

export interface FoundPayoutRow {
  id: string;
  affiliate_name: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  status: string;
}

const PAYOUTS = statement<FoundPayoutRow, Ids | "affiliate_ids" | "most">(`
  select id, affiliate_name, amount_minor, currency, period, status from payouts
  where organization_id = :organization_id::uuid
    and id = any (:ids::text[]::uuid[] || array(${PAYOUTS_OF_AFFILIATES}))
  order by id desc`);

/** Returns some payouts and the newest ones of some affiliates, at most `most` of each; the newest first. */
export async function readFoundPayouts(
  sql: Connection,
  organization_id: string,
  payouts: { ids: readonly string[]; affiliate_ids: readonly string[]; most: number },
): Promise<FoundPayoutRow[]> {
  return await PAYOUTS.run(sql, { organization_id, ...payouts });
}

export interface FoundEndpointRow {
  id: string;
  url: string;
  description: string;
  enabled: boolean;
}

const ENDPOINTS = statement<FoundEndpointRow, "organization_id" | "text" | "read" | "most">(`
  select id, url, description, enabled from (
    select id, url, description, enabled from endpoints
    where organization_id = :organization_id::uuid order by id desc limit :read::int
  ) as newest
  where strpos(lower(url), :text::text) > 0 or strpos(lower(description), :text::text) > 0
    or starts_with(id::text, :text::text) or right(id::text, 8) = :text::text
  limit :most::int`);

/** Returns some of the newest endpoints with a text in lower case in their address, description or id. */
export async function searchEndpoints(
  sql: Connection,
  organization_id: string,
  search: { text: string; read: number; most: number },
): Promise<FoundEndpointRow[]> {
  return await ENDPOINTS.run(sql, { organization_id, ...search });
}
