import type { Database } from "@findersfee/database/postgres/connect";
import { insertEndpoint } from "@findersfee/database/webhooks/endpoints";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { newSigningSecret, sealSecret } from "@findersfee/domain/secrets/secrets";
import { NO_HEADERS } from "@findersfee/domain/webhooks/endpoints/headers";

export const SECRETS_KEY = Buffer.alloc(32, 7);

/** Allows receivers on this machine. */
export const POLICY = { secrets_key: SECRETS_KEY, allow_http: true, allow_private: true };

/** Makes an organization; returns its id. */
export async function makeOrganization(database: Database): Promise<string> {
  const { organization_id } = await createOrganization(database, {
    name: "Acme",
    currency: "USD",
    subscription_status: "active",
  });
  return organization_id;
}

export interface Subscription {
  endpoint_id: string;
  secret: string;
}

/** Subscribes a URL to all events of the organization. */
export async function subscribe(
  database: Database,
  organization_id: string,
  url: string,
): Promise<Subscription> {
  const created_at = new Date();
  const endpoint_id = newId(created_at);
  const secret = newSigningSecret();
  await insertEndpoint(database, organization_id, {
    id: endpoint_id,
    url,
    event_types: null,
    description: "",
    requests_per_second: null,
    ordered: false,
    campaign_ids: null,
    ...NO_HEADERS,
    enabled: true,
    created_at,
    secret: {
      id: newId(created_at),
      secret_encrypted: sealSecret(SECRETS_KEY, { organization_id, endpoint_id }, secret),
    },
  });
  return { endpoint_id, secret };
}

/** Records this many events with their deliveries; returns the ids. */
export async function makeEvents(
  database: Database,
  organization_id: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const created_at = new Date();
    const id = newId(created_at);
    await insertEvent(database, organization_id, {
      id,
      type: "commission.created",
      body: JSON.stringify({ type: "commission.created", data: { id, note: "naïve – ✓" } }),
      created_at,
    });
    ids.push(id);
  }
  return ids;
}

/** Records this many events with their deliveries in one statement, due in the order of their ids; returns the ids. */
export async function makeBacklog(
  database: Database,
  organization_id: string,
  count: number,
): Promise<string[]> {
  const created_at = new Date();
  const ids = Array.from({ length: count }, () => newId(created_at)).sort();
  await database`
    with event as (
      insert into events (organization_id, id, type, body, position, created_at)
      select ${organization_id}, id::uuid, 'commission.created', '{}',
        pg_current_xact_id()::text::bigint + (select xid_offset from event_clock), ${created_at}
      from unnest(${ids}::text[]) as id
      returning id
    )
    insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
    select endpoint.shard, endpoint.organization_id, endpoint.id, event.id,
      now() - interval '1 minute' + make_interval(secs => (row_number() over (order by event.id))::float8 / 1000),
      ${created_at}
    from event cross join endpoints endpoint where endpoint.organization_id = ${organization_id}`;
  return ids;
}
