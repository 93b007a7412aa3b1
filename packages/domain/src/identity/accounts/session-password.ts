import {
  deleteUserSession,
  returnSessionGuess,
  takeSessionGuess,
} from "@findersfee/database/identity/sessions";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import type { WaitingBrowser } from "./browser.ts";
import { isPassword } from "./password.ts";
import type { SignedInUser } from "./recent-sign-in.ts";
import { recordSecurityEvent } from "./record-security-event.ts";

/** Wrong passwords and codes in a row that end the session: somebody else uses it. */
const ALLOWED_FAILURES = 5;

interface Typed {
  password: string;
  stored: string | null;
  browser: WaitingBrowser;
}

/**
 * Whether the person of a session typed the password. Wrong ones are counted until the session is confirmed.
 *
 * @throws DomainError `session_expired` after too many: the session ends
 */
export async function isSessionPassword(
  database: Database,
  person: SignedInUser,
  { password, stored, browser }: Typed,
): Promise<boolean> {
  await takeGuess(database, person, browser);
  let is_wrong = false;
  try {
    is_wrong = !(await isPassword(password, stored, browser));
    return !is_wrong;
  } finally {
    if (!is_wrong) await returnSessionGuess(database, person.user_id, person.session_id);
  }
}

async function takeGuess(
  database: Database,
  { user_id, session_id }: SignedInUser,
  browser: WaitingBrowser,
): Promise<void> {
  const guess = { id: session_id, allowed: ALLOWED_FAILURES };
  if (await takeSessionGuess(database, user_id, guess)) return;
  await transaction(database, async (sql) => {
    if (!(await deleteUserSession(sql, user_id, session_id))) return;
    await recordSecurityEvent(sql, { user_id, kind: "sessions_ended", browser, detail: "wrong passwords" });
  });
  throw new DomainError("session_expired");
}
