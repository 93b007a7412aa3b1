import { deleteProviderSessions } from "@findersfee/database/identity/sign-in-providers";
import type { Connection } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import type { Author } from "../../audit-log/write.ts";
import { recordSecurityEvent } from "../accounts/record-security-event.ts";

/** Ends the sessions that an organization's provider opened, with the security events of their people. */
export async function endProviderSessions(sql: Connection, { organization, actor }: Author): Promise<void> {
  const user_ids = await deleteProviderSessions(sql, organization.id);
  for (const user_id of user_ids) {
    const event = { user_id, kind: "sessions_ended", browser: null, actor: actorText(actor) } as const;
    await recordSecurityEvent(sql, { ...event, detail: "single sign-on" });
  }
}
