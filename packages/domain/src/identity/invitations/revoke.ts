import { lockInvitation, revokeInvitation as revokeRow } from "@findersfee/database/identity/invitations";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireManager } from "../rights/roles.ts";
import { invitationFields } from "./fields.ts";

/**
 * Revokes an invitation: its link stops working.
 *
 * @throws DomainError `not_found`, also for an accepted one; `forbidden_role`
 */
export async function revokeInvitation(sender: Context, id: string): Promise<void> {
  const context = beyondQuotas(sender);
  const organization_id = context.organization.id;
  await inTransaction(context, async (sql) => {
    await lockOrganization(sql, organization_id);
    const invitation = await lockInvitation(sql, organization_id, id);
    if (invitation === null) throw notFound("open invitation");
    await requireManager(sql, context, [invitation.role]);
    await revokeRow(sql, organization_id, { id, revoked_at: new Date() });
    await writeAuditEntry(sql, context, {
      resource: "invitation",
      id,
      action: "revoked",
      before: invitationFields(invitation, "open"),
      after: invitationFields(invitation, "revoked"),
    });
  });
}
