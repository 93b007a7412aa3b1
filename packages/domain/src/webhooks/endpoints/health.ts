import { attemptErrorCodes } from "@findersfee/contract/webhooks/deliveries";
import type { EndpointHealth, EndpointHealthList } from "@findersfee/contract/webhooks/endpoint-health";
import { type EndpointMetricsRow, listEndpointMetrics } from "@findersfee/database/webhooks/endpoint-metrics";
import { countEndpoints, type DisabledReason } from "@findersfee/database/webhooks/endpoints";
import type { Context } from "../../context.ts";
import { firstIdOf } from "../../ids.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The limits of deliveries to read: for all endpoints together, and for each endpoint. */
const MAX_READ = 20_000;
const MIN_READ_OF_ONE = 20;
const MAX_READ_OF_ONE = 1_000;

/** How all endpoints fared in the last 24 hours, newest endpoint first. */
export async function listEndpointHealth({ database, organization }: Context): Promise<EndpointHealthList> {
  const endpoints = await countEndpoints(database, organization.id);
  const share = Math.floor(MAX_READ / Math.max(endpoints, 1));
  const most_counted = Math.min(Math.max(share, MIN_READ_OF_ONE), MAX_READ_OF_ONE);
  const since = new Date(Date.now() - DAY_MILLISECONDS);
  const rows = await listEndpointMetrics(database, organization.id, {
    since,
    until: new Date(Date.now() + HOUR_MILLISECONDS),
    from_id: firstIdOf(since),
    most: most_counted,
  });
  return { data: rows.map(viewHealth), most_counted };
}

function viewHealth(row: EndpointMetricsRow): EndpointHealth {
  const { endpoint_id, enabled, failing_since, pending, attempted, delivered, p50_milliseconds } = row;
  return {
    endpoint_id,
    state: stateOf({ enabled, failing_since }),
    failing_since: failing_since?.toISOString() ?? null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    // The database checks it against the same list.
    disabled_reason: row.disabled_reason as DisabledReason | null,
    pending,
    attempted,
    delivered,
    delivered_percent: attempted === 0 ? null : Math.floor((1000 * delivered) / attempted) / 10,
    p50_milliseconds,
    last_failure: lastFailureOf(row),
  };
}

function stateOf(row: Pick<EndpointMetricsRow, "enabled" | "failing_since">): EndpointHealth["state"] {
  if (!row.enabled) return "disabled";
  return row.failing_since === null ? "ok" : "failing";
}

function lastFailureOf(row: EndpointMetricsRow): EndpointHealth["last_failure"] {
  const { last_failed_event_id: event_id, last_failed_at, last_error_code, last_status: status } = row;
  if (event_id === null || last_failed_at === null) return null;
  const error_code = attemptErrorCodes.find((code) => code === last_error_code) ?? null;
  return { event_id, failed_at: last_failed_at.toISOString(), error_code, status };
}
