import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import type { ShardOwner } from "./shards.ts";

/*
 * Background work is rows. A row with a `due_at` is pending: a worker completes it from that time on. A row without is
 * finished, or was given up. No row says who works on it: the owner of its organization's shard does, and its token
 * fences every statement that completes or postpones work.
 */

/** The kinds of work beside deliveries. */
export const WORK_KINDS = [
  "inbound_webhooks",
  "lookups",
  "promo_codes",
  "mails",
  "payout_runs",
  "reviews",
  "replays",
  "jobs",
  "totals",
  "tiers",
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** The fence: true while the owner (`:shard`, `:token`) has the shard. */
export const OWNS_SHARD = `exists (
    select from shards where shards.shard = :shard::smallint and shards.token = :token::bigint)`;

/** The assignments of a statement that postpones work after a failure; without `:seconds`, it is given up. */
export const POSTPONED = `failures = failures + 1, reason = :reason::text,
    due_at = now() + make_interval(secs => :seconds::float8)`;

/** The names in `OWNS_SHARD`. */
export type Fence = "shard" | "token";

const HAS_KEY = `exists (select from processors
      where processors.organization_id = organization.organization_id and processors.name = 'stripe'
        and processors.api_key_encrypted is not null)`;

const HAS_PROMO_CODES = `exists (select from affiliate_codes
      where affiliate_codes.organization_id = organization.organization_id and affiliate_codes.kind = 'promo')`;

interface WorkTable {
  name: string;
  /** Parts of an organization's work. One index probe finds the earliest row of each. */
  parts?: readonly string[];
  /** Whether the work of `organization` can be done. */
  condition?: string;
  /** Permanently failed rows that staff can retry; null: this kind of work has none. */
  dead_lettered: string | null;
}

const TABLES: Record<WorkKind, WorkTable> = {
  inbound_webhooks: { name: "processor_messages", dead_lettered: "state = 'parked'" },
  lookups: {
    name: "processor_lookups",
    parts: [
      "and purpose = 'products'",
      "and purpose = 'payment'",
      "and purpose = 'amounts'",
      // Discounts matter only where affiliates have promo codes.
      `and purpose = 'promo_codes' and ${HAS_PROMO_CODES}`,
    ],
    condition: HAS_KEY,
    dead_lettered: "due_at is null and answered_at is null and reason is not null",
  },
  promo_codes: {
    name: "affiliate_codes",
    condition: HAS_KEY,
    dead_lettered: "due_at is null and reason is not null",
  },
  mails: { name: "mails", dead_lettered: "state = 'given_up'" },
  payout_runs: { name: "payout_runs", dead_lettered: null },
  reviews: { name: "commission_reviews", dead_lettered: null },
  replays: { name: "replays", dead_lettered: null },
  jobs: { name: "jobs", dead_lettered: null },
  totals: { name: "total_seals", dead_lettered: null },
  tiers: { name: "tier_evaluations", dead_lettered: null },
};

/** From one organization that has pending work to the next, by the index, however much work each of them has. */
function organizationsOf({ name }: WorkTable, after: string): string {
  return `organization as (
    (select organization_id from ${name}
      where due_at is not null and organization_id > ${after} order by organization_id limit 1)
    union all
    select next.organization_id from organization
    cross join lateral (
      select organization_id from ${name} as work
      where work.due_at is not null and work.organization_id > organization.organization_id
      order by work.organization_id limit 1) as next
  )`;
}

/** When the earliest work of the surrounding `organization` is due. */
function firstDueOf({ name, parts = [""], condition = "true" }: WorkTable): string {
  const probes = parts.map(
    (part) => `(select due_at from ${name}
      where organization_id = organization.organization_id and due_at is not null ${part} order by due_at limit 1)`,
  );
  return `select min(due_at) as due_at from (${probes.join(" union all ")}) as earliest where ${condition}`;
}

interface FoundRow {
  shard: number;
  /** Null: the shard has another owner. */
  organization_id: string | null;
}

const FIND = Object.fromEntries(
  Object.entries(TABLES).map(([kind, table]) => [
    kind,
    statement<FoundRow, "shards" | "tokens" | "after" | "limit">(`
      with recursive asked as (
        select asked.shard, coalesce(owned.token = asked.token, false) as is_owned
        from unnest(:shards::text::smallint[], :tokens::text::bigint[]) as asked (shard, token)
        left join shards owned on owned.shard = asked.shard
      ),
      ${organizationsOf(table, ":after::uuid")}
      select shard, null::uuid as organization_id from asked where not is_owned
      union all
      (select shard_of(organization.organization_id), organization.organization_id
        from organization
        cross join lateral (${firstDueOf(table)}) as first
        where shard_of(organization.organization_id) = any (array(select shard from asked where is_owned))
          and first.due_at <= now()
        limit :limit::int)`),
  ]),
) as Record<WorkKind, ReturnType<typeof statement<FoundRow, "shards" | "tokens" | "after" | "limit">>>;

const OLDEST = statement<{ kind: WorkKind; due_at: Date }, "organization_id">(`
  with organization as (select :organization_id::uuid as organization_id)
  select kind, due_at from (
    ${Object.entries(TABLES)
      .map(
        ([kind, table]) =>
          `select '${kind}' as kind, first.due_at from organization cross join lateral (${firstDueOf(table)}) as first`,
      )
      .join(" union all ")}
  ) as earliest
  where due_at <= now()`);

/** When the oldest due work of an organization was due, by kind. */
export async function findOldestDueWork(
  sql: Connection,
  organizationId: string,
): Promise<{ kind: WorkKind; due_at: Date }[]> {
  return await OLDEST.run(sql, { organization_id: organizationId });
}

/** The smallest id. */
export const NO_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

export interface DueOrganizations {
  /** In the order of their ids. */
  organization_ids: string[];
  /** Shards that were asked for and have another owner. */
  lost: number[];
}

/** Organizations of the owned shards that have due work of a kind, by their ids, behind the one of `after`. */
export async function findDueOrganizations(
  sql: Connection,
  kind: WorkKind,
  { owners, after, limit }: { owners: readonly ShardOwner[]; after: string; limit: number },
): Promise<DueOrganizations> {
  const rows = await FIND[kind].run(sql, {
    shards: arrayText(owners.map(({ shard }) => shard)),
    tokens: arrayText(owners.map(({ token }) => String(token))),
    after,
    limit,
  });
  return {
    organization_ids: rows.flatMap(({ organization_id }) => organization_id ?? []),
    lost: rows.filter(({ organization_id }) => organization_id === null).map(({ shard }) => shard),
  };
}

/** More rows are not counted. */
const COUNTED = 100_000;

export interface WorkBacklog {
  kind: WorkKind;
  /** Rows that are due, of work that can be done. */
  pending: number;
  /** How long the oldest of them has been due; 0 when there is none. */
  oldest_due_seconds: number;
  /** Pending rows that have failed, due or not. */
  failing: number;
  /** Permanently failed rows. */
  dead_lettered: number;
}

function backlogOf(kind: string, table: WorkTable): string {
  const { name, parts = [""], condition = "true", dead_lettered } = table;
  const rows = parts.map(
    (part) => `select due_at from ${name} where organization_id = organization.organization_id
      and due_at <= now() ${part}`,
  );
  const count = (condition: string) =>
    `(select count(*)::int from (select from ${name} where ${condition} limit ${COUNTED}) as counted)`;
  const failing = `(select count(*) filter (where failures > 0)::int
      from (select failures from ${name} where due_at is not null limit ${COUNTED}) as counted)`;
  return `(with recursive ${organizationsOf(table, `'${NO_ORGANIZATION}'::uuid`)},
    due as (
      select work.due_at from organization cross join lateral (${rows.join(" union all ")}) as work
      where ${condition} limit ${COUNTED}
    )
    select '${kind}' as kind, count(*)::int as pending,
      coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest_due_seconds,
      ${failing} as failing,
      ${dead_lettered === null ? "0" : count(dead_lettered)} as dead_lettered
    from due)`;
}

const BACKLOG = statement<WorkBacklog, never>(
  Object.entries(TABLES)
    .map(([kind, table]) => backlogOf(kind, table))
    .join(" union all "),
);

/** The work of each kind that waits, of all organizations, counted up to 100,000. */
export function readWorkBacklog(sql: Connection): Promise<WorkBacklog[]> {
  return BACKLOG.run(sql, {});
}
