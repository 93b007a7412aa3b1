import type { Credentials } from "@findersfee/contract/identity/credentials";
import { findCredentials } from "@findersfee/database/identity/second-factors";
import { updateUserName } from "@findersfee/database/identity/users";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { requireNoAddress } from "../../shown-name.ts";

export async function renameUser(
  database: Database,
  { user_id, name }: { user_id: string; name: string },
): Promise<void> {
  requireNoAddress("name", name);
  await updateUserName(database, { id: user_id, name, updated_at: new Date() });
}

/** How a user can sign in. */
export async function getCredentials(database: Database, user_id: string): Promise<Credentials> {
  const credentials = await findCredentials(database, user_id);
  if (credentials === null) throw new DomainError("session_expired");
  return credentials;
}
