import type { CurrentSecret, Endpoint, EndpointWithSecret } from "@findersfee/contract/webhooks/endpoints";
import { isEventType } from "@findersfee/contract/webhooks/events";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { EndpointSecretRow } from "@findersfee/database/webhooks/endpoint-secrets";
import type { EndpointRow } from "@findersfee/database/webhooks/endpoints";
import { isReadable, openSecret } from "../../secrets/secrets.ts";
import type { EndpointPolicy } from "./policy.ts";

/** An endpoint as the organization sees it. */
export function viewEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    url: row.url,
    event_types: row.event_types === null ? null : row.event_types.filter(isEventType),
    description: row.description,
    requests_per_second: row.requests_per_second,
    ordered: row.ordered,
    campaign_ids: row.campaign_ids,
    custom_headers: row.custom_headers,
    enabled: row.enabled,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    secrets: row.secrets.map(({ id, created_at, expires_at }) => ({
      id,
      created_at: created_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
    })),
    created_at: row.created_at.toISOString(),
  };
}

/** The same with the current signing secret. */
export function viewEndpointWithSecret(row: EndpointRow, policy: EndpointPolicy): EndpointWithSecret {
  return { ...viewEndpoint(row), secret: openCurrentSecret(row, policy) };
}

/** The current signing secret; null if it cannot be read. */
export function viewCurrentSecret(row: EndpointRow, policy: EndpointPolicy): CurrentSecret {
  return { secret: hasReadableSecret(row, policy) ? openCurrentSecret(row, policy) : null };
}

function openCurrentSecret(row: EndpointRow, { secrets_key }: EndpointPolicy): string {
  const owner = { organization_id: row.organization_id, endpoint_id: row.id };
  const current = currentSecret(row);
  if (current === undefined) throw new Error(`the endpoint ${row.id} has no current secret`);
  return openSecret(secrets_key, owner, current.secret_encrypted);
}

/** Whether the current signing secret can be read. */
export function hasReadableSecret(row: EndpointRow, { secrets_key }: EndpointPolicy): boolean {
  const owner = { organization_id: row.organization_id, endpoint_id: row.id };
  const current = currentSecret(row);
  return current !== undefined && isReadable(secrets_key, owner, current.secret_encrypted);
}

function currentSecret({ secrets }: EndpointRow): EndpointSecretRow | undefined {
  return secrets.find(({ expires_at }) => expires_at === null);
}

/** The fields in the audit log. */
export function endpointFields(row: EndpointRow): AuditedFields {
  const { id: _id, created_at: _created_at, failing_since: _failing_since, ...fields } = viewEndpoint(row);
  return fields;
}
