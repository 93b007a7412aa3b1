import { revokeApiKey as markRevoked } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";
import { notFound } from "../errors.ts";
import type { ApiKey } from "./list.ts";

/**
 * Ends a key. Every process refuses it within a second. Revoking it again changes nothing.
 *
 * @throws DomainError `not_found`
 */
export async function revokeApiKey(database: Database, id: string): Promise<ApiKey> {
  const key = await markRevoked(database, { id, revoked_at: new Date() });
  if (key === null) throw notFound("API key");
  return key;
}
