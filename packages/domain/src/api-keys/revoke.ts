import { lockApiKey, revokeApiKey as markRevoked } from "@findersfee/database/api-keys";
import { type Database, transaction } from "@findersfee/database/connect";
import { operatorOf, writeAuditEntry } from "../audit-log/write.ts";
import { notFound } from "../errors.ts";
import type { ApiKey } from "./list.ts";
import { apiKeyFields } from "./view.ts";

/**
 * Revokes a key. Every process rejects it within a second. Revoking it again changes nothing.
 *
 * @throws DomainError `not_found`
 */
export async function revokeApiKey(database: Database, id: string): Promise<ApiKey> {
  return await transaction(database, async (sql) => {
    const before = await lockApiKey(sql, id);
    if (before === null) throw notFound("API key");
    if (before.revoked_at !== null) return before;
    const after = { ...before, revoked_at: new Date() };
    await markRevoked(sql, before.organization_id, after);
    await writeAuditEntry(sql, operatorOf(before.organization_id), {
      resource: "api_key",
      id: before.id,
      action: "revoked",
      before: apiKeyFields(before),
      after: apiKeyFields(after),
    });
    return after;
  });
}
