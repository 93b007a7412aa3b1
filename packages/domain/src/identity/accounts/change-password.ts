import type { ChangePassword } from "@findersfee/contract/identity/credentials";
import { findPasswordHash, upsertPassword } from "@findersfee/database/identity/passwords";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { lockUser } from "@findersfee/database/identity/users";
import { deleteUserVerifications } from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField } from "../../errors.ts";
import type { WaitingBrowser } from "./browser.ts";
import { hashPassword, requireGoodPassword, requireWaiting } from "./password.ts";
import { passwordOwner } from "./password-owner.ts";
import { requireRecentSignIn, type SignedInUser } from "./recent-sign-in.ts";
import { recordSecurityEvent } from "./record-security-event.ts";
import { isSessionPassword } from "./session-password.ts";

/**
 * Changes a user's password, and ends their other sessions. A user without a password must have signed in recently.
 *
 * @throws DomainError `invalid_request` for a wrong current password; `session_expired` after five; `sign_in_again`
 */
export async function changePassword(
  database: Database,
  person: SignedInUser,
  { current_password, password }: ChangePassword,
  browser: WaitingBrowser,
): Promise<void> {
  const stored = await findPasswordHash(database, person.user_id);
  if (stored === null) await requireRecentSignIn(database, person);
  else if (
    !(await isSessionPassword(database, person, { password: current_password ?? "", stored, browser }))
  ) {
    throw invalidField("current_password", "Is not the current password.");
  }
  const password_hash = await hashPassword(password, browser);
  await transaction(database, async (sql) => {
    const user = await lockUser(sql, person.user_id);
    if (user === null || user.disabled_at !== null) throw new DomainError("session_expired");
    await requireGoodPassword(password, await passwordOwner(sql, user));
    // Replaced since: by a reset, which ended this session.
    if ((await findPasswordHash(sql, user.id)) !== stored) throw new DomainError("sign_in_again");
    await upsertPassword(sql, { user_id: user.id, password_hash, updated_at: new Date() });
    await deleteUserVerifications(sql, user.id);
    await deleteUserSessions(sql, user.id, { except: person.session_id });
    await recordSecurityEvent(sql, { user_id: user.id, kind: "password_changed", browser, mailed: true });
    requireWaiting(browser);
  });
}
