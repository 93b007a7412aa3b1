import { insertApiKey } from "@findersfee/database/identity/api-keys";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import { type Author, operatorOf, writeAuditEntry } from "../../audit-log/write.ts";
import { invalidField, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { type ApiKeyKind, hashToken, newToken } from "./token.ts";
import { apiKeyFields } from "./view.ts";

/**
 * `read` and `write` are for the API. `view` and `admin` are for the dashboard's operations, like the roles of people. `audit`
 * reads the audit log with security events, and is for owners to give. `track` is the only scope of a publishable key.
 */
export type Scope = "read" | "write" | "view" | "admin" | "audit" | "track";

export interface NewApiKeyInput {
  organization_id: string;
  name: string;
  /** `track` alone creates a publishable key; any of the others create a secret one. */
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
  const checked = checkKey(input);
  if ((await findOrganization(database, input.organization_id)) === null) throw notFound("organization");
  const author = operatorOf(input.organization_id);
  return await transaction(database, (sql) => addApiKey(sql, author, checked));
}

/** Checks the scopes and the expiry of a new key. Errors: `invalid_request`. */
export function checkKey(input: Omit<NewApiKeyInput, "organization_id">): CheckedApiKey {
  const created_at = new Date();
  const kind = kindOf(input.scopes);
  if (input.expires_at !== null && input.expires_at <= created_at) {
    throw invalidField("expires_at", "Must be in the future.");
  }
  return { ...input, kind, created_at };
}

interface CheckedApiKey extends Omit<NewApiKeyInput, "organization_id"> {
  kind: ApiKeyKind;
  created_at: Date;
}

/** Writes a validated key of the author's organization; part of the operations that create one. */
export async function addApiKey(
  sql: Connection,
  author: Author,
  { kind, name, scopes, expires_at, created_at }: CheckedApiKey,
): Promise<CreatedApiKey> {
  const organization_id = author.organization.id;
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
    created_by: actorText(author.actor),
  });
  await writeAuditEntry(sql, author, {
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
  if (!scopes.includes("track")) return "secret";
  if (scopes.length === 1) return "publishable";
  throw invalidField("scopes", "The scope track is a publishable key's only one.");
}
