import type { Connection, Transaction } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { ORGANIZATION_SCOPE } from "../reports/totals/performance.ts";
import { NO_CURRENCY } from "../reports/totals/sources.ts";
import type { TiersRow } from "../rows.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";

/** A stored span of days that is added or subtracted: one of `total_spans`. */
export interface TierPieceRow {
  from: string;
  /** Excluded. */
  until: string;
  sign: number;
  /** The same for the number that was reached before bonuses were offered. */
  before_sign: number;
}

/** Affiliates' numbers of some days. */
export interface Measured {
  measure: TiersRow["measure"];
  /** The organization's. */
  currency: string;
  pieces: readonly TierPieceRow[];
}

type MeasuredName =
  | "organization_id"
  | "measure"
  | "currency"
  | "froms"
  | "untils"
  | "signs"
  | "before_signs";

function parametersOf({ measure, currency, pieces }: Measured) {
  return {
    measure,
    currency,
    froms: arrayText(pieces.map(({ from }) => from)),
    untils: arrayText(pieces.map(({ until }) => until)),
    signs: arrayText(pieces.map(({ sign }) => String(sign))),
    before_signs: arrayText(pieces.map(({ before_sign }) => String(before_sign))),
  };
}

/**
 * SQL, common table expressions: each affiliate's number by the sealed totals of the organization. Each span
 * is one row of the key.
 */
const NUMBERS = `
  piece as materialized (
    select * from unnest(:froms::text::date[], :untils::text::date[], :signs::text::int[], :before_signs::text::int[])
      as piece (starts, ends, sign, before_sign)
  ),
  number as materialized (
    select known.value::uuid as affiliate_id, sum(piece.sign * element.number)::bigint as number,
      sum(piece.before_sign * element.number)::bigint as before
    from piece
    cross join lateral (
      select value_ids, case :measure::text when 'customers' then conversions::bigint[]
          when 'revenue' then revenue_minor else commission_minor end as numbers
      from performance_totals
      where organization_id = :organization_id::uuid
        and generation = (select generation from total_seals where organization_id = :organization_id::uuid)
        and scope_id = ${ORGANIZATION_SCOPE} and dimension = 'affiliate'
        and starts = piece.starts and ends = piece.ends
        and currency = case :measure::text when 'customers' then '${NO_CURRENCY}' else :currency::text end
      offset 0
    ) as stored
    cross join lateral unnest(stored.value_ids, stored.numbers) as element (value_id, number)
    join total_values known on known.organization_id = :organization_id::uuid and known.id = element.value_id
    group by known.value
  )`;

/** SQL: affiliates who get tiers, and who are on leaderboards. */
const TAKES_PART = "approved and not banned and erased_at is null and left_at is null";

export interface TierEvaluationRow {
  campaign_id: string;
  tiers: TiersRow;
  version: number;
  failures: number;
  /** The next day to measure affiliates until the end of, in the organization's time zone. */
  day: string;
  bonuses_from: string;
  /** Whether all hours of the day are in the sealed totals. */
  is_sealed: boolean;
}

const FIND_DUE = statement<TierEvaluationRow, "organization_id" | Fence>(`
  select evaluation.campaign_id, campaign.tiers, evaluation.version, evaluation.failures, next.day::text as day,
    evaluation.bonuses_from::text as bonuses_from,
    not seal.is_outdated and seal.time_zone = organization.time_zone
      and seal.sealed_until >= (next.day + 1)::timestamp at time zone seal.time_zone
      -- Until it is done, the totals are those that it replaces.
      and not exists (select from total_rebuilds where organization_id = evaluation.organization_id) as is_sealed
  from tier_evaluations evaluation
  join organizations organization on organization.id = evaluation.organization_id
  join total_seals seal on seal.organization_id = evaluation.organization_id
  join campaigns campaign
    on campaign.organization_id = evaluation.organization_id and campaign.id = evaluation.campaign_id
  cross join lateral (
    select coalesce(evaluation.measured_on + case when evaluation.is_changed then 0 else 1 end,
      (now() at time zone organization.time_zone)::date - 1) as day
  ) as next
  where evaluation.organization_id = :organization_id::uuid and evaluation.due_at <= now() and campaign.tiers is not null
    and ${OWNS_SHARD}
  order by evaluation.due_at limit 1`);

