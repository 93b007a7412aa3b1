import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { InvitationRow } from "@findersfee/database/identity/invitations";

/** An invitation in the audit log. */
export function invitationFields(
  { email, role }: Pick<InvitationRow, "email" | "role">,
  state: "open" | "accepted" | "revoked",
): AuditedFields {
  return { email, role, state };
}
