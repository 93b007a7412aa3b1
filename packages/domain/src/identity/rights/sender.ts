import { type ApiKeyRow, holdApiKey } from "@findersfee/database/identity/api-keys";
import { findCurrentRole, lockMembers } from "@findersfee/database/identity/members";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { requireManager, requireRole } from "./roles.ts";

/**
 * Requires that the sender of a change still has the right to it, and keeps it until the transaction ends. The rights of the
 * request can be a second old: in this time, a removed member or a revoked key could make something that stays. A removal
 * waits for changes that hold its member, and those that come later see it.
 *
 * Members come before all other locks of a transaction. `member_ids` are those that the change itself removes or gives a
 * role: they are locked with the sender, so that of two people who remove each other one waits.
 *
 * Keys are held for changes that need the scope `admin`. The API's own changes are many, and nobody signs in by them; a
 * portal token ends with its key.
 *
 * @throws DomainError `unauthorized`; `not_a_member`; `forbidden_role`
 */
export async function holdSender(
  sql: Connection,
  context: Context,
  member_ids: readonly string[] = [],
): Promise<void> {
  const { actor, organization, right } = context;
  if (actor.kind === "user" && (right !== undefined || member_ids.length > 0)) {
    const mode = member_ids.length > 0 ? "update" : "share";
    await lockMembers(sql, organization.id, { user_ids: [actor.id, ...member_ids], mode });
    const role = await findCurrentRole(sql, organization.id, actor.id);
    if (role === null) throw new DomainError("not_a_member");
    if (right !== undefined && right.role !== null) requireRole(role, right.role);
  }
  if (actor.kind === "key") await requireValidKey(sql, context, actor.id);
}

/**
 * Requires that the sender may still manage keys. Returns the sender's own key; null: a person or the operator.
 *
 * @throws DomainError `unauthorized`; `not_a_member`; `forbidden_role`
 */
export async function requireSender(sql: Connection, context: Context): Promise<ApiKeyRow | null> {
  const { actor } = context;
  if (actor.kind === "user") {
    await requireManager(sql, context, []);
    return null;
  }
  return actor.kind === "key" ? await requireValidKey(sql, context, actor.id) : null;
}

async function requireValidKey(sql: Connection, { organization }: Context, id: string): Promise<ApiKeyRow> {
  const key = await holdApiKey(sql, organization.id, id);
  const has_ended =
    key === null || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= new Date());
  if (has_ended) throw new DomainError("unauthorized");
  return key;
}
