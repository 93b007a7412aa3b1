import { LOST_KINDS, NO_CURRENCY, TOTALS } from "./sources.ts";

/*
 * The sources that clicks, sign-ups and sales came from, in SQL. A commission has that of its referral, so it changes with the
 * referral's; docs/totals.md says how sealed totals follow.
 */

const CLICK = ["code", "landing_url", "referrer", "sub_id", "country"];
const OF_REFERRAL = [
  ["code", "link_code"],
  ["landing_url", "landing_url"],
  ["referrer", "referrer"],
  ["sub_id", "sub_id"],
  ["country", "visitor_country"],
  ["customer_country", "customer_country"],
] as const;

const COUNTED = `affiliate_id, counted_at, currency, ${TOTALS.join(", ")}, created_at`;

/**
 * SQL: rows of `recordedIn`, `createdIn` or `changedBefore`, each with its source. By keys: Postgres cannot know how few rows an hour
 * has, and would read all commissions and referrals for a join.
 */
export function withSources(rows: string): string {
  const source = OF_REFERRAL.map(([name, column]) =>
    CLICK.includes(name)
      ? `coalesce(counted.${name}, referral.${column}) as ${name}`
      : `referral.${column} as ${name}`,
  );
  return `
    select ${COUNTED.replace(/\w+/g, (column) => `counted.${column}`)}, ${source.join(", ")}
    from (${rows}) as counted
    left join lateral (
      select referral_id from commissions
      where organization_id = :organization_id::uuid and id = counted.commission_id
      offset 0
    ) as commission on true
    left join lateral (
      select * from referrals
      where organization_id = :organization_id::uuid and id = coalesce(counted.referral_id, commission.referral_id)
      offset 0
    ) as referral on true`;
}

/** SQL, common table expressions: subjects with another source than at their seal. `moves` is total_moves. */
export function movedSubjects(moves = "total_moves"): string {
  return `
  former_source as materialized (
    select distinct on (referral_id) referral_id as id, ${OF_REFERRAL.map(([, column]) => column).join(", ")}
    from ${moves} where organization_id = :organization_id::uuid and commission_id is null order by referral_id, number
  ),
  former_referral as materialized (
    select distinct on (commission_id) commission_id, referral_id
    from ${moves} where organization_id = :organization_id::uuid and commission_id is not null
    order by commission_id, number
  ),
  moved_commission as materialized (
    select commission.id, former.referral_id as former_id, commission.referral_id as present_id
    from former_referral former
    join commissions commission
      on commission.organization_id = :organization_id::uuid and commission.id = former.commission_id
    union all
    select commission.id, commission.referral_id, commission.referral_id
    from former_source
    join commissions commission
      on commission.organization_id = :organization_id::uuid and commission.referral_id = former_source.id
    where not exists (select from former_referral former where former.commission_id = commission.id)
  )`;
}

interface Summed {
  /** SQL of a time: rows created before it are in the totals. */
  created: string;
  /** Conversions, which are recorded later than their referrals. */
  converted: string;
  /** SQL, rows of `changedBefore`: the changes of these rows that the totals do not have. */
  changes: string;
}

const PLACE = "former_id, present_id";

/**
 * SQL: takes the totals of moved subjects from their former sources, and adds them to the present ones. The totals have the
 * present rows less the waiting changes, all of one snapshot.
 */
export function movedTotals({ created, converted, changes }: Summed): string {
  const signed = TOTALS.map((total) => `side.sign * moved.${total} as ${total}`).join(", ");
  const negated = TOTALS.map((total) => `-change.${total}`).join(", ");
  const change = `change.affiliate_id, change.counted_at, change.currency, ${negated}, change.created_at`;
  const source = OF_REFERRAL.map(
    ([name, column]) =>
      `case when former.id is null then referral.${column} else former.${column} end as ${name}`,
  );
  const ofReferrals = `
      from former_source join referrals referral
        on referral.organization_id = :organization_id::uuid and referral.id = former_source.id
      where referral.replaced_at is null and referral.id < first_id_of(${created})`;
  return `
    select moved.affiliate_id, moved.counted_at, moved.currency, ${signed}, moved.created_at, ${source.join(", ")}
    from (
      select commission.affiliate_id, commission.referral_date as counted_at, commission.currency, 0 as clicks, 0 as signups,
        0 as conversions, commission.revenue_minor, commission.commission_minor, 0 as lost_minor, 0 as refunds, commission.created_at,
        ${PLACE}
      from moved_commission join commissions commission
        on commission.organization_id = :organization_id::uuid and commission.id = moved_commission.id
      where not commission.voided and commission.id < first_id_of(${created})
      union all
      select entry.affiliate_id, entry.created_at, entry.currency, 0, 0, 0, 0, 0, -entry.unpaid_minor,
        case entry.kind when 'restored' then -1 else 1 end, entry.created_at,
        ${PLACE}
      from moved_commission join ledger_entries entry
        on entry.organization_id = :organization_id::uuid and entry.commission_id = moved_commission.id
      where entry.${LOST_KINDS} and entry.created_at < ${created}
      union all
      select ${change}, ${PLACE}
      from (${changes}) as change join moved_commission on moved_commission.id = change.commission_id
      union all
      select referral.affiliate_id, referral.signup_date, '${NO_CURRENCY}', 0, 1, 0, 0, 0, 0, 0, referral.created_at,
        referral.id, referral.id ${ofReferrals}
      union all
      select referral.affiliate_id, referral.converted_at, '${NO_CURRENCY}', 0, 0, 1, 0, 0, 0, 0, referral.created_at,
        referral.id, referral.id ${ofReferrals} and referral.converted_at < ${converted}
      union all
      select ${change}, former_source.id, former_source.id
      from (${changes}) as change join former_source on former_source.id = change.referral_id
    ) as moved
    cross join lateral (values (-1, former_id), (1, present_id)) as side (sign, referral_id)
    left join referrals referral on referral.organization_id = :organization_id::uuid and referral.id = side.referral_id
    left join former_source former on side.sign < 0 and former.id = side.referral_id`;
}
