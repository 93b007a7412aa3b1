import type { CustomHeaderRow, EndpointRow, EndpointSettings } from "@findersfee/database/webhooks/endpoints";
import { z } from "zod";
import { invalidField, requireNoIssues } from "../../errors.ts";
import { isReadable, openSecret, type SecretsKey, sealSecret } from "../../secrets/secrets.ts";
import { type CustomHeaders, customHeaderIssues } from "./custom-headers.ts";
import type { EndpointPolicy } from "./policy.ts";

interface HeaderOwner {
  organization_id: string;
  endpoint_id: string;
}

export type StoredHeaders = Pick<EndpointSettings, "custom_headers" | "custom_headers_encrypted">;

export const NO_HEADERS: StoredHeaders = { custom_headers: [], custom_headers_encrypted: null };

const valuesSchema = z.record(z.string(), z.string());

/**
 * The custom headers of an endpoint with their values.
 *
 * @throws Error when they were sealed under another key or for another endpoint, or were changed
 */
export function openHeaders(
  key: SecretsKey,
  { organization_id, endpoint_id }: HeaderOwner,
  sealed: Buffer | null,
): CustomHeaders {
  if (sealed === null) return {};
  const owner = { organization_id, endpoint_id, purpose: "headers" } as const;
  return valuesSchema.parse(JSON.parse(openSecret(key, owner, sealed)));
}

/** Whether the values of an endpoint's custom headers can be read. */
export function hasReadableHeaders(
  { organization_id, id, custom_headers_encrypted }: EndpointRow,
  { secrets_key }: EndpointPolicy,
): boolean {
  const owner = { organization_id, endpoint_id: id, purpose: "headers" } as const;
  return custom_headers_encrypted === null || isReadable(secrets_key, owner, custom_headers_encrypted);
}

/**
 * Sets headers by name, removes those with the value null, and leaves the others unchanged. Errors: `invalid_request`
 * with the issues of `custom_headers`.
 */
export function changeHeaders(
  key: SecretsKey,
  owner: HeaderOwner,
  { stored, changes, now }: { stored: StoredHeaders; changes: Record<string, string | null>; now: Date },
): StoredHeaders {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = stored.custom_headers.filter(({ name }) => !changed.has(name.toLowerCase()));
  const former = kept.length === 0 ? {} : openKept(key, owner, { stored, kept });
  const set = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const values = { ...former, ...Object.fromEntries(set) };
  requireNoIssues(customHeaderIssues(values, "custom_headers"));
  const added = Object.keys(values).filter((name) => changed.has(name.toLowerCase()));
  const custom_headers = [...kept, ...added.map((name) => ({ name, updated_at: now.toISOString() }))];
  if (custom_headers.length === 0) return NO_HEADERS;
  const sealed = sealSecret(key, { ...owner, purpose: "headers" }, JSON.stringify(values));
  return { custom_headers, custom_headers_encrypted: sealed };
}

function openKept(
  key: SecretsKey,
  owner: HeaderOwner,
  { stored, kept }: { stored: StoredHeaders; kept: CustomHeaderRow[] },
): CustomHeaders {
  const names = new Set(kept.map(({ name }) => name));
  let values: CustomHeaders;
  try {
    values = openHeaders(key, owner, stored.custom_headers_encrypted);
  } catch {
    throw invalidField(
      "custom_headers",
      `The stored values cannot be read. Set or remove these headers as well: ${[...names].join(", ")}.`,
    );
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
