import type { Connection } from "../postgres/connect.ts";
import { type Statement, statement } from "../postgres/statement.ts";
import { actorName, UUID } from "./actor-name.ts";

/** The fields of a resource in the form that the audit log shows. */
export type AuditedFields = Record<string, unknown>;

export interface AuditEntryRow {
  id: string;
  resource: string;
  resource_id: string;
  action: string;
  actor: string;
  before: AuditedFields | null;
  after: AuditedFields | null;
  currency: string | null;
  created_at: Date;
}

export interface NamedAuditEntryRow extends AuditEntryRow {
  /** The name of the user or key; null for other actors, and for users who were deleted. */
  actor_name: string | null;
  /** The name that the resource has now; null for those without one, and for deleted ones. */
  resource_name: string | null;
}

const COLUMNS = "id, resource, resource_id, action, actor, before, after, currency, created_at";

const INSERT = statement<object, "organization_id" | keyof AuditEntryRow>(`
  insert into audit_log_entries (organization_id, ${COLUMNS})
  values (:organization_id::uuid, :id::uuid, :resource::text, :resource_id::text, :action::text, :actor::text,
    :before::text::json, :after::text::json, :currency::text, :created_at::timestamptz)`);

export async function insertAuditEntry(
  sql: Connection,
  organizationId: string,
  row: AuditEntryRow,
): Promise<void> {
  await INSERT.run(sql, {
    ...row,
    organization_id: organizationId,
    before: jsonOf(row.before),
    after: jsonOf(row.after),
  });
}

function jsonOf(fields: AuditedFields | null): string | null {
  return fields === null ? null : JSON.stringify(fields);
}

/**
 * Writes an audit log entry for each payout, before the payouts change: the statement reads the current rows, which
 * the caller has locked. `entry_ids` has one id for each payout.
 */
export async function insertPayoutAuditEntries(
  sql: Connection,
  organizationId: string,
  change: {
    ids: readonly string[];
    entry_ids: readonly string[];
    status: string;
    reason: string | null;
    by: string;
    at: Date;
  },
): Promise<void> {
  const { ids, entry_ids, status, reason, by, at } = change;
  await sql`
    insert into audit_log_entries (organization_id, ${sql.unsafe(COLUMNS)})
    select ${organizationId}, moved.entry_id, 'payout', payout.id::text, 'updated', ${by},
      case when payout.status_reason is distinct from ${reason}
        then json_build_object('status', payout.status, 'reason', payout.status_reason)
        else json_build_object('status', payout.status) end,
      case when payout.status_reason is distinct from ${reason}
        then json_build_object('status', ${status}::text, 'reason', ${reason}::text)
        else json_build_object('status', ${status}::text) end,
      payout.currency, ${at}
    from unnest(${[...ids]}::uuid[], ${[...entry_ids]}::uuid[]) as moved (payout_id, entry_id)
    join payouts payout on payout.organization_id = ${organizationId} and payout.id = moved.payout_id`;
}

export interface AuditLogFilter {
  resource?: string | undefined;
  resource_id?: string | undefined;
  actor?: string | undefined;
}

/** A range of ids. Ids ascend with created_at, so the caller converts times to ids. */
export interface AuditLogRange {
  from_id: string | null;
  /** Only ids below this one. */
  below_id: string | null;
  limit: number;
}

const ACTOR_NAME = actorName({ organization_id: ":organization_id::uuid", actor: "page.actor" });

