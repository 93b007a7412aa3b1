import type { Connection } from "../postgres/connect.ts";
import { arrayText, plainArrayText, statement } from "../postgres/statement.ts";

/** Rows that one question reads at most, so that a flood of clicks or sign-ups makes no payment slow. */
const MOST_CLICKS = 20_000;
const MOST_READ = 2_000;

/** The clicks of an affiliate around one of them. */
export interface ClicksAround {
  id: string;
  clicks: number;
  /** Networks, or visitors where the networks are not stored. */
  networks: number;
}

const HALF = ":seconds::int * interval '0.5 seconds'";

/**
 * Times that overlap are read once, each as a range of the primary key of a partition or two: ids are made of the time. Windows
 * count all of them in one pass; networks are counted for clicks with enough others alone.
 */
const FIND_CLICKS = statement<
  ClicksAround,
  "organization_id" | "ids" | "affiliate_ids" | "times" | "seconds" | "at_least"
>(`
  with asked as materialized (
    select * from unnest(:ids::text::uuid[], :affiliate_ids::text::uuid[], :times::text::timestamptz[])
      as asked (id, affiliate_id, clicked_at)
  ),
  near as materialized (
    select click.affiliate_id, click.clicked_at, click.network
    from (select unnest(range_agg(tstzrange(clicked_at - ${HALF}, clicked_at + ${HALF}))) as span from asked) as time
    cross join lateral (
      select affiliate_id, clicked_at, coalesce(network_hash, visitor_hash) as network from clicks
      where organization_id = :organization_id::uuid
        and id >= first_id_of(lower(time.span)) and id < first_id_of(upper(time.span))
        and clicked_at >= lower(time.span) - interval '1 millisecond' and clicked_at < upper(time.span)
      order by id limit ${MOST_CLICKS}
    ) as click
    where click.affiliate_id in (select affiliate_id from asked)
  ),
  counted as materialized (
    select id, affiliate_id, clicked_at, count(is_near) over around as clicks
    from (
      select null::uuid as id, affiliate_id, clicked_at, true as is_near from near
      union all
      select id, affiliate_id, clicked_at, null from asked
    ) as every
    window around as (
      partition by affiliate_id order by clicked_at
      range between ${HALF} preceding and ${HALF} - interval '1 microsecond' following
    )
  )
  select counted.id, counted.clicks::int, networks.networks
  from counted
  cross join lateral (
    select count(distinct network)::int as networks from near
    where affiliate_id = counted.affiliate_id
      and clicked_at >= counted.clicked_at - ${HALF} and clicked_at < counted.clicked_at + ${HALF}
  ) as networks
  where counted.id is not null and counted.clicks >= :at_least::int`);

/** Counts an affiliate's clicks in the seconds around each of these clicks; without those that have fewer than `at_least`. */
export async function findClicksAround(
  sql: Connection,
  organizationId: string,
  {
    clicks,
    seconds,
    at_least,
  }: {
    clicks: readonly { id: string; affiliate_id: string; clicked_at: Date }[];
    seconds: number;
    at_least: number;
  },
): Promise<ClicksAround[]> {
  return await FIND_CLICKS.run(sql, {
    organization_id: organizationId,
    seconds,
    at_least,
    ids: plainArrayText(clicks.map(({ id }) => id)),
    affiliate_ids: plainArrayText(clicks.map(({ affiliate_id }) => affiliate_id)),
    times: arrayText(clicks.map(({ clicked_at }) => clicked_at)),
  });
}

/** A moment at which a customer may have signed up. */
export interface SignUpMoment {
  affiliate_id: string;
  at: Date;
}

/** A sign-up that is recorded later, such as an imported one, does not count: ids are made of the time. */
const LATEST = "interval '1 day'";

const FIND_SIGN_UPS = statement<
  SignUpMoment & { signups: number },
  "organization_id" | "affiliate_ids" | "times" | "seconds" | "at_least"
