import { type ApiKeyRow, lockApiKey } from "@findersfee/database/identity/api-keys";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { requireManager } from "../members/rights.ts";

/**
 * Requires that the sender may still manage keys. The rights of the request can be a second old: in this time, a removed
 * member or a revoked key could make a key that stays. Returns the sender's own key; null: a person or the operator.
 *
 * @throws DomainError `unauthorized`; `not_a_member`; `forbidden_role`
 */
export async function requireSender(sql: Connection, context: Context): Promise<ApiKeyRow | null> {
  const { actor, organization } = context;
  if (actor.kind === "user") {
    await requireManager(sql, context, []);
    return null;
  }
  if (actor.kind !== "key") return null;
  const key = await lockApiKey(sql, organization.id, actor.id);
  const has_ended =
    key === null || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= new Date());
  if (has_ended) throw new DomainError("unauthorized");
  return key;
}
