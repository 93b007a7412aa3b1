import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The fields of an endpoint that a worker needs. */
export interface EndpointToSendTo {
  organization_id: string;
  endpoint_id: string;
  url: string;
  enabled: boolean;
  /** Changes with every update of the endpoint. */
  version: string;
  requests_per_second: number | null;
  ordered: boolean;
  custom_headers_encrypted: Buffer | null;
  /** The valid secrets, the current one first. */
  secrets: { secret_encrypted: Buffer; expires_at: Date | null }[];
}

type SecretColumns = { secret_encrypted: Buffer | null; expires_at: Date | null };

const FIND_ENDPOINTS = statement<Omit<EndpointToSendTo, "secrets"> & SecretColumns, "keys">(`
  select endpoint.organization_id, endpoint.id as endpoint_id, endpoint.url, endpoint.enabled,
    endpoint.xmin::text as version, endpoint.requests_per_second, endpoint.ordered,
    endpoint.custom_headers_encrypted, secret.secret_encrypted, secret.expires_at
  from json_to_recordset(:keys::text::json) as key (organization_id uuid, endpoint_id uuid)
  join endpoints endpoint on endpoint.organization_id = key.organization_id and endpoint.id = key.endpoint_id
  left join endpoint_secrets secret
    on secret.organization_id = key.organization_id and secret.endpoint_id = key.endpoint_id
      and (secret.expires_at is null or secret.expires_at > now())
  order by secret.expires_at desc nulls first`);

/** Returns the endpoints among these that exist. */
export async function findEndpointsToSendTo(
  sql: Connection,
  keys: readonly { organization_id: string; endpoint_id: string }[],
): Promise<EndpointToSendTo[]> {
  const rows = await FIND_ENDPOINTS.run(sql, {
    keys: JSON.stringify(keys.map(({ organization_id, endpoint_id }) => ({ organization_id, endpoint_id }))),
  });
  const endpoints = new Map<string, EndpointToSendTo>();
  for (const { secret_encrypted, expires_at, ...endpoint } of rows) {
    const known = endpoints.get(endpoint.endpoint_id) ?? { ...endpoint, secrets: [] };
    if (secret_encrypted !== null) known.secrets.push({ secret_encrypted, expires_at });
    endpoints.set(endpoint.endpoint_id, known);
  }
  return [...endpoints.values()];
}
