// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

import type { ApiCall } from "../calls/api-call.ts";
import type { List } from "../calls/list.ts";
import type { Event } from "../resources/events.ts";
import type {
  ApproveCommission,
  CancelBacktest,
  CreateAdjustment,
  CreateAffiliate,
  CreateBacktest,
  CreateCampaign,
  CreateCommission,
  CreateConversion,
  CreatePortalToken,
  CreateReferral,
  CreditAffiliate,
  GetAdjustment,
  GetAffiliate,
  GetAffiliateRule,
  GetAffiliateTier,
  GetBacktest,
  GetCampaign,
  GetCommission,
  GetDiscount,
  GetEvent,
  GetLead,
  GetOverride,
  GetPayout,
  GetPerformance,
  GetPerformanceSeries,
  GetReferral,
  ListAdjustments,
  ListAffiliates,
  ListBacktests,
  ListCampaigns,
  ListCommissions,
  ListEvents,
  ListLeads,
  ListOverrides,
  ListPayouts,
  ListReferrals,
  MoveReferral,
  RejectCommission,
  RemoveAffiliateRule,
  ResumeOverride,
  SetAffiliateRule,
  StopReferral,
  UndoOverride,
  UpdateAdjustment,
  UpdateAffiliate,
  UpdateCampaign,
  UpdateCommission,
  UpdateReferral,
} from "../resources/requests.ts";
import type {
  Adjustment,
  Affiliate,
  AffiliateCommissionRules,
  AffiliateTiers,
  Backtest,
  BacktestSummary,
  Campaign,
  ClickDiscount,
  Commission,
  Conversion,
  Lead,
  Override,
  OverrideResult,
  Payout,
  Performance,
  PerformanceSeries,
  PortalToken,
  Referral,
  SetCommissionRules,
} from "../resources/resources.ts";
import type { CallOptions, CreateOptions } from "../settings/options.ts";

export interface CampaignOperations {
  /**
   * List campaigns. All campaigns of the organization, newest first. Await it for one page, or iterate over
   * it for all rows (100 per page unless `limit` is set).
   */
  list(input?: ListCampaigns, options?: CallOptions): List<Campaign>;
  /** Get a campaign. One campaign with all its settings. Errors: `not_found`. */
  get(input: GetCampaign, options?: CallOptions): ApiCall<Campaign>;
  /**
   * Create a campaign. A campaign defines how commission is computed and how its affiliates refer customers.
   * Defaults of omitted settings: no limit, no separate commissions for products and first payments, no
   * approval, `cookie_duration` 30, `customers` `new`, `attribution` `last_click`, `commission_cap` on,
   * everything else off or empty. `translations` has its texts in further languages of the portal. Affiliates
   * can join it by its address, `/portal/<slug>/<id>/join`, and the organization's public page does not list
   * it: to list it, or to close it, choose under “Portal” of the campaign in the dashboard who may join.
   * Errors: `idempotency_conflict`.
   */
  create(input: CreateCampaign, options?: CreateOptions): ApiCall<Campaign>;
  /**
   * Update a campaign. Omitted fields keep their values; null clears a nullable field. `translations`
   * replaces all translations; a change of `custom_fields` also removes the unchanged translations of removed
   * questions and choices. Read-only fields are accepted with their current values. Errors: `not_found`.
   */
  update(input: UpdateCampaign, options?: CallOptions): ApiCall<Campaign>;
}