/**
 * Returns the first campaign with affiliates to measure; null: none, or another worker has the organization's
 * shard.
 */
export async function findDueTierEvaluation(
  sql: Connection,
  organizationId: string,
  owner: ShardOwner,
): Promise<TierEvaluationRow | null> {
  const [row] = await FIND_DUE.run(sql, { organization_id: organizationId, ...owner });
  return row ?? null;
}

export interface TierChangeRow {
  affiliate_id: string;
  /** Customers, or minor units. */
  number: bigint;
  tier_id: string | null;
  tier_name: string | null;
  /** Whether the affiliate has another one now. */
  is_changed: boolean;
  /** Steps that give a bonus now. */
  bonuses: string[];
}

const LIST_CHANGES = statement<
  TierChangeRow,
  MeasuredName | "campaign_id" | "steps" | "period_start" | "limit"
>(`
  with ${NUMBERS},
  step as materialized (
    select * from json_to_recordset(:steps::text::json) as step (id uuid, name text, minimum bigint, bonus bigint)
  ),
  subject as (
    select affiliate.id, coalesce(number.number, 0) as number, coalesce(number.before, 0) as before
    from affiliates affiliate left join number on number.affiliate_id = affiliate.id
    where affiliate.organization_id = :organization_id::uuid and affiliate.campaign_id = :campaign_id::uuid
      and ${TAKES_PART}
  )
  select subject.id as affiliate_id, subject.number, reached.id as tier_id, reached.name as tier_name,
    reached.id is distinct from present.tier_id as is_changed, due.ids as bonuses
  from subject
  left join lateral (
    select id, name from step where step.minimum <= subject.number order by step.minimum desc limit 1
  ) as reached on true
  left join lateral (
    select case when campaign_id = :campaign_id::uuid then tier_id end as tier_id from affiliate_tiers
    where organization_id = :organization_id::uuid and affiliate_id = subject.id
    order by since desc limit 1
  ) as present on true
  cross join lateral (
    select coalesce(array_agg(step.id order by step.minimum), '{}') as ids from step
    where step.bonus is not null and step.minimum <= subject.number and step.minimum > subject.before
      and not exists (
        select from tier_bonuses
        where organization_id = :organization_id::uuid and affiliate_id = subject.id and tier_id = step.id
          and period_start = :period_start::text::date)
  ) as due
  where reached.id is distinct from present.tier_id or cardinality(due.ids) > 0
  order by subject.id limit :limit::int`);

/** Returns affiliates of the campaign that get another tier or a bonus, which they no longer do once they have it. */
export async function listTierChanges(
  sql: Connection,
  organizationId: string,
  {
    campaign_id,
    tiers,
    period_start,
    limit,
    ...measured
  }: Omit<Measured, "measure"> & {
    campaign_id: string;
    tiers: TiersRow;
    period_start: string;
    limit: number;
  },
): Promise<TierChangeRow[]> {
  return await LIST_CHANGES.run(sql, {
    organization_id: organizationId,
    ...parametersOf({ ...measured, measure: tiers.measure }),
    campaign_id,
    steps: JSON.stringify(tiers.steps.map(({ from, ...step }) => ({ ...step, minimum: from }))),
    period_start,
    limit,
  });
}

