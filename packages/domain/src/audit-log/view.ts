import { type AuditEntry, auditActions, auditResources } from "@findersfee/contract/audit-log";
import type { NamedAuditEntryRow } from "@findersfee/database/audit-log/entries";
import { z } from "zod";

const resource = z.enum(auditResources);
const action = z.enum(auditActions);

export function viewAuditEntry(row: NamedAuditEntryRow): AuditEntry {
  return {
    ...row,
    resource: resource.parse(row.resource),
    action: action.parse(row.action),
    created_at: row.created_at.toISOString(),
  };
}
