import type { ChangePassword } from "@findersfee/contract/identity/credentials";
import { findPasswordHash, upsertPassword } from "@findersfee/database/identity/passwords";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { lockUser } from "@findersfee/database/identity/users";
import { deleteUserVerifications } from "@findersfee/database/identity/verifications";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField } from "../../errors.ts";
import type { Waiting } from "./fair-queue.ts";
import { hashPassword, isPassword, requireGoodPassword, requireWaiting } from "./password.ts";
import { passwordOwner } from "./password-owner.ts";
import { requireRecentSignIn, type SignedInUser } from "./recent-sign-in.ts";

/**
 * Changes a user's password, and ends their other sessions. A user without a password must have signed in recently.
 *
 * @throws DomainError `invalid_request` for a wrong current password; `sign_in_again`
 */
export async function changePassword(
  database: Database,
  person: SignedInUser,
  { current_password, password }: ChangePassword,
  waiting: Waiting,
): Promise<void> {
  const stored = await findPasswordHash(database, person.user_id);
  if (stored === null) await requireRecentSignIn(database, person);
  else if (!(await isPassword(current_password ?? "", stored, waiting))) {
    throw invalidField("current_password", "Is not the current password.");
  }
  const password_hash = await hashPassword(password, waiting);
  await transaction(database, async (sql) => {
    const user = await lockUser(sql, person.user_id);
    if (user === null || user.disabled_at !== null) throw new DomainError("session_expired");
    await requireGoodPassword(password, await passwordOwner(sql, user));
    // Replaced since: by a reset, which ended this session.
    if ((await findPasswordHash(sql, user.id)) !== stored) throw new DomainError("sign_in_again");
    await upsertPassword(sql, { user_id: user.id, password_hash, updated_at: new Date() });
    await deleteUserVerifications(sql, user.id);
    await deleteUserSessions(sql, user.id, { except: person.session_id });
    requireWaiting(waiting);
  });
}