const LIST_REACHED = statement<{ affiliate_id: string; tier_id: string }, MeasuredName | "steps">(`
  with ${NUMBERS},
  step as materialized (select * from json_to_recordset(:steps::text::json) as step (id uuid, minimum bigint))
  select affiliate_id, reached.id as tier_id from number
  cross join lateral (
    select id from step where step.minimum <= number.number order by step.minimum desc limit 1
  ) as reached`);

/** Returns the affiliates who reach a step by these days of the sealed totals, with the highest one. */
export async function listReachedTiers(
  sql: Connection,
  organizationId: string,
  { tiers, ...measured }: Omit<Measured, "measure"> & { tiers: TiersRow },
): Promise<{ affiliate_id: string; tier_id: string }[]> {
  return await LIST_REACHED.run(sql, {
    organization_id: organizationId,
    ...parametersOf({ ...measured, measure: tiers.measure }),
    steps: JSON.stringify(tiers.steps.map(({ id, from }) => ({ id, minimum: from }))),
  });
}

const LOCK = statement<object, "organization_id" | "campaign_id" | "version" | Fence>(`
  select from tier_evaluations
  where organization_id = :organization_id::uuid and campaign_id = :campaign_id::uuid and version = :version::int
    and due_at <= now() and ${OWNS_SHARD}
  for update`);

/** Locks a due evaluation. False: the tiers changed, or another worker has the organization's shard. */
export async function lockTierEvaluation(
  sql: Transaction,
  organizationId: string,
  { campaign_id, version, owner }: { campaign_id: string; version: number; owner: ShardOwner },
): Promise<boolean> {
  const rows = await LOCK.run(sql, { organization_id: organizationId, campaign_id, version, ...owner });
  return rows.length > 0;
}

/** The next day is over then, and its hours are sealed, not of all organizations at once. */
const COMPLETE = statement<object, "organization_id" | "campaign_id" | "version" | "day" | Fence>(`
  update tier_evaluations evaluation set measured_on = :day::text::date, is_changed = false, failures = 0, reason = null,
    due_at = (:day::text::date + 2)::timestamp at time zone organization.time_zone + interval '2 hours 10 minutes'
      + abs(hashtext(evaluation.organization_id::text)) % 600 * interval '1 second'
  from organizations organization
  where organization.id = evaluation.organization_id and evaluation.organization_id = :organization_id::uuid
    and evaluation.campaign_id = :campaign_id::uuid and evaluation.version = :version::int and ${OWNS_SHARD}`);

/** Records that all affiliates were measured until the end of the day, unless the tiers have changed since. */
export async function completeTierEvaluation(
  sql: Connection,
  organizationId: string,
  evaluation: { campaign_id: string; version: number; day: string; owner: ShardOwner },
): Promise<void> {
  const { owner, ...completed } = evaluation;
  await COMPLETE.run(sql, { organization_id: organizationId, ...completed, ...owner });
}

const WAIT = statement<object, "organization_id" | "campaign_id" | "seconds" | Fence>(`
  update tier_evaluations set due_at = now() + make_interval(secs => :seconds::float8)
  where organization_id = :organization_id::uuid and campaign_id = :campaign_id::uuid and due_at is not null
    and ${OWNS_SHARD}`);

/** Makes an evaluation due again after `seconds`, as its day is not sealed. */
export async function awaitSealedDay(
  sql: Connection,
  organizationId: string,
  { owner, ...waiting }: { campaign_id: string; seconds: number; owner: ShardOwner },
): Promise<void> {
  await WAIT.run(sql, { organization_id: organizationId, ...waiting, ...owner });
}

const POSTPONE = statement<object, "organization_id" | "campaign_id" | "seconds" | "reason" | Fence>(`
  update tier_evaluations set ${POSTPONED}
  where organization_id = :organization_id::uuid and campaign_id = :campaign_id::uuid and due_at is not null
    and ${OWNS_SHARD}`);