export interface AffiliateOperations {
  /**
   * List affiliates. Affiliates with their campaigns, newest first. Filters combine: the list contains
   * affiliates that match all of them. A `campaign_id` that does not exist returns `not_found`. Await it for
   * one page, or iterate over it for all rows (100 per page unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListAffiliates, options?: CallOptions): List<Affiliate>;
  /** Get an affiliate. One affiliate with its links, promo codes and campaign. Errors: `not_found`. */
  get(input: GetAffiliate, options?: CallOptions): ApiCall<Affiliate>;
  /**
   * Create an affiliate. Creates the affiliate's link, its promo code, or both, depending on the campaign's
   * `code_mode`, and sends `affiliate.created`. Errors: `not_found`, `affiliate_exists`, `affiliate_banned`,
   * `code_taken`, `idempotency_conflict`.
   */
  create(input: CreateAffiliate, options?: CreateOptions): ApiCall<Affiliate>;
  /**
   * Update an affiliate. Omitted fields keep their values; null clears a nullable field. Read-only fields are
   * accepted with their current values. Approving sends `affiliate.approved`. An erased affiliate cannot be
   * restored: only its `approved` can change; other changes return `invalid_request`. Create a new affiliate
   * instead. Errors: `not_found`, `affiliate_exists`, `affiliate_banned`, `code_taken`.
   */
  update(input: UpdateAffiliate, options?: CallOptions): ApiCall<Affiliate>;
  /**
   * Credit an affiliate for a payment. A payment that earned nothing earns a commission for the affiliate, by
   * the terms of its campaign, also if a limit, a ban or an older click would refuse it. A customer without a
   * referral becomes the affiliate's from this payment on. Errors: `not_found`, `commission_exists`,
   * `override_refused`, `override_changed`, `idempotency_conflict`.
   */
  credit(input: CreditAffiliate, options?: CreateOptions): ApiCall<OverrideResult>;
}

export interface AffiliateRuleOperations {
  /**
   * Get an affiliate's commission rules. The rules of the affiliate's own, which precede those of its
   * campaign. Errors: `not_found`.
   */
  get(input: GetAffiliateRule, options?: CallOptions): ApiCall<AffiliateCommissionRules>;
  /**
   * Set affiliates' commission rules. Gives affiliates rules of their own from a time on: they precede those
   * of their campaigns. Rules that start at the same time are replaced. Payments that were decided before
   * keep their terms. Errors: `not_found`, `idempotency_conflict`.
   */
  set(input: SetAffiliateRule, options?: CreateOptions): ApiCall<SetCommissionRules>;
  /**
   * Remove an affiliate's commission rules. Removes the rules that start at a time, if there are any: the
   * ones before, or those of the campaign, last on. Payments that were decided before keep their terms.
   * Errors: `not_found`, `idempotency_conflict`.
   */
  remove(input: RemoveAffiliateRule, options?: CreateOptions): ApiCall<AffiliateCommissionRules>;
}

export interface AffiliateTierOperations {
  /**
   * Get an affiliate's tiers. The affiliate's number in the period of its campaign's tiers, and the changes
   * of its tier. Errors: `not_found`.
   */
  get(input: GetAffiliateTier, options?: CallOptions): ApiCall<AffiliateTiers>;
}

export interface ReferralOperations {
  /**
   * List referrals. Referred customers with their affiliates, newest first. Filters combine: the list
   * contains referrals that match all of them. An `affiliate_id` that does not exist returns `not_found`.
   * Await it for one page, or iterate over it for all rows (100 per page unless `limit` is set). Errors:
   * `not_found`.
   */
  list(input?: ListReferrals, options?: CallOptions): List<Referral>;
  /** Get a referral. One referred customer with the affiliate who referred them. Errors: `not_found`. */
  get(input: GetReferral, options?: CallOptions): ApiCall<Referral>;
  /**
   * Create a referral. Tracks a referred customer from a backend, and sends `referral.created`. Requires an
   * active or trialing subscription. Errors: `subscription_error`, `not_found`, `referral_exists`,
   * `idempotency_conflict`.
   */
  create(input: CreateReferral, options?: CreateOptions): ApiCall<Referral>;
  /**
   * Update a referral. Omitted fields keep their values; null clears a nullable field. Read-only fields are
   * accepted with their current values. Errors: `not_found`, `referral_exists`.
   */
  update(input: UpdateReferral, options?: CallOptions): ApiCall<Referral>;
  /**
   * Move a customer to another affiliate. The customer's payments from now on earn for the affiliate, by the
   * terms of its campaign. Earlier ones stay with the former affiliate, except for commissions in no payout
   * if `unpaid_commissions` is true. Limits and first payments count on. Errors: `not_found`,
   * `override_refused`, `override_changed`, `idempotency_conflict`.
   */
  move(input: MoveReferral, options?: CreateOptions): ApiCall<OverrideResult>;
  /**
   * Stop a customer from earning. The customer's payments from now on earn nothing (`customer_stopped`).
   * Earlier commissions stay; void them if they should not be paid. Errors: `not_found`, `override_refused`,
   * `override_changed`, `idempotency_conflict`.
   */
  stop(input: StopReferral, options?: CreateOptions): ApiCall<OverrideResult>;
}

