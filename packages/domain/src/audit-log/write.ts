import { isDeepStrictEqual } from "node:util";
import type { AuditAction, AuditResource } from "@findersfee/contract/audit-log";
import { type AuditedFields, insertAuditEntry } from "@findersfee/database/audit-log/entries";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Actor, actorText, OPERATOR } from "../actor.ts";
import { newId } from "../ids.ts";
import type { Quotas } from "../quotas.ts";

/** The actor of a change and its organization; a `Context` has both. */
export interface Author {
  organization: { id: string };
  actor: Actor;
  quotas?: Quotas | undefined;
}

/** The actor of changes at the command line. */
export function operatorOf(organization_id: string): Author {
  return { organization: { id: organization_id }, actor: OPERATOR };
}

/** A changed resource, with its fields in the form of `fields.ts`. */
export interface AuditedChange {
  resource: AuditResource;
  id: string;
  action: AuditAction;
  /** Null: the resource was created. */
  before: AuditedFields | null;
  /** Null: the resource was deleted. */
  after: AuditedFields | null;
  /** The currency of amounts among the fields. */
  currency?: string;
}

/** Actions that show in no field. */
const WITHOUT_FIELDS: ReadonlySet<AuditAction> = new Set(["rotated", "erased", "viewed", "bypassed"]);

/**
 * Writes an audit log entry in the transaction of the change: the fields that differ. Without a difference there is no
 * entry, except for actions that show in no field.
 *
 * @throws DomainError `quota_exceeded` when the organization has written too many entries today
 */
export async function writeAuditEntry(
  sql: Connection,
  { organization, actor, quotas }: Author,
  { resource, id, action, before, after, currency }: AuditedChange,
): Promise<void> {
  const fields = differing(before, after);
  if (fields === null && !WITHOUT_FIELDS.has(action)) return;
  quotas?.admit("audit_log_entries", organization.id);
  const created_at = new Date();
  await insertAuditEntry(sql, organization.id, {
    id: newId(created_at),
    resource,
    resource_id: id,
    action,
    actor: actorText(actor),
    ...(fields ?? { before: {}, after: {} }),
    currency: currency ?? null,
    created_at,
  });
}

/** The fields that differ; all of them for a created or deleted resource; null: none. */
function differing(
  before: AuditedFields | null,
  after: AuditedFields | null,
): { before: AuditedFields | null; after: AuditedFields | null } | null {
  if (before === null || after === null) return { before, after };
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  if (names.length === 0) return null;
  const of = (fields: AuditedFields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: of(before), after: of(after) };
}
