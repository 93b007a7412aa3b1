import type { AuditedFields } from "@findersfee/database/audit-log";
import type { MemberWithEmailRow } from "@findersfee/database/members";

/** A member in the audit log. */
export function memberFields({ email, role }: MemberWithEmailRow): AuditedFields {
  return { email, role };
}
