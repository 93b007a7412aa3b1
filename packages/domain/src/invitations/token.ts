import type { Connection } from "@findersfee/database/connect";
import { type LinkedInvitationRow, lockInvitationByToken } from "@findersfee/database/invitations";
import { hashSecretToken, isSecretToken } from "../accounts/secret-token.ts";
import { DomainError } from "../errors.ts";

/** @throws DomainError `invitation_invalid`, the same for a forged, used, revoked or expired link */
export async function requireInvitation(sql: Connection, token: string): Promise<LinkedInvitationRow> {
  const found = isSecretToken(token)
    ? await lockInvitationByToken(sql, { token_hash: hashSecretToken(token), now: new Date() })
    : null;
  if (found === null || found.user_is_disabled === true) throw new DomainError("invitation_invalid");
  return found;
}
