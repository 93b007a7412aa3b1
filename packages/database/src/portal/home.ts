import type { MinimumPayoutsRow } from "../organizations/settings.ts";
import { PAYOUT_CALENDAR, type PayoutCalendarRow } from "../payouts/calendar.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { changedBefore, NO_CURRENCY, recordedIn } from "../reports/totals/sources.ts";

/** An affiliate of an organization. */
export interface OwnAffiliate {
  organization_id: string;
  affiliate_id: string;
}

type Own = keyof OwnAffiliate;

export interface PulseRow {
  /** The last ledger entry. */
  ledger: bigint | null;
  /** The amount of commissions in review. Their approval changes no ledger entry. */
  in_review: number;
  /** The newest referral. */
  referral: string | null;
  /** Versions of the rows of organization, campaign and affiliate. The affiliate's changes with each counted click. */
  organization: string;
  campaign: string;
  affiliate: string;
}

const READ_PULSE = statement<PulseRow, Own>(`
  select
    (select number from ledger_entries
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      order by number desc limit 1) as ledger,
    (select count(*)::int from unpaid_commissions
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
        and due_at = 'infinity') as in_review,
    (select id from referrals
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      order by id desc limit 1) as referral,
    (select xmin::text from organizations where id = :organization_id::uuid) as organization,
    (select xmin::text from campaigns campaign
      where campaign.organization_id = :organization_id::uuid and campaign.id = affiliate.campaign_id) as campaign,
    affiliate.xmin::text as affiliate
  from affiliates affiliate
  where affiliate.organization_id = :organization_id::uuid and affiliate.id = :affiliate_id::uuid`);

/**
 * Returns the values that change with an affiliate's money, referrals, clicks and settings: five rows by
 * their keys.
 */
export async function readPulse(sql: Connection, own: OwnAffiliate): Promise<PulseRow | null> {
  const [row] = await READ_PULSE.run(sql, { ...own });
  return row ?? null;
}

export interface PayoutTermsRow extends PayoutCalendarRow {
  minimum_payouts: MinimumPayoutsRow;
  /** The organization's. */
  currency: string;
  converts_minimum_payouts: boolean;
  /** Null: the affiliate is paid in each currency. */
  payout_currency: string | null;
  payout_email: string | null;
  /** Whether a person left the affiliate out of payout runs. */
  is_withheld: boolean;
  /** When that ends automatically; null: only a person ends it. */
  withheld_until: Date | null;
}

const FIND_TERMS = statement<PayoutTermsRow, Own>(`
  select ${PAYOUT_CALENDAR}, organization.minimum_payouts, organization.currency,
    organization.converts_minimum_payouts, affiliate.payout_currency, affiliate.payout_email,
    hold.affiliate_id is not null as is_withheld, hold.ends_at as withheld_until
  from affiliates affiliate
  join organizations organization on organization.id = affiliate.organization_id
  left join current_payout_holds hold
    on hold.organization_id = affiliate.organization_id and hold.affiliate_id = affiliate.id
  where affiliate.organization_id = :organization_id::uuid and affiliate.id = :affiliate_id::uuid`);

/** Returns the settings that the affiliate's next payout depends on. */
export async function findPayoutTerms(sql: Connection, own: OwnAffiliate): Promise<PayoutTermsRow | null> {
  const [row] = await FIND_TERMS.run(sql, { ...own });
  return row ?? null;
}

export interface OwedRow {
  currency: string;
  unpaid_minor: bigint;
  in_payout_minor: bigint;
  paid_minor: bigint;
  /** The part of the unpaid amount that is held now, and the part that is still held at the next run. */
  held_minor: bigint;
  held_then_minor: bigint;
  /** The held part that waits for a review. */
  in_review_minor: bigint;
  /** The held part by the day in which it becomes due, in order. */
  held_days: { on: string; minor: string }[];
}

const LIST_OWED = statement<OwedRow, Own | "now" | "next_on" | "time_zone">(`
  with next_run as materialized (
    select greatest(:now::timestamptz, :next_on::text::date::timestamp at time zone :time_zone::text) as run_at
  )
  select balance.currency, unpaid_minor, in_payout_minor, paid_minor, held.held_minor, held.held_then_minor,
    held.in_review_minor, held.held_days
  from balances balance
  cross join lateral (
    select coalesce(sum(minor), 0)::bigint as held_minor, coalesce(sum(minor_then), 0)::bigint as held_then_minor,
      coalesce(sum(minor) filter (where day = 'infinity'), 0)::bigint as in_review_minor,
      coalesce(json_agg(json_build_object('on', day, 'minor', minor::text) order by day)
        filter (where day < 'infinity'), '[]') as held_days
    from (
      select (due_at at time zone :time_zone::text)::date as day, sum(commission_minor) as minor,
        coalesce(sum(commission_minor) filter (where due_at > (select run_at from next_run)), 0) as minor_then
      from unpaid_commissions
      where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
        and currency = balance.currency and due_at > :now::timestamptz
      group by 1
    ) as of_day
  ) as held
  where balance.organization_id = :organization_id::uuid and balance.affiliate_id = :affiliate_id::uuid
  order by balance.currency`);

