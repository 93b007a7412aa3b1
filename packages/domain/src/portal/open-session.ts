import { insertPortalSession } from "@findersfee/database/portal/sessions";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Browser } from "../identity/accounts/browser.ts";
import { newSession, type OpenedSession } from "../identity/accounts/open-session.ts";

/** Writes a session of a proven address in the transaction of the sign-in. */
export async function openPortalSession(
  sql: Connection,
  address: { email: string; limited_to: string | null },
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser);
  await insertPortalSession(sql, {
    ...row,
    ...address,
    affiliate_id: null,
    user_session_id: null,
    key_id: null,
  });
  return opened;
}

/** The page around the frame renews it. */
const EMBEDDED_SECONDS = 60 * 60;

/** Writes a session of one affiliate in a frame, in the transaction that uses its token. */
export async function openEmbeddedSession(
  sql: Connection,
  affiliate: { email: string; limited_to: string; affiliate_id: string; key_id: string | null },
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser, EMBEDDED_SECONDS);
  await insertPortalSession(sql, { ...row, ...affiliate, user_session_id: null });
  return opened;
}

const VIEW_SECONDS = 30 * 60;

/** Writes the session of a member who views an affiliate's portal, in the transaction that uses its token. */
export async function openViewSession(
  sql: Connection,
  view: { email: string; limited_to: string; affiliate_id: string; user_session_id: string },
  browser: Browser,
): Promise<OpenedSession> {
  const { opened, row } = newSession(browser, VIEW_SECONDS);
  await insertPortalSession(sql, { ...row, ...view, key_id: null });
  return opened;
}
