import { insertApiKey } from "@findersfee/database/api-keys";
import { type Connection, type Database, transaction } from "@findersfee/database/connect";
import { findOrganization } from "@findersfee/database/organizations";
import { operatorOf, writeAuditEntry } from "../audit-log/write.ts";
import { invalidField, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { type ApiKeyKind, hashToken, newToken } from "./token.ts";
import { apiKeyFields } from "./view.ts";

/**
 * `read` and `write` are for the API. `track` is the only scope of a publishable key. `staff` is for the dashboard and
 * includes the API's operations.
 */
export type Scope = "read" | "write" | "track" | "staff";

export interface NewApiKeyInput {
  organization_id: string;
  name: string;
  /** `read`, `write` or both create a secret key; `track` alone a publishable one, `staff` alone a staff key. */
  scopes: Scope[];
  /** Null: the key does not expire. */
  expires_at: Date | null;
}

export interface CreatedApiKey {
  id: string;
  organization_id: string;
  kind: ApiKeyKind;
  /** The key itself; a secret one is never shown again. */
  token: string;
  scopes: Scope[];
  expires_at: Date | null;
}

/**
 * Creates an API key of an organization.
 *
 * @throws DomainError `not_found` for an unknown organization; `invalid_request` for invalid scopes, and for an expiry
 * in the past
 */
export async function createApiKey(database: Database, input: NewApiKeyInput): Promise<CreatedApiKey> {
  const now = new Date();
  const kind = kindOf(input.scopes);
  if (kind === "staff") requireStaffExpiry(input.expires_at, now);
  if (input.expires_at !== null && input.expires_at <= now) {
    throw invalidField("expires_at", "Must be in the future.");
  }
  if ((await findOrganization(database, input.organization_id)) === null) throw notFound("organization");
  return await transaction(database, (sql) => addApiKey(sql, { ...input, kind, created_at: now }));
}

/** Writes a validated key; part of the operations that create one. */
export async function addApiKey(
  sql: Connection,
  input: NewApiKeyInput & { kind: ApiKeyKind; created_at: Date },
): Promise<CreatedApiKey> {
  const { organization_id, kind, name, scopes, expires_at, created_at } = input;
  const token = newToken(kind);
  const id = newId(created_at);
  const shown = { kind, name, scopes, last_four: token.slice(-4), expires_at };
  await insertApiKey(sql, {
    ...shown,
    organization_id,
    id,
    hash: hashToken(token),
    publishable_key: kind === "publishable" ? token : null,
    created_at,
  });
  await writeAuditEntry(sql, operatorOf(organization_id), {
    resource: "api_key",
    id,
    action: "created",
    before: null,
    after: apiKeyFields({ ...shown, revoked_at: null }),
  });
  return { id, organization_id, kind, token, scopes, expires_at };
}

function kindOf(scopes: Scope[]): ApiKeyKind {
  if (scopes.length === 0) throw invalidField("scopes", "Must name at least one scope.");
  if (new Set(scopes).size < scopes.length) throw invalidField("scopes", "Must name each scope once.");
  for (const [scope, kind] of ALONE) {
    if (!scopes.includes(scope)) continue;
    if (scopes.length === 1) return kind;
    throw invalidField("scopes", `The scope ${scope} is a ${kind} key's only one.`);
  }
  return "secret";
}

/** Scopes that a key has alone, each with its own kind of key. */
const ALONE = [
  ["track", "publishable"],
  ["staff", "staff"],
] as const;

/** A staff key stands for a person, so it expires. */
const MOST_STAFF_DAYS = 30;

function requireStaffExpiry(expires_at: Date | null, now: Date): void {
  const latest = now.getTime() + MOST_STAFF_DAYS * 24 * 60 * 60 * 1000;
  if (expires_at !== null && expires_at.getTime() <= latest) return;
  throw invalidField("expires_at", `A staff key expires, within ${MOST_STAFF_DAYS} days.`);
}
