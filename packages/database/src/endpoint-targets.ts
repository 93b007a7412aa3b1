import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

/** An endpoint as a worker needs it. */
export interface EndpointToSendTo {
  organization_id: string;
  endpoint_id: string;
  url: string;
  enabled: boolean;
  /** Another one: it was changed. */
  version: string;
  secret_encrypted: Buffer;
  previous_secret_encrypted: Buffer | null;
  previous_secret_expires_at: Date | null;
}

interface EndpointKey {
  organization_id: string;
  endpoint_id: string;
}

const FIND_ENDPOINTS = statement<EndpointToSendTo, "keys">(`
  select endpoint.organization_id, endpoint.id as endpoint_id, endpoint.url, endpoint.enabled,
    endpoint.xmin::text as version,
    endpoint.secret_encrypted, endpoint.previous_secret_encrypted, endpoint.previous_secret_expires_at
  from json_to_recordset(:keys::text::json) as key (organization_id uuid, endpoint_id uuid)
  join endpoints endpoint on endpoint.organization_id = key.organization_id and endpoint.id = key.endpoint_id`);

/** Those of the endpoints that exist. */
export function findEndpointsToSendTo(
  sql: Connection,
  keys: readonly EndpointKey[],
): Promise<EndpointToSendTo[]> {
  return FIND_ENDPOINTS.run(sql, {
    keys: JSON.stringify(keys.map(({ organization_id, endpoint_id }) => ({ organization_id, endpoint_id }))),
  });
}
