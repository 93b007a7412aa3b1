/** ISO 4217's code for "no currency": of rows that count clicks, sign-ups and conversions. */
export const NO_CURRENCY = "XXX";

/** The totals of a row, in the order of their columns. */
export const TOTALS = [
  "clicks",
  "signups",
  "conversions",
  "revenue_minor",
  "commission_minor",
  "lost_minor",
] as const;

export type Total = (typeof TOTALS)[number];

/** SQL: the sums of all totals. */
export const SUMS = TOTALS.map((total) => `sum(${total})::bigint as ${total}`).join(", ");

/** SQL: the campaigns of affiliates. */
export const CAMPAIGNS = `(
      select id, campaign_id from affiliates where organization_id = :organization_id::uuid) as affiliate`;

/** The clicks of a visitor on a link within an hour of UTC count once, as they do in `affiliates.clicks`. */
const VISITORS = "date_trunc('hour', clicked_at, 'UTC'), affiliate_id, visitor_hash, code";

/** Conversions are found by their events, which are stored for longer, and otherwise by reading all referrals. */
const RECENTLY = "now() - interval '7 days'";

interface Recorded {
  /** SQL of a time. */
  from: string;
  /** Null: until now. */
  until: string | null;
}

/**
 * SQL: what each row counts that was recorded in a range of hours of the organization, and when: its `affiliate_id`,
 * `counted_at`, `currency` and totals. docs/totals.md defines them. Ids are made from the time at which their
 * rows are recorded, so each range is one of a primary key.
 */
export function recordedIn({ from, until }: Recorded): string {
  const times = (column: string) =>
    `${column} >= ${from} ${until === null ? "" : `and ${column} < ${until}`}`;
  const ids = (column: string) =>
    `${column} >= first_id_of(${from}) ${until === null ? "" : `and ${column} < first_id_of(${until})`}`;
  const conversion = `select referral.affiliate_id, converted_at, '${NO_CURRENCY}', 0, 0, 1, 0, 0, 0 from referrals referral
    where referral.organization_id = :organization_id::uuid and referral.replaced_at is null and ${times("converted_at")}`;
  return `
    select affiliate_id, referral_date as counted_at, currency, 0 as clicks, 0 as signups, 0 as conversions,
      revenue_minor, commission_minor, 0 as lost_minor
    from commissions where organization_id = :organization_id::uuid and ${ids("id")} and not voided
    union all
    select affiliate_id, created_at, currency, 0, 0, 0, 0, 0, -unpaid_minor
    from ledger_entries
    where organization_id = :organization_id::uuid and ${times("created_at")}
      and kind in ('reduced', 'restored', 'voided', 'reversed')
    union all
    select affiliate_id, signup_date, '${NO_CURRENCY}', 0, 1, 0, 0, 0, 0
    from referrals where organization_id = :organization_id::uuid and ${ids("id")} and replaced_at is null
    union all
    ${conversion} and ${from} < ${RECENTLY}
    union all
    ${conversion} and ${from} >= ${RECENTLY} and id in (
      select (body::json -> 'data' ->> 'id')::uuid from events
      where organization_id = :organization_id::uuid and ${ids("id")} and type = 'referral.converted' and not test)
    union all
    select affiliate_id, min(clicked_at), '${NO_CURRENCY}', 1, 0, 0, 0, 0, 0
    from clicks where organization_id = :organization_id::uuid and ${times("clicked_at")} and ${ids("id")}
    group by ${VISITORS}`;
}

/** SQL: the same of the differences to rows that were recorded before a time. `source` is total_changes. */
export function changedBefore(time: string, source = "total_changes"): string {
  return `
    select affiliate_id, counted_at, currency, 0 as clicks, signups, conversions, revenue_minor, commission_minor,
      0 as lost_minor
    from ${source} where organization_id = :organization_id::uuid and recorded_at < ${time}`;
}
