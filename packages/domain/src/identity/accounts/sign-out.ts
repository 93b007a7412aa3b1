import { deleteSessionByHash } from "@findersfee/database/identity/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { hashSecretToken, isSecretToken } from "./secret-token.ts";

/** Ends the session of a cookie. A token that no session has changes nothing. */
export async function signOut(database: Database, token: string): Promise<void> {
  if (isSecretToken(token)) await deleteSessionByHash(database, hashSecretToken(token));
}