>(`
  with asked as materialized (
    select * from unnest(:affiliate_ids::text::uuid[], :times::text::timestamptz[]) as asked (affiliate_id, at)
  ),
  -- Most affiliates have too few sign-ups in all of their moments together.
  busy as materialized (
    select spans.affiliate_id
    from (select affiliate_id, min(at) as first, max(at) as last from asked group by affiliate_id) as spans
    cross join lateral (
      select count(*) as known from (
        select from referrals
        where organization_id = :organization_id::uuid and affiliate_id = spans.affiliate_id and replaced_at is null
          and id >= first_id_of(spans.first - ${HALF}) and id < first_id_of(spans.last + ${HALF} + ${LATEST})
        limit :at_least::int
      ) as found
    ) as counted
    where counted.known >= :at_least::int
  )
  select asked.affiliate_id, asked.at, around.signups
  from asked join busy using (affiliate_id)
  cross join lateral (
    select count(*)::int as signups
    from (
      select signup_date from referrals
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id and replaced_at is null
        and id >= first_id_of(asked.at - ${HALF}) and id < first_id_of(asked.at + ${HALF} + ${LATEST})
      order by id limit ${MOST_READ}
    ) as referral
    where signup_date between asked.at - ${HALF} and asked.at + ${HALF}
  ) as around
  where around.signups >= :at_least::int`);

/** Counts an affiliate's sign-ups in the seconds around each of these moments; without those that have fewer than `at_least`. */
export async function findSignUpsAround(
  sql: Connection,
  organizationId: string,
  { moments, seconds, at_least }: { moments: readonly SignUpMoment[]; seconds: number; at_least: number },
): Promise<(SignUpMoment & { signups: number })[]> {
  return await FIND_SIGN_UPS.run(sql, {
    organization_id: organizationId,
    seconds,
    at_least,
    affiliate_ids: plainArrayText(moments.map(({ affiliate_id }) => affiliate_id)),
    times: arrayText(moments.map(({ at }) => at)),
  });
}

/** The last payments of an affiliate and of everybody else, and how many of each were refunded or disputed. */
export interface RefundedShares {
  affiliate_id: string;
  refunded: number;
  payments: number;
  others_refunded: number;
  others: number;
}

const FIND_REFUNDED = statement<
  RefundedShares,
  "organization_id" | "affiliate_ids" | "at_least" | "own_payments" | "all_payments"
>(`
  with recent as (
    select affiliate_id, reversed_minor > 0 as is_refunded from payment_decisions
    where organization_id = :organization_id::uuid and replaced_at is null
    order by paid_at desc, id desc limit :all_payments::int
  )
  select asked.affiliate_id, own.refunded, own.payments, others.refunded as others_refunded, others.payments as others
  from unnest(:affiliate_ids::text::uuid[]) as asked (affiliate_id)
  -- Most affiliates have too few refunds in all of their payments.
  cross join lateral (
    select count(*) as refunded from (
      select from payment_decisions
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id and reversed_minor > 0
        and replaced_at is null
      limit :at_least::int
    ) as found
    offset 0
  ) as ever
  cross join lateral (
    select count(*)::int as payments, count(*) filter (where reversed_minor > 0)::int as refunded
    from (
      select reversed_minor from payment_decisions
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id and replaced_at is null
        and ever.refunded >= :at_least::int
      order by paid_at desc, id desc limit :own_payments::int
    ) as last
    offset 0
  ) as own
  cross join lateral (
    select count(*)::int as payments, count(*) filter (where is_refunded)::int as refunded
    from recent where affiliate_id is distinct from asked.affiliate_id
  ) as others
  where own.refunded >= :at_least::int`);

/**
 * Returns those of the affiliates that have at least `at_least` refunded or disputed payments among their
 * last ones.
 */
export async function findRefundedShares(
  sql: Connection,
  organizationId: string,
  limits: {
    affiliate_ids: readonly string[];
    at_least: number;
    own_payments: number;
    all_payments: number;
  },
): Promise<RefundedShares[]> {
  const affiliate_ids = plainArrayText(limits.affiliate_ids);
  return await FIND_REFUNDED.run(sql, { organization_id: organizationId, ...limits, affiliate_ids });
}
