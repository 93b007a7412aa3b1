import type { Database } from "@findersfee/database/postgres/connect";
import { migrateQueue } from "@findersfee/database/work/queue";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { newSigningSecret, sealSecret } from "@findersfee/domain/secrets/secrets";
import type { PostgresServer } from "../postgres-server.ts";
import { withConnection } from "../postgres-server.ts";

export const SECRETS_KEY = Buffer.alloc(32, 7);

/** An event of about the size of a commission's. */
export const BODY = JSON.stringify({ type: "commission.created", data: { note: "x".repeat(900) } });

/** A database with one organization, for a worker. */
export interface WorkerDatabase {
  database_url: string;
  organization_id: string;
}

/**
 * Creates a database with the job queue and one organization; returns its address and the organization's id.
 */
export async function makeDatabase(server: PostgresServer): Promise<WorkerDatabase> {
  const database_url = await server.createDatabase();
  await migrateQueue(database_url);
  const organization_id = await withConnection(database_url, makeOrganization);
  return { database_url, organization_id };
}

/** Creates an organization; returns its id. */
export async function makeOrganization(sql: Database): Promise<string> {
  const values = { name: "Bench", currency: "USD", subscription_status: "active" } as const;
  return (await createOrganization(sql, values)).organization_id;
}

/** Subscribes the URLs to all events, replacing the organization's endpoints. */
export async function subscribe(sql: Database, organization_id: string, urls: string[]): Promise<void> {
  await sql`delete from endpoints where organization_id = ${organization_id}`;
  const created_at = new Date();
  const rows = urls.map((url) => {
    const id = newId(created_at);
    const sealed = sealSecret(SECRETS_KEY, { organization_id, endpoint_id: id }, newSigningSecret());
    return { id, url, secret: sealed.toString("hex") };
  });
  await sql`
    with endpoint as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as endpoint (id uuid, url text, secret text)
    ),
    made as (
      insert into endpoints (organization_id, id, url, event_types, description, enabled, created_at)
      select ${organization_id}::uuid, id, url, null, '', true, ${created_at} from endpoint
    )
    insert into endpoint_secrets (organization_id, endpoint_id, id, secret_encrypted, created_at)
    select ${organization_id}::uuid, id, id, decode(secret, 'hex'), ${created_at} from endpoint`;
}

/**
 * Creates events for each endpoint of one organization, or of all, in an order that mixes the endpoints. Each event has one
 * delivery, which is due in `due_seconds`.
 */
export async function fillDeliveries(
  sql: Database,
  {
    per_endpoint,
    due_seconds = 0,
    organization_id = null,
  }: { per_endpoint: number; due_seconds?: number; organization_id?: string | null },
): Promise<void> {
  await sql`
    with made as materialized (
      select endpoint.organization_id, endpoint.shard, endpoint.id as endpoint_id, gen_random_uuid() as event_id
      from generate_series(1, ${per_endpoint}) as number
      cross join (
        select organization_id, shard, id from endpoints
        where ${organization_id}::uuid is null or organization_id = ${organization_id} order by random()
      ) as endpoint
    ),
    event as (
      insert into events (organization_id, id, type, body, position, created_at)
      select organization_id, event_id, 'commission.created', ${BODY},
        pg_current_xact_id()::text::bigint, now()
      from made
    )
    insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
    select shard, organization_id, endpoint_id, event_id, now() + make_interval(secs => ${due_seconds}), now()
    from made`;
  await analyze(sql);
}

/** Creates events, each with a delivery to every endpoint. The deliveries wait for a retry tomorrow. */
export async function fillWaiting(sql: Database, events: number): Promise<void> {
  await sql`
    with event as (
      insert into events (organization_id, id, type, body, position, created_at)
      select organization.id, gen_random_uuid(), 'commission.created', ${BODY},
        pg_current_xact_id()::text::bigint, now()
      from organizations organization
      cross join generate_series(1, ${events})
      returning organization_id, id
    )
    insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at, failures, attempts)
    select endpoint.shard, event.organization_id, endpoint.id, event.id,
      now() + interval '1 day' + random() * interval '1 hour', now(), 3, 3
    from event
    join endpoints endpoint on endpoint.organization_id = event.organization_id`;
  await analyze(sql);
}

/** Creates jobs for the comparison with one job per delivery, in an order that mixes the endpoints. */
export async function fillPlainJobs(sql: Database, jobs: number): Promise<void> {
  await sql`
    select count(graphile_worker.add_job('deliver_one', json_build_object(
      'organization_id', organization_id, 'event_id', gen_random_uuid(), 'endpoint_id', id, 'url', url,
      'body', ${BODY}::text)))
    from (
      select endpoint.organization_id, endpoint.id, endpoint.url from endpoints endpoint
      cross join generate_series(1, ${jobs} / (select count(*) from endpoints)) order by random()
    ) as delivery`;
  await sql`vacuum analyze graphile_worker._private_jobs`;
}

async function analyze(sql: Database): Promise<void> {
  await sql`vacuum analyze pending_deliveries`;
  await sql`vacuum analyze events`;
}