/** SQL: the name of an entry's resource, looked up by primary key for each row of a `page`. */
export const RESOURCE_NAME = `case when resource_id ~ '^${UUID}$' then case
  when resource = 'campaign' then (
    select name from campaigns
    where organization_id = :organization_id::uuid and campaigns.id = page.resource_id::uuid)
  when resource in ('affiliate', 'promo_code') then (
    select display_name(first_name, last_name, email) from affiliates
    where organization_id = :organization_id::uuid and affiliates.id = page.resource_id::uuid)
  when resource = 'referral' then (
    select email from referrals
    where organization_id = :organization_id::uuid and referrals.id = page.resource_id::uuid)
  when resource = 'api_key' then (
    select name from api_keys
    where organization_id = :organization_id::uuid and api_keys.id = page.resource_id::uuid)
  when resource = 'endpoint' then (
    select url from endpoints
    where organization_id = :organization_id::uuid and endpoints.id = page.resource_id::uuid)
  when resource = 'invitation' then (
    select email from invitations
    where organization_id = :organization_id::uuid and invitations.id = page.resource_id::uuid)
  when resource = 'member' then (select name from users where users.id = page.resource_id::uuid)
end end`;

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns entries, newest first. The order starts with the column of the filter, which has one value, because only
 * that index has this order. Ordered by id alone, the planner sometimes scans the index of ids and filters the rows,
 * which took 100 to 400 ms with 1,000,000 rows. The other filters are expressions, for which no index is used.
 */
export async function listAuditEntries(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: AuditLogFilter; range: AuditLogRange },
): Promise<NamedAuditEntryRow[]> {
  return await listStatement(filter).run(sql, valuesOf(organizationId, { filter, range }));
}

function valuesOf(
  organization_id: string,
  { filter, range }: { filter: AuditLogFilter; range: AuditLogRange },
) {
  return {
    organization_id,
    resource: filter.resource ?? null,
    resource_id: filter.resource_id ?? null,
    actor: filter.actor ?? null,
    from_id: range.from_id ?? LOWEST_ID,
    below_id: range.below_id ?? HIGHEST_ID,
    limit: range.limit,
  };
}

/** Counts the entries of a filter, up to `limit`. */
export async function countAuditEntries(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: AuditLogFilter; range: AuditLogRange },
): Promise<number> {
  const [row] = await countStatement(filter).run(sql, valuesOf(organizationId, { filter, range }));
  return row?.count ?? 0;
}

type ListValues = "organization_id" | keyof AuditLogFilter | "from_id" | "below_id" | "limit";

function listStatement(filter: AuditLogFilter): Statement<NamedAuditEntryRow, ListValues> {
  return statement(`
    select ${COLUMNS}, ${ACTOR_NAME} as actor_name, ${RESOURCE_NAME} as resource_name
    from (${pageOf(filter, COLUMNS)}) page
    order by id desc`);
}

function countStatement(filter: AuditLogFilter): Statement<{ count: number }, ListValues> {
  return statement(`select count(*)::int as count from (${pageOf(filter, "id")}) page`);
}

/** The entries of a filter: the index of `keyOf` finds the rows, and the other conditions filter them. */
function pageOf({ resource, resource_id, actor }: AuditLogFilter, selected: string): string {
  const by_resource_id = resource_id !== undefined;
  const key = keyOf({ resource, resource_id, actor });
  const columns = key === null ? ["id"] : [key.column, "id"];
  const bound = (id: string) => `(${key === null ? "" : `${key.value}, `}:${id}::uuid)`;
  const order = columns.map((name) => `${name} desc`).join(", ");
  return `
    select ${selected} from audit_log_entries
    where organization_id = :organization_id::uuid
      and (${columns.join(", ")}) >= ${bound("from_id")} and (${columns.join(", ")}) < ${bound("below_id")}
      ${by_resource_id && resource !== undefined ? "and resource || '' = :resource::text" : ""}
      ${by_resource_id && actor !== undefined ? "and actor || '' = :actor::text" : ""}
    order by ${order} limit :limit::int`;
}

/** The first column of the index that fits the filter, and its value; null without a filter. */
function keyOf({ resource, resource_id, actor }: AuditLogFilter): { column: string; value: string } | null {
  if (resource_id !== undefined) return { column: "resource_id", value: ":resource_id::text" };
  if (actor !== undefined && resource !== undefined) {
    return { column: "(actor || ' ' || resource)", value: ":actor::text || ' ' || :resource::text" };
  }
  if (actor !== undefined) return { column: "actor", value: ":actor::text" };
  return resource === undefined ? null : { column: "resource", value: ":resource::text" };
}
