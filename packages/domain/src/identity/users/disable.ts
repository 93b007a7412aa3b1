import { listUserOrganizations, lockMemberships } from "@findersfee/database/identity/members";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { deleteUnusedSetupTokens } from "@findersfee/database/identity/setup-tokens";
import { lockUserByEmail, updateUserDisabled } from "@findersfee/database/identity/users";
import { deleteUserVerifications } from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { operatorOf, writeAuditEntry } from "../../audit-log/write.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { notFoundUser } from "../setup/links.ts";

/**
 * Disables a user, which ends their sessions within a second and their links, or enables them again. The audit logs of their organizations
 * name the operator.
 *
 * @throws DomainError `not_found`
 */
export async function setUserDisabled(
  database: Database,
  { email, disabled }: { email: string; disabled: boolean },
): Promise<{ id: string; email: string; disabled_at: Date | null }> {
  return await transaction(database, async (sql) => {
    const user = await lockUserByEmail(sql, email);
    if (user === null) throw notFoundUser();
    // Waits for the person's changes under way, so that none commits after it.
    await lockMemberships(sql, user.id);
    const now = new Date();
    const disabled_at = disabled ? (user.disabled_at ?? now) : null;
    await updateUserDisabled(sql, { id: user.id, disabled_at, updated_at: now });
    if (disabled) {
      const ended = await deleteUserSessions(sql, user.id, { except: null });
      if (ended > 0)
        await recordSecurityEvent(sql, {
          user_id: user.id,
          kind: "sessions_ended",
          browser: null,
          actor: "operator",
          detail: String(ended),
        });
      await deleteUserVerifications(sql, user.id);
      await deleteUnusedSetupTokens(sql, user.id);
    }
    for (const { id } of await listUserOrganizations(sql, user.id)) {
      await writeAuditEntry(sql, operatorOf(id), {
        resource: "member",
        id: user.id,
        action: disabled ? "disabled" : "enabled",
        before: { disabled: user.disabled_at !== null },
        after: { disabled },
      });
    }
    return { id: user.id, email: user.email, disabled_at };
  });
}
