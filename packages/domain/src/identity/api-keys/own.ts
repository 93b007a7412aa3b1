import type {
  ApiKeyView,
  CreateApiKey,
  CreatedApiKeyView,
  ListApiKeys,
  RotateApiKey,
  RotatedApiKey,
} from "@findersfee/contract/identity/api-keys";
import type { Page } from "@findersfee/contract/pages";
import {
  type ApiKeyListRow,
  type ApiKeyRow,
  expireApiKey,
  listApiKeyRows,
  lockApiKey,
} from "@findersfee/database/identity/api-keys";
import type { Connection } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField, notFound } from "../../errors.ts";
import { idOf, pageOf } from "../../pages.ts";
import { inTransaction } from "../../transaction.ts";
import { requireManager } from "../rights/roles.ts";
import { requireSender } from "../rights/sender.ts";
import { addApiKey, type CreatedApiKey, checkKey, type Scope } from "./create.ts";
import { apiKeyFields } from "./view.ts";

/* The keys of the sender's organization, for its admins. */

/** The organization's keys, newest first. */
export async function listOwnApiKeys(
  { database, organization }: Context,
  { revoked, limit, cursor = null }: Omit<ListApiKeys, "cursor"> & { cursor?: string | null | undefined },
): Promise<Page<ApiKeyView>> {
  const range = { is_revoked: revoked, below: cursor, limit: limit + 1 };
  const rows = await listApiKeyRows(database, organization.id, range);
  return pageOf(rows, { limit, view: viewKey, cursorOf: idOf });
}

function viewKey({ organization_id: _organization_id, ...row }: ApiKeyListRow): ApiKeyView {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

/** Creates a key, which is shown once. Errors: `invalid_request`, `insufficient_scope`, `forbidden_role`. */
export async function createOwnApiKey(context: Context, input: CreateApiKey): Promise<CreatedApiKeyView> {
  const expires_at = input.expires_at === null ? null : new Date(input.expires_at);
  const checked = checkKey({ ...input, expires_at });
  return await inTransaction(context, async (sql) => {
    const sender = await requireSender(sql, context);
    requireMayGive(sender, input.scopes);
    await requireOwnerFor(sql, context, input.scopes);
    requireEndsBefore(sender, expires_at);
    return viewCreated(await addApiKey(sql, context, checked));
  });
}

/**
 * Creates a key with the name and the scopes of another, which ends, in one transaction. Errors: `not_found`,
 * `insufficient_scope`, `forbidden_role`; `invalid_request` when that key was revoked or has expired.
 */
export async function rotateOwnApiKey(context: Context, input: RotateApiKey): Promise<RotatedApiKey> {
  return await inTransaction(context, async (sql) => {
    const old = await lockApiKey(sql, context.organization.id, input.id);
    if (old === null) throw notFound("API key");
    const sender = await requireSender(sql, context);
    requireMayGive(sender, old.scopes);
    await requireOwnerFor(sql, context, old.scopes);
    const now = new Date();
    if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now)) {
      throw new DomainError("invalid_request", { message: "The key is no longer valid; create a new one." });
    }
    const { name, scopes } = old;
    const new_expires_at = newExpiry(old, input, now);
    requireEndsBefore(sender, new_expires_at);
    const created = await addApiKey(sql, context, checkKey({ name, scopes, expires_at: new_expires_at }));
    const end = new Date(now.getTime() + input.overlap_seconds * 1000);
    const expires_at = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
    await expireApiKey(sql, context.organization.id, { id: old.id, expires_at });
    await writeAuditEntry(sql, context, {
      resource: "api_key",
      id: old.id,
      action: "rotated",
      before: apiKeyFields(old),
      after: apiKeyFields({ ...old, expires_at }),
    });
    return { ...viewCreated(created), old_expires_at: expires_at.toISOString() };
  });
}

/** A program gets no rights by a key that it makes. */
function requireMayGive(sender: ApiKeyRow | null, scopes: readonly Scope[]): void {
  if (sender === null) return;
  const own: readonly Scope[] = [
    ...sender.scopes,
    ...(sender.scopes.includes("admin") ? (["view"] as const) : []),
  ];
  const missing = scopes.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new DomainError("insufficient_scope", {
    message: `An API key cannot make one with scopes that it lacks: ${missing.join(", ")}. Sign in to the dashboard.`,
  });
}

/** Security events are for owners: nobody else reads them by a key that they make, or by the new token of another. */
async function requireOwnerFor(sql: Connection, context: Context, scopes: readonly Scope[]): Promise<void> {
  if (context.actor.kind === "user" && scopes.includes("audit"))
    await requireManager(sql, context, ["owner"]);
}

/** A program does not outlive its key by one that it makes. */
function requireEndsBefore(sender: ApiKeyRow | null, expires_at: Date | null): void {
  const end = sender?.expires_at ?? null;
  if (end === null || (expires_at !== null && expires_at <= end)) return;
  throw invalidField("expires_at", `Must be at most that of the key that makes it: ${end.toISOString()}.`);
}

function newExpiry(
  old: { created_at: Date; expires_at: Date | null },
  { expires_at }: RotateApiKey,
  now: Date,
): Date | null {
  if (expires_at === null) return null;
  if (expires_at !== undefined) return new Date(expires_at);
  if (old.expires_at === null) return null;
  return new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime());
}

function viewCreated({ id, kind, scopes, expires_at, token }: CreatedApiKey): CreatedApiKeyView {
  return { id, kind, scopes, expires_at: expires_at?.toISOString() ?? null, token };
}