export interface CommissionOperations {
  /**
   * List commissions. Commissions with their affiliates, referrals and payouts, newest first. Reversals of
   * paid commissions after a refund appear with negative amounts. An `affiliate_id` or `referral_id` that
   * does not exist returns `not_found`. Await it for one page, or iterate over it for all rows (100 per page
   * unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListCommissions, options?: CallOptions): List<Commission>;
  /**
   * Get a commission. One commission with its affiliate, its referral, and the payout that pays it. Errors:
   * `not_found`.
   */
  get(input: GetCommission, options?: CallOptions): ApiCall<Commission>;
  /**
   * Create a commission. For payments that no payment processor reports. Sends `commission.created`, and
   * `referral.converted` with the referral's first commission. Requires an active or trialing subscription.
   * Errors: `subscription_error`, `not_found`, `commission_exists`, `idempotency_conflict`.
   */
  create(input: CreateCommission, options?: CreateOptions): ApiCall<Commission>;
  /**
   * Update a commission. Omitted fields keep their values; null clears a nullable field. Read-only fields are
   * accepted with their current values. A commission in a payout can no longer be changed. Errors:
   * `not_found`, `commission_exists`, `commission_locked`.
   */
  update(input: UpdateCommission, options?: CallOptions): ApiCall<Commission>;
  /**
   * Approve a commission. Ends the review of a commission: payout runs pay it once its holding period is
   * over. A rejected commission can be approved, too, and gets the amount that its payment earns now. An
   * approved one stays unchanged; one that needs no review returns `commission_locked`. Errors: `not_found`,
   * `commission_locked`, `idempotency_conflict`.
   */
  approve(input: ApproveCommission, options?: CreateOptions): ApiCall<Commission>;
  /**
   * Reject a commission. Voids a commission in review, and keeps it voided when its payment earns again. The
   * affiliate does not see the reason. One that is rejected already stays unchanged; one that is not in
   * review returns `commission_locked`. Errors: `not_found`, `commission_locked`, `idempotency_conflict`.
   */
  reject(input: RejectCommission, options?: CreateOptions): ApiCall<Commission>;
}

export interface ConversionOperations {
  /**
   * Report a conversion. Records an event of a referred customer that your campaigns pay for by name
   * (`lead_commissions`), such as a booked demo, and sends `commission.created` if it earns. A referral has
   * at most one conversion of a name: a repetition changes nothing and returns the first one, with its
   * `outcome`. A customer without a referral returns `not_found`. Requires an active or trialing
   * subscription. Errors: `subscription_error`, `not_found`, `idempotency_conflict`.
   */
  create(input: CreateConversion, options?: CreateOptions): ApiCall<Conversion>;
}

export interface LeadOperations {
  /**
   * List leads. Sign-ups, trials and conversions of referrals, the last recorded first, with the amount that
   * each earned, or the reason why it earned nothing. A sign-up that the campaign does not pay for is not
   * recorded. An `affiliate_id` or `referral_id` that does not exist returns `not_found`. Await it for one
   * page, or iterate over it for all rows (100 per page unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListLeads, options?: CallOptions): List<Lead>;
  /**
   * Get a lead. One sign-up, trial or conversion with its current outcome. A conversion has the id that `POST
   * /conversions` returned. Errors: `not_found`.
   */
  get(input: GetLead, options?: CallOptions): ApiCall<Lead>;
}

