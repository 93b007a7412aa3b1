import { findPasswordHash } from "@findersfee/database/identity/passwords";
import { confirmSession } from "@findersfee/database/identity/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { invalidField } from "../../errors.ts";
import type { Waiting } from "./fair-queue.ts";
import { isPassword } from "./password.ts";
import type { SignedInUser } from "./recent-sign-in.ts";

/**
 * Records that a signed-in person typed the password again, so that the session may make sensitive changes.
 *
 * @throws DomainError `invalid_request` for a wrong password
 */
export async function confirmPerson(
  database: Database,
  { user_id, session_id }: SignedInUser,
  { password, waiting }: { password: string; waiting: Waiting },
): Promise<void> {
  const stored = await findPasswordHash(database, user_id);
  if (!(await isPassword(password, stored, waiting))) throw invalidField("password", "Is not your password.");
  await confirmSession(database, user_id, { id: session_id, confirmed_at: new Date() });
}
