import type { Connection } from "@findersfee/database/connect";
import { insertPortalSession } from "@findersfee/database/portal-sessions";
import { type Browser, newSession, type OpenedSession } from "../accounts/open-session.ts";

/** Writes a session of a proven address in the transaction of the sign-in. */
export async function openPortalSession(
  sql: Connection,
  address: { email: string; limited_to: string | null },
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser);
  await insertPortalSession(sql, { ...row, ...address });
  return opened;
}
