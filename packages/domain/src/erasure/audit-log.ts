import type { AuditResource } from "@findersfee/contract/audit-log";
import { eraseAuditLogFields } from "@findersfee/database/erasure";
import type { Connection } from "@findersfee/database/postgres/connect";

/**
 * Fields of audit log entries that can identify a person. Amounts, ids, states and settings are not among them. The
 * database refuses to erase other fields: its function `personal_fields` has the same list.
 */
export const PERSONAL_FIELDS = {
  affiliate: [
    "email",
    "first_name",
    "last_name",
    "payout_email",
    "details",
    "note",
    "custom_fields",
    "ref_codes",
    "promo_codes",
    "ban_reason",
  ],
  promo_code: ["code"],
  referral: ["email"],
  member: ["email"],
  invitation: ["email"],
} as const satisfies Partial<Record<AuditResource, readonly string[]>>;

/** Erases personal data from the audit log entries of one resource, or of all of its kind (null); returns the number of entries that this changed. */
export async function eraseAuditLog(
  sql: Connection,
  organization_id: string,
  { resource, resource_id }: { resource: keyof typeof PERSONAL_FIELDS; resource_id: string | null },
): Promise<number> {
  const fields = PERSONAL_FIELDS[resource];
  return await eraseAuditLogFields(sql, organization_id, { resource, resource_id, fields });
}