export interface DiscountOperations {
  /**
   * Get the discount of a click. Returns the discount that the visitor of a click gets by link
   * (`link_discount` of the campaign), with the promotion code for the checkout. `reason` says why there is
   * none: a click that does not count is `unknown_click`.
   */
  get(input: GetDiscount, options?: CallOptions): ApiCall<ClickDiscount>;
}

export interface AdjustmentOperations {
  /**
   * List adjustments. Adjustments of affiliates' balances, newest first. An `affiliate_id`, `commission_id`
   * or `payout_id` that does not exist returns `not_found`. Await it for one page, or iterate over it for all
   * rows (100 per page unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListAdjustments, options?: CallOptions): List<Adjustment>;
  /** Get an adjustment. One adjustment with its reason and the payout that has it. Errors: `not_found`. */
  get(input: GetAdjustment, options?: CallOptions): ApiCall<Adjustment>;
  /**
   * Create an adjustment. Changes an affiliate's balance by a signed amount without a customer: a bonus, a
   * correction, or the clawback of a paid commission. The amount is due at once. If the balance is negative
   * afterwards, later payouts deduct it. Sends no event. Errors: `not_found`, `idempotency_conflict`.
   */
  create(input: CreateAdjustment, options?: CreateOptions): ApiCall<Adjustment>;
  /**
   * Update an adjustment. Withdraws an adjustment that is in no payout, or restores it. Read-only fields are
   * accepted with their current values. Create an opposite adjustment for one that is in a payout. Errors:
   * `not_found`, `adjustment_locked`.
   */
  update(input: UpdateAdjustment, options?: CallOptions): ApiCall<Adjustment>;
}

export interface PayoutOperations {
  /**
   * List payouts. Payouts with their affiliates, newest first. A payout run in the dashboard creates them,
   * one per affiliate and currency; the API is read-only. An `affiliate_id` that does not exist returns
   * `not_found`. Await it for one page, or iterate over it for all rows (100 per page unless `limit` is set).
   * Errors: `not_found`.
   */
  list(input?: ListPayouts, options?: CallOptions): List<Payout>;
  /** Get a payout. One payout with its status, its method and the payee. Errors: `not_found`. */
  get(input: GetPayout, options?: CallOptions): ApiCall<Payout>;
}

export interface OverrideOperations {
  /**
   * List overrides. People's decisions about customers in place of attribution, the newest first, including
   * undone ones. A `referral_id` that does not exist returns `not_found`. Await it for one page, or iterate
   * over it for all rows (100 per page unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListOverrides, options?: CallOptions): List<Override>;
  /** Get an override. One decision of a person about a customer. Errors: `not_found`. */
  get(input: GetOverride, options?: CallOptions): ApiCall<Override>;
  /**
   * Resume a stopped customer. Ends a stop: payments from now on earn again. To have the payments in between
   * earn as well, undo the stop instead. Errors: `not_found`, `override_refused`, `override_changed`,
   * `idempotency_conflict`.
   */
  resume(input: ResumeOverride, options?: CreateOptions): ApiCall<OverrideResult>;
  /**
   * Undo an override. Everything is as if it had never been made. Commissions that were put into a payout
   * since are reversed, and the next payouts net the difference; a dry run shows it. Errors: `not_found`,
   * `override_refused`, `override_changed`, `idempotency_conflict`.
   */
  undo(input: UndoOverride, options?: CreateOptions): ApiCall<OverrideResult>;
}