/** Records that an evaluation failed, which is due again after `seconds`. */
export async function postponeTierEvaluation(
  sql: Connection,
  organizationId: string,
  { owner, ...retry }: { campaign_id: string; seconds: number; reason: string; owner: ShardOwner },
): Promise<void> {
  await POSTPONE.run(sql, { organization_id: organizationId, ...retry, ...owner });
}

const CHANGE = statement<object, "organization_id" | "campaign_id" | "has_tiers">(`
  insert into tier_evaluations as known (organization_id, campaign_id, bonuses_from, due_at)
  select id, :campaign_id::uuid, (now() at time zone time_zone)::date, case when :has_tiers::boolean then now() end
  from organizations where id = :organization_id::uuid
  on conflict (organization_id, campaign_id) do update
  set is_changed = true, version = known.version + 1, due_at = excluded.due_at, failures = 0, reason = null,
    bonuses_from = case when known.due_at is null then excluded.bonuses_from
      else coalesce(known.measured_on + 1, known.bonuses_from) end`);

/** Makes the affiliates of a campaign due to be measured by its changed tiers. Its former ones gave the bonuses of the days before. */
export async function changeTierEvaluation(
  sql: Transaction,
  organizationId: string,
  changed: { campaign_id: string; has_tiers: boolean },
): Promise<void> {
  await CHANGE.run(sql, { organization_id: organizationId, ...changed });
}

const FIND_TODAY = statement<{ day: string }, "organization_id">(`
  select (now() at time zone time_zone)::date::text as day from organizations where id = :organization_id::uuid`);

/** Returns the day in the organization's time zone. */
export async function findToday(sql: Connection, organizationId: string): Promise<string> {
  const [row] = await FIND_TODAY.run(sql, { organization_id: organizationId });
  if (row === undefined) throw new Error(`organization ${organizationId} does not exist`);
  return row.day;
}

const FIND_NUMBER = statement<{ number: bigint }, MeasuredName | "affiliate_id">(`
  with ${NUMBERS}
  select number from number where affiliate_id = :affiliate_id::uuid`);

/** The measured number of one affiliate, by the sealed totals. */
export async function findMeasuredNumber(
  sql: Connection,
  organizationId: string,
  { affiliate_id, ...measured }: Measured & { affiliate_id: string },
): Promise<bigint> {
  const [row] = await FIND_NUMBER.run(sql, {
    organization_id: organizationId,
    affiliate_id,
    ...parametersOf(measured),
  });
  return row?.number ?? 0n;
}

export interface RankedAffiliateRow {
  affiliate_id: string;
  first_name: string;
  last_name: string;
  number: bigint;
  /** From 1 on; equal numbers have the same. */
  rank: bigint;
}

const LIST_RANKED = statement<RankedAffiliateRow, MeasuredName | "campaign_id" | "affiliate_id" | "limit">(`
  with ${NUMBERS},
  ranked as (
    select affiliate.id, affiliate.first_name, affiliate.last_name, number.number,
      rank() over (order by number.number desc) as rank,
      row_number() over (order by number.number desc, affiliate.id) as place
    from number join affiliates affiliate
      on affiliate.organization_id = :organization_id::uuid and affiliate.id = number.affiliate_id
    where affiliate.campaign_id = :campaign_id::uuid and number.number > 0 and ${TAKES_PART}
  )
  select id as affiliate_id, first_name, last_name, number, rank from ranked
  where place <= :limit::bigint or id = :affiliate_id::uuid order by place`);

/** The affiliates of a campaign with the highest numbers, and the given one if its number is not 0. */
export async function listRankedAffiliates(
  sql: Connection,
  organizationId: string,
  {
    campaign_id,
    affiliate_id,
    limit,
    ...measured
  }: Measured & { campaign_id: string; affiliate_id: string; limit: number },
): Promise<RankedAffiliateRow[]> {
  return await LIST_RANKED.run(sql, {
    organization_id: organizationId,
    campaign_id,
    affiliate_id,
    limit,
    ...parametersOf(measured),
  });
}
