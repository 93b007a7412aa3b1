import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { ApiKeyRow } from "@findersfee/database/identity/api-keys";

/** The fields in the audit log. */
export function apiKeyFields(
  row: Pick<ApiKeyRow, "kind" | "name" | "scopes" | "last_four" | "expires_at" | "revoked_at">,
): AuditedFields {
  const { kind, name, scopes, last_four, expires_at, revoked_at } = row;
  return {
    kind,
    name,
    scopes,
    last_four,
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  };
}
