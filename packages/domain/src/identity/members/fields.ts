import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { MemberWithEmailRow } from "@findersfee/database/identity/members";

/** A member in the audit log. */
export function memberFields({ email, role }: MemberWithEmailRow): AuditedFields {
  return { email, role };
}
