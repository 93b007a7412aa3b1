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
  "refunds",
] as const;

export type Total = (typeof TOTALS)[number];

/** SQL: the sums of all totals. */
export const SUMS = TOTALS.map((total) => `sum(${total})::bigint as ${total}`).join(", ");

/** Before all rows. */
export const BEGINNING = new Date("2000-01-01T00:00:00.000Z");

/** SQL: from when on clicks are stored. */
export const FIRST_CLICK = `(
  select coalesce(min(bound[1]::timestamptz), '-infinity') from pg_inherits
  join pg_class partition on partition.oid = inhrelid
  cross join lateral regexp_match(pg_get_expr(relpartbound, partition.oid), 'FROM \\(''([^'']+)''\\)') as bound
  where inhparent = 'clicks'::regclass and not inhdetachpending)`;

/** SQL: the campaigns of affiliates. */
export const CAMPAIGNS = `(
      select id, campaign_id from affiliates where organization_id = :organization_id::uuid) as affiliate`;

/** The clicks of a visitor on a link within an hour of UTC count once, as they do in `affiliates.clicks`. */
const VISITORS = "date_trunc('hour', clicked_at, 'UTC'), affiliate_id, visitor_hash, code";

/** Conversions are found by their events, which are stored for longer, and otherwise by reading all referrals. */
export const RECENTLY = "now() - interval '7 days'";

/** SQL: the ledger entries of lost commissions, as an index has them. */
export const LOST_KINDS = "kind in ('reduced', 'restored', 'voided', 'reversed')";

/** SQL: the columns of a click's source. */
const CLICK = "code, landing_url, referrer, sub_id, country";
const NO_CLICK =
  "null::text as code, null::text as landing_url, null::text as referrer, null::text as sub_id, null::text as country";

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface Recorded {
  /** SQL of a time. */
  from: string;
  /** Null: until now. */
  until: string | null;
}

const times = (column: string, { from, until }: Recorded) =>
  `${column} >= ${from} ${until === null ? "" : `and ${column} < ${until}`}`;
const ids = (column: string, { from, until }: Recorded) =>
  `${column} >= first_id_of(${from}) ${until === null ? "" : `and ${column} < first_id_of(${until})`}`;

const CONVERSIONS = `
    select referral.affiliate_id, converted_at, '${NO_CURRENCY}', 0, 0, 1, 0, 0, 0, 0, referral.created_at, null::uuid,
      referral.id, ${NO_CLICK} from referrals referral
    where referral.organization_id = :organization_id::uuid and referral.replaced_at is null`;

/**
 * SQL: the counts of each row that was recorded in a range of hours of the organization, and their time: its
 * `affiliate_id`, `counted_at`, `currency` and totals. docs/totals.md defines them. Ids are made from the
 * time at which their rows are recorded, so each range is one of a primary key. `withSources` reads the other
 * columns.
 */
export function recordedIn(range: Recorded): string {
  const { from } = range;
  const conversion = `${CONVERSIONS} and ${times("converted_at", range)}`;
  return `
    ${createdWith(range)}
    union all
    ${conversion} and ${from} < ${RECENTLY}
    union all
    ${conversion} and ${from} >= ${RECENTLY} and id in (
      select (body::json -> 'data' ->> 'id')::uuid from events
      where organization_id = :organization_id::uuid and ${ids("id", range)} and type = 'referral.converted'
        and not test)`;
}

/**
 * SQL: the same for rows that were created in a range of hours, the last one with all later rows. Conversions
 * are here with their referrals, if they were recorded before `recorded_until`.
 */
export function createdIn({
  recorded_until,
  ...range
}: {
  from: string;
  until: string;
  recorded_until: string;
}): string {
  return `
    ${createdWith(range)}
    union all
    ${CONVERSIONS} and converted_at < ${recorded_until} and id >= first_id_of(${range.from})
      and id < case when ${range.until} < ${recorded_until} then first_id_of(${range.until}) else '${LAST_ID}'::uuid end`;
}

/** SQL: everything but conversions, which is recorded when its row is created. */
function createdWith(range: Recorded): string {
  return `
    select affiliate_id, referral_date as counted_at, currency, 0 as clicks, 0 as signups, 0 as conversions,
      revenue_minor, commission_minor, 0 as lost_minor, 0 as refunds, created_at, null::uuid as commission_id, referral_id,
      ${NO_CLICK}
    from commissions where organization_id = :organization_id::uuid and ${ids("id", range)} and not voided
    union all
    select affiliate_id, created_at, currency, 0, 0, 0, 0, 0, -unpaid_minor,
      case kind when 'restored' then -1 else 1 end, created_at, commission_id, null::uuid,
      ${NO_CLICK}
    from ledger_entries
    where organization_id = :organization_id::uuid and ${times("created_at", range)}
      and ${LOST_KINDS}
    union all
    select affiliate_id, signup_date, '${NO_CURRENCY}', 0, 1, 0, 0, 0, 0, 0, created_at, null::uuid, id, ${NO_CLICK}
    from referrals where organization_id = :organization_id::uuid and ${ids("id", range)} and replaced_at is null
    union all
    select affiliate_id, clicked_at, '${NO_CURRENCY}', 1, 0, 0, 0, 0, 0, 0, clicked_at, null::uuid, null::uuid, ${CLICK}
    from (
      select distinct on (${VISITORS}) * from clicks
      where organization_id = :organization_id::uuid and ${times("clicked_at", range)} and ${ids("id", range)}
      order by ${VISITORS}, id
    ) as first_click`;
}

/** SQL: the same for the differences to rows that were recorded before a time. `source` is total_changes. */
export function changedBefore(time: string, source = "total_changes"): string {
  return `
    select affiliate_id, counted_at, currency, 0 as clicks, signups, conversions, revenue_minor, commission_minor,
      0 as lost_minor, 0 as refunds, created_at, commission_id, referral_id, ${NO_CLICK}
    from ${source} where organization_id = :organization_id::uuid and recorded_at < ${time}`;
}
