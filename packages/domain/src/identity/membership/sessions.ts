import type { EndMemberSessions, MemberSession } from "@findersfee/contract/identity/members";
import { findMember } from "@findersfee/database/identity/members";
import {
  deleteUserSession,
  deleteUserSessions,
  listUserSessions,
} from "@findersfee/database/identity/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";
import { noSuchMember } from "./access.ts";

const MAX_LISTED = 100;

/** The open sessions of a member, the last used one first. Errors: `not_found`. */
export async function listMemberSessions(context: Context, user_id: string): Promise<MemberSession[]> {
  await requireMember(context.database, context, user_id);
  const rows = await listUserSessions(context.database, user_id, { now: new Date(), limit: MAX_LISTED });
  return rows.map(({ created_at, updated_at, ...session }) => ({
    ...session,
    created_at: created_at.toISOString(),
    last_used_at: updated_at.toISOString(),
  }));
}

/**
 * Ends one session of a member, or all of them; returns how many. Every process rejects them within a second. A session is the
 * person's, so it ends in the person's other organizations, too.
 *
 * @throws DomainError `not_found`
 */
export async function endMemberSessions(
  context: Context,
  { user_id, id }: EndMemberSessions,
): Promise<{ ended: number }> {
  return await inTransaction(context, async (sql) => {
    await requireMember(sql, context, user_id);
    const ended =
      id === undefined
        ? await deleteUserSessions(sql, user_id, { except: null })
        : Number(await deleteUserSession(sql, user_id, id));
    if (id !== undefined && ended === 0) throw notFound("session");
    const actor = actorText(context.actor);
    await recordSecurityEvent(sql, { user_id, kind: "sessions_ended", browser: null, actor, mailed: true });
    await writeAuditEntry(sql, context, {
      resource: "member",
      id: user_id,
      action: "revoked",
      before: { ended_sessions: 0 },
      after: { ended_sessions: ended },
    });
    return { ended };
  });
}

async function requireMember(sql: Connection, { organization }: Context, user_id: string): Promise<void> {
  if ((await findMember(sql, organization.id, user_id)) === null) throw noSuchMember();
}
