import type { OpenInvitation } from "@findersfee/contract/invitations";
import type { Database } from "@findersfee/database/connect";
import { requireInvitation } from "./token.ts";

/**
 * Returns the content of an invitation's page.
 *
 * @throws DomainError `invitation_invalid`
 */
export async function getInvitation(database: Database, token: string): Promise<OpenInvitation> {
  const { organization_name, email, role, inviter_name, expires_at, user_id } = await requireInvitation(
    database,
    token,
  );
  return {
    organization_name,
    email,
    role,
    invited_by: inviter_name,
    expires_at: expires_at.toISOString(),
    has_account: user_id !== null,
  };
}
