import { type LinkedInvitationRow, lockInvitationByToken } from "@findersfee/database/identity/invitations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { hashSecretToken, isSecretToken } from "../accounts/secret-token.ts";
import { mayManage } from "../rights/roles.ts";

/**
 * Requires that a link is of an open invitation, and that its inviter may still give the role: nobody comes back by an
 * invitation that they made before they were removed.
 *
 * @throws DomainError `invitation_invalid`, the same for a forged, used, revoked or expired link
 */
export async function requireInvitation(sql: Connection, token: string): Promise<LinkedInvitationRow> {
  const found = isSecretToken(token)
    ? await lockInvitationByToken(sql, { token_hash: hashSecretToken(token), now: new Date() })
    : null;
  if (found === null || found.user_is_disabled === true || !mayStillInvite(found)) {
    throw new DomainError("invitation_invalid");
  }
  return found;
}

function mayStillInvite({ inviter_role, role }: LinkedInvitationRow): boolean {
  return inviter_role !== null && mayManage(inviter_role, [role]);
}