export interface BacktestOperations {
  /**
   * List backtests. The organization's last ten, newest first, without their results. Await it for one page,
   * or iterate over it for all rows (100 per page unless `limit` is set).
   */
  list(input?: ListBacktests, options?: CallOptions): List<BacktestSummary>;
  /**
   * Get a backtest. Its progress, and its result once it has finished. Results are stored for 30 days.
   * Errors: `not_found`.
   */
  get(input: GetBacktest, options?: CallOptions): ApiCall<Backtest>;
  /**
   * Start a backtest. Decides past payments again by a draft of a campaign's settings, of affiliates' own
   * rules, or of both, and changes nothing. The result has the cost before and after by month, the affiliates
   * who lose and gain most, and payments that would be decided differently. One backtest of an organization
   * runs at a time: this one cancels another that runs. Poll `GET /backtests/{id}` until `state` is not
   * `running`. Errors: `not_found`, `jobs_running`, `idempotency_conflict`.
   */
  create(input: CreateBacktest, options?: CreateOptions): ApiCall<BacktestSummary>;
  /**
   * Cancel a backtest. Ends a backtest that runs, within a few seconds; it has no result then. One that has
   * ended stays as it is. Errors: `not_found`, `idempotency_conflict`.
   */
  cancel(input: CancelBacktest, options?: CreateOptions): ApiCall<BacktestSummary>;
}

export interface EventOperations {
  /**
   * List events. The events of the last 90 days as sent to webhook endpoints, oldest first, so that a
   * subscriber can read missed events. To continue, pass `after` with the `next_cursor` of the previous page
   * or the id of the last event you have; no event is skipped. (`cursor`, as in other lists, is an alias.)
   * `created_after` starts at a time, and `order=newest_first` starts at the end of the feed. Await it for
   * one page, or iterate over it for all rows (100 per page unless `limit` is set). Errors: `not_found`.
   */
  list(input?: ListEvents, options?: CallOptions): List<Event>;
  /**
   * Get an event. An event of the last 90 days as sent, by the `webhook-id` of its deliveries. Available as
   * soon as the event occurs. Errors: `not_found`.
   */
  get(input: GetEvent, options?: CallOptions): ApiCall<Event>;
}

export interface AnalyticOperations {
  /**
   * Get the performance. Clicks, sign-ups, conversions, revenue and commissions by affiliate, campaign, link,
   * landing page, referrer, sub-id or country, of a period and the one before. Days are in the organization's
   * time zone. Errors: `not_found`.
   */
  get(input: GetPerformance, options?: CallOptions): ApiCall<Performance>;
  /**
   * Get the performance over time. The same metrics for each day, week or month of a period and the one
   * before, at most 400 points: of everything, or of one row of `GET /analytics/performance`, by its `key`.
   * The answer has one series. Errors: `not_found`.
   */
  series(input: GetPerformanceSeries, options?: CallOptions): ApiCall<PerformanceSeries>;
}

export interface PortalTokenOperations {
  /**
   * Create a portal token. Opens the portal of one affiliate in a frame of your own product, where the
   * affiliate is signed in. The token is accepted once, within two minutes. The frame needs no agreement of
   * the person: it shows your own program alone, also of an affiliate that you added and that has not
   * accepted the invitation in the portal. It shows affiliates that are waiting, declined or banned the page
   * of their state. With an `Idempotency-Key`, a repeated request returns the same token, which is still
   * accepted once: use a new key for each page. More than 30 tokens for an affiliate within two minutes
   * return `rate_limited`. Errors: `not_found`, `idempotency_conflict`.
   */
  create(input: CreatePortalToken, options?: CreateOptions): ApiCall<PortalToken>;
}

/** Every operation of the API, by resource. */
export interface Findersfee {
  readonly campaigns: CampaignOperations;
  readonly affiliates: AffiliateOperations;
  readonly affiliate_rules: AffiliateRuleOperations;
  readonly affiliate_tiers: AffiliateTierOperations;
  readonly referrals: ReferralOperations;
  readonly commissions: CommissionOperations;
  readonly conversions: ConversionOperations;
  readonly leads: LeadOperations;
  readonly discounts: DiscountOperations;
  readonly adjustments: AdjustmentOperations;
  readonly payouts: PayoutOperations;
  readonly overrides: OverrideOperations;
  readonly backtests: BacktestOperations;
  readonly events: EventOperations;
  readonly analytics: AnalyticOperations;
  readonly portal_tokens: PortalTokenOperations;
}
