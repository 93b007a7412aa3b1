import { lockApiKey, revokeApiKey as markRevoked } from "@findersfee/database/identity/api-keys";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { type Author, operatorOf, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireSender } from "../rights/sender.ts";
import type { ApiKey } from "./list.ts";
import { apiKeyFields } from "./view.ts";

/**
 * Revokes a key. Every process rejects it within a second. Revoking it again changes nothing.
 *
 * @throws DomainError `not_found`
 */
export async function revokeApiKey(database: Database, id: string): Promise<ApiKey> {
  return await transaction(database, async (sql) => {
    const before = await lockApiKey(sql, null, id);
    if (before === null) throw notFound("API key");
    return await revokeLockedKey(sql, operatorOf(before.organization_id), before);
  });
}

/** The same for a key of the sender's organization. */
export async function revokeOwnApiKey(sender: Context, id: string): Promise<void> {
  const context = beyondQuotas(sender);
  await inTransaction(context, async (sql) => {
    await requireSender(sql, context);
    const before = await lockApiKey(sql, context.organization.id, id);
    if (before === null) throw notFound("API key");
    await revokeLockedKey(sql, context, before);
  });
}

/** Revokes a locked key in the transaction of an operation. A revoked one stays as it is. */
export async function revokeLockedKey(sql: Connection, author: Author, before: ApiKey): Promise<ApiKey> {
  if (before.revoked_at !== null) return before;
  const after = { ...before, revoked_at: new Date() };
  await markRevoked(sql, before.organization_id, after);
  await writeAuditEntry(sql, author, {
    resource: "api_key",
    id: before.id,
    action: "revoked",
    before: apiKeyFields(before),
    after: apiKeyFields(after),
  });
  return after;
}
