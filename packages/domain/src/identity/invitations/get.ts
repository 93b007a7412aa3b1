import type { OpenInvitation } from "@findersfee/contract/identity/invitations";
import { findUser } from "@findersfee/database/identity/users";
import type { Database } from "@findersfee/database/postgres/connect";
import { requireInvitation } from "./token.ts";

/**
 * Returns the content of an invitation's page, for the signed-in user or somebody without a session (null).
 *
 * @throws DomainError `invitation_invalid`
 */
export async function getInvitation(
  database: Database,
  { token, user_id: reader_id }: { token: string; user_id: string | null },
): Promise<OpenInvitation> {
  const invitation = await requireInvitation(database, token);
  const { organization_name, email, role, inviter_name, expires_at, user_id } = invitation;
  const reader = reader_id === null ? null : await findUser(database, reader_id);
  return {
    organization_name,
    email,
    role,
    invited_by: inviter_name,
    expires_at: expires_at.toISOString(),
    has_account: invitation.mailed || reader?.email === email ? user_id !== null : null,
    signed_in_as: reader?.email ?? null,
  };
}