/**
 * Returns the affiliate's balances by currency, now and at the start of the day of the next run, if it has
 * one.
 */
export async function listOwed(
  sql: Connection,
  {
    now,
    next_on,
    time_zone,
    ...own
  }: OwnAffiliate & { now: Date; next_on: string | null; time_zone: string },
): Promise<OwedRow[]> {
  return await LIST_OWED.run(sql, { ...own, now, next_on, time_zone });
}

export interface DeductionRow {
  id: string;
  currency: string;
  amount_minor: bigint;
  reason: string;
  created_at: Date;
}

const LIST_DEDUCTIONS = statement<DeductionRow, Own | "limit">(`
  select id, currency, amount_minor, reason, created_at from (
    select adjustment.*, row_number() over (partition by adjustment.currency order by adjustment.id desc) as position
    from adjustments adjustment
    join unpaid_commissions unpaid
      on unpaid.organization_id = :organization_id::uuid and unpaid.commission_id = adjustment.id
    where adjustment.organization_id = :organization_id::uuid and adjustment.affiliate_id = :affiliate_id::uuid
      and adjustment.amount_minor < 0
  ) as deduction
  where position <= :limit::int order by id desc`);

/** Returns the affiliate's newest negative adjustments that no payout has deducted, at most `limit` in each currency. */
export async function listDeductions(
  sql: Connection,
  { limit, ...own }: OwnAffiliate & { limit: number },
): Promise<DeductionRow[]> {
  return await LIST_DEDUCTIONS.run(sql, { ...own, limit });
}

export interface AffiliateDayRow {
  /** Of all rows: the first and last day, and their time zone. */
  first_day: string;
  last_day: string;
  time_zone: string;
  /** Null: there are no totals at all. */
  day: string | null;
  currency: string;
  clicks: bigint;
  signups: bigint;
  conversions: bigint;
  commission_minor: bigint;
}

const SUMS = ["clicks", "signups", "conversions", "commission_minor"]
  .map((total) => `sum(${total})::bigint as ${total}`)
  .join(", ");
const SEALED_UNTIL = "(select sealed_until from period)";
const momentOf = (day: string) => `((${day})::timestamp at time zone (select time_zone from period))`;

/** The sealed totals are looked up by key, one day and currency after the other: days have a row for each affiliate. */
const LIST_DAYS = statement<AffiliateDayRow, Own | "now" | "days">(`
  with period as materialized (
    select sealed_until, time_zone, generation, (:now::timestamptz at time zone time_zone)::date as last_day,
      (:now::timestamptz at time zone time_zone)::date - :days::int + 1 as first_day
    from total_seals where organization_id = :organization_id::uuid
  ),
  currency as materialized (
    select '${NO_CURRENCY}' as currency
    union all
    select currency from balances
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
  ),
  counted as (
    select total.day, total.currency, total.clicks, total.signups, total.conversions, total.commission_minor
    from period
    cross join generate_series(0, :days::int - 1) as number
    cross join currency
    cross join lateral (
      select day, currency, clicks, signups, conversions, commission_minor from daily_totals
      where organization_id = :organization_id::uuid and generation = period.generation
        and currency = currency.currency and day = period.first_day + number and affiliate_id = :affiliate_id::uuid
      offset 0
    ) as total
    union all
    select (counted_at at time zone (select time_zone from period))::date, currency, clicks, signups, conversions,
      commission_minor
    from (${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${changedBefore(SEALED_UNTIL)}) as recent
    where affiliate_id = :affiliate_id::uuid
      and counted_at >= ${momentOf("select first_day from period")}
      and counted_at < ${momentOf("select last_day + 1 from period")}
  ),
  summed as (select day, currency, ${SUMS} from counted group by day, currency)
  select period.first_day::text, period.last_day::text, period.time_zone, summed.day::text,
    coalesce(summed.currency, '${NO_CURRENCY}') as currency, coalesce(summed.clicks, 0) as clicks,
    coalesce(summed.signups, 0) as signups, coalesce(summed.conversions, 0) as conversions,
    coalesce(summed.commission_minor, 0) as commission_minor
  from period left join summed on true
  order by summed.currency, summed.day`);

/** Returns an affiliate's totals of the last days, today included, by day and currency: docs/totals.md. */
export async function listAffiliateDays(
  sql: Connection,
  { now, days, ...own }: OwnAffiliate & { now: Date; days: number },
): Promise<AffiliateDayRow[]> {
  return await LIST_DAYS.run(sql, { ...own, now, days });
}
