import type { Connection } from "../postgres/connect.ts";
import { ALL_SHARDS, OWN_SHARD } from "../work/shards.ts";
import { findOverdueEndpoints } from "./overdue-endpoints.ts";

/** Something that should progress and does not. */
export interface DeliveryFinding {
  /** Null: it affects the whole service, not one organization. */
  organization_id: string | null;
  /** `endpoint 0199…`, `shard 7`. */
  subject: string;
  finding: string;
}

export interface DeliveryCheckLimits {
  /** The number of consecutive failures from which an endpoint is only probed, and the longest probe interval. */
  failing: number;
  probe_seconds: number;
  /** Shorter delays are normal. */
  patience_seconds: number;
}

/** Finds deliveries that are due and should have had an attempt, or an end, by now. */
export async function findStuckDeliveries(
  sql: Connection,
  { failing, probe_seconds, patience_seconds }: DeliveryCheckLimits,
): Promise<DeliveryFinding[]> {
  const overdue = await findOverdueEndpoints(sql);
  const late = overdue.filter(({ due_in, failures, failed_ago, has_manual }) => {
    const is_probed = failures >= failing && !has_manual;
    const probe_in = is_probed ? probe_seconds * 1000 - (failed_ago ?? 0) : due_in;
    return Math.max(due_in, probe_in) < -patience_seconds * 1000;
  });
  const enabled = await enabledOf(
    sql,
    late.map(({ endpoint_id }) => endpoint_id),
  );
  return late.map(({ organization_id, endpoint_id, due_in }) => {
    const seconds = Math.round(-due_in / 1000);
    const state = enabled.get(endpoint_id);
    const finding =
      state === undefined
        ? "has pending deliveries, and no longer exists"
        : state
          ? `has had a delivery due for ${seconds} s without an attempt`
          : `is disabled, and a delivery that has been due for ${seconds} s is not canceled`;
    return { organization_id, subject: `endpoint ${endpoint_id}`, finding };
  });
}

async function enabledOf(sql: Connection, endpoint_ids: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await sql<{ id: string; enabled: boolean }[]>`
    select id, enabled from endpoints where id = any (${[...endpoint_ids]}::uuid[])`;
  return new Map(rows.map(({ id, enabled }) => [id, enabled]));
}

/** Finds pending deliveries without their event, which cannot be sent. */
export async function findDeliveriesWithoutEvent(sql: Connection): Promise<DeliveryFinding[]> {
  const rows = await sql<{ organization_id: string; endpoint_id: string; event_id: string }[]>`
    select organization_id, endpoint_id, event_id from pending_deliveries pending
    where not exists (
      select from events event
      where event.organization_id = pending.organization_id and event.id = pending.event_id)
    limit 100`;
  return rows.map(({ organization_id, endpoint_id, event_id }) => ({
    organization_id,
    subject: `endpoint ${endpoint_id}`,
    finding: `has a pending delivery of the event ${event_id}, which no longer exists`,
  }));
}

/** Finds shards that no job of a living worker owns, and a lack of workers. */
export async function findShardsWithoutOwner(
  sql: Connection,
  { patience_seconds }: DeliveryCheckLimits,
): Promise<DeliveryFinding[]> {
  const [{ workers }] = await sql<[{ workers: number }]>`
    select count(*)::int as workers from workers where alive_until > now()`;
  if (workers === 0) {
    return [{ organization_id: null, subject: "the workers", finding: "none is running" }];
  }
  const rows = await sql<{ shard: number }[]>`
    select shard from generate_series(0, ${ALL_SHARDS.length - 1}) as shard
    where not exists (
      select from graphile_worker.jobs job
      where job.queue_name = ${OWN_SHARD} || ':' || shard
        and (job.locked_by in (
            select unnest(queue_worker_ids) from workers where alive_until > now())
          or job.run_at > now() - make_interval(secs => ${patience_seconds})))
    order by shard`;
  return rows.map(({ shard }) => ({
    organization_id: null,
    subject: `shard ${shard}`,
    finding: "no worker owns it, so its work waits",
  }));
}
