import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { ALL_SHARDS } from "../work/shards.ts";
import { findPendingEndpoints, type PendingEndpoint, PRIORITIES } from "./pending-deliveries.ts";

interface Head {
  endpoint_id: string;
  due_in: number;
  has_manual: boolean;
}

const FIND_HEADS = statement<Head, "organization_ids" | "endpoint_ids">(`
  select endpoint.id as endpoint_id, (extract(epoch from head.due_at - now()) * 1000)::float8 as due_in,
    head.priority = ${PRIORITIES.manual} as has_manual
  from unnest(:organization_ids::text::uuid[], :endpoint_ids::text::uuid[]) as asked (organization_id, endpoint_id)
  join endpoints endpoint on endpoint.organization_id = asked.organization_id and endpoint.id = asked.endpoint_id
  cross join lateral (
    select due_at, priority from pending_deliveries
    where organization_id = asked.organization_id and endpoint_id = asked.endpoint_id
    order by event_id limit 1) as head
  where endpoint.ordered`);

/**
 * Returns the endpoints with the longest due deliveries. With strict order only the oldest event counts: the later ones
 * wait for it.
 */
export async function findOverdueEndpoints(sql: Connection): Promise<PendingEndpoint[]> {
  const due = (await findPendingEndpoints(sql, ALL_SHARDS)).filter(({ due_in }) => due_in < 0);
  const heads = await FIND_HEADS.run(sql, {
    organization_ids: arrayText(due.map(({ organization_id }) => organization_id)),
    endpoint_ids: arrayText(due.map(({ endpoint_id }) => endpoint_id)),
  });
  const ordered = new Map(heads.map((head) => [head.endpoint_id, head]));
  return due
    .map((endpoint) => ({ ...endpoint, ...ordered.get(endpoint.endpoint_id) }))
    .filter(({ due_in }) => due_in < 0);
}
