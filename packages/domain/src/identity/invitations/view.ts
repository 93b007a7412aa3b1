import type { Invitation } from "@findersfee/contract/identity/invitations";
import type { ShownInvitationRow } from "@findersfee/database/identity/invitations";

export function viewInvitation(row: ShownInvitationRow): Invitation {
  const { id, email, role, mailed, inviter_name, created_at, expires_at } = row;
  return {
    id,
    email,
    role,
    mailed,
    invited_by: inviter_name,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
