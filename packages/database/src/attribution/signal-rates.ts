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

/** Sign-ups between two ids, which are made of the time. */
export interface IdSpan {
  from_id: string;
  /** Not included. */
  until_id: string;
}

type SpanName = "span_affiliates" | "span_from_ids" | "span_until_ids";

/** Most affiliates have too few sign-ups in all of their moments together: nothing else is read of these. */
const FIND_SIGN_UPS = statement<
  SignUpMoment & { signups: number },
  "organization_id" | "affiliate_ids" | "times" | "from_ids" | "until_ids" | "seconds" | "at_least" | SpanName
>(`
  with busy as materialized (
    select span.affiliate_id
    from unnest(:span_affiliates::text::uuid[], :span_from_ids::text::uuid[], :span_until_ids::text::uuid[])
      as span (affiliate_id, from_id, until_id)
    cross join lateral (
      select count(*) as known from (
        select from referrals
        where organization_id = :organization_id::uuid and affiliate_id = span.affiliate_id and replaced_at is null
          and id >= span.from_id and id < span.until_id
        limit :at_least::int
      ) as found
    ) as counted
    where counted.known >= :at_least::int
  )
  select asked.affiliate_id, asked.at, around.signups
  from unnest(:affiliate_ids::text::uuid[], :times::text::timestamptz[], :from_ids::text::uuid[],
    :until_ids::text::uuid[]) as asked (affiliate_id, at, from_id, until_id)
  join busy using (affiliate_id)
  cross join lateral (
    select count(*)::int as signups
    from (
      select signup_date from referrals
      where organization_id = :organization_id::uuid and affiliate_id = asked.affiliate_id and replaced_at is null
        and id >= asked.from_id and id < asked.until_id
      order by id limit ${MOST_READ}
    ) as referral
    where signup_date between asked.at - ${HALF} and asked.at + ${HALF}
  ) as around
  where around.signups >= :at_least::int`);

/**
 * Counts an affiliate's sign-ups in the seconds around each of these moments; without those that have fewer than `at_least`. A moment
 * has the span of ids of sign-ups around it, and an affiliate the one of all its moments.
 */
export async function findSignUpsAround(
  sql: Connection,
  organizationId: string,
  {
    moments,
    spans,
    seconds,
    at_least,
  }: {
    moments: readonly (SignUpMoment & IdSpan)[];
    /** By affiliate. */
    spans: ReadonlyMap<string, IdSpan>;
    seconds: number;
    at_least: number;
  },
): Promise<(SignUpMoment & { signups: number })[]> {
  const of_affiliates = [...spans.values()];
  return await FIND_SIGN_UPS.run(sql, {
    organization_id: organizationId,
    seconds,
    at_least,
    affiliate_ids: plainArrayText(moments.map(({ affiliate_id }) => affiliate_id)),
    times: arrayText(moments.map(({ at }) => at)),
    from_ids: plainArrayText(moments.map(({ from_id }) => from_id)),
    until_ids: plainArrayText(moments.map(({ until_id }) => until_id)),
    span_affiliates: plainArrayText([...spans.keys()]),
    span_from_ids: plainArrayText(of_affiliates.map(({ from_id }) => from_id)),
    span_until_ids: plainArrayText(of_affiliates.map(({ until_id }) => until_id)),
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
