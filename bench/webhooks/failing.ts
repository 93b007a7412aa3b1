/*
 * Question: how much later do a healthy endpoint's events arrive while 5,000 endpoints of other organizations
 * fail?
 */
import type { Database } from "@findersfee/database/postgres/connect";
import { arrayText } from "@findersfee/database/postgres/statement";
import { FAILING, MAX_PROBE_SECONDS, probeSeconds } from "@findersfee/domain/webhooks/endpoints/probes";
import type { Bench } from "../bench.ts";
import { type Verdict, whole } from "../table.ts";
import { makeOrganization, subscribe } from "./subscribers.ts";
import { measureUnderLoad } from "./under-load.ts";

const ORGANIZATIONS = 100;
/** The maximum number of endpoints per organization. */
const ENDPOINTS_EACH = 50;
/** The others fail for the first time. */
const FAILING_EACH = 40;
const DUE_EACH = 4;

/** Question 8. */
export function measureFailing(bench: Bench): Promise<Verdict[]> {
  return measureUnderLoad(bench, 8, {
    name: `${whole(ORGANIZATIONS * ENDPOINTS_EACH)} endpoints of others fail`,
    make: makeFailing,
    left: { name: "endpoints that are probed", count: countFailing },
  });
}

/**
 * All have deliveries due. Those that fail for the first time get their deliveries one after another during
 * the measurement.
 */
async function makeFailing(
  sql: Database,
  { port, seconds }: { port: number; seconds: number },
): Promise<void> {
  const organization_ids: string[] = [];
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const organization_id = await makeOrganization(sql);
    organization_ids.push(organization_id);
    const urls = Array.from({ length: ENDPOINTS_EACH }, (_, endpoint) => {
      const kind = endpoint < FAILING_EACH ? "known" : "new";
      return `http://127.0.0.1:${port}/fails/${kind}/${number}/${endpoint}`;
    });
    await subscribe(sql, organization_id, urls);
  }
  await failKnown(sql);
  await sql`
    with event as (
      insert into events (organization_id, id, type, body, position, created_at)
      select organization_id, gen_random_uuid(), 'commission.created', '{}',
        pg_current_xact_id()::text::bigint, now()
      from unnest(${organization_ids}::uuid[]) as organization_id
      cross join generate_series(1, ${DUE_EACH})
      returning organization_id, id
    )
    insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
    select endpoint.shard, endpoint.organization_id, endpoint.id, event.id,
      case when health.endpoint_id is null then now() + random() * make_interval(secs => ${seconds}) else now() end,
      now()
    from event
    join endpoints endpoint on endpoint.organization_id = event.organization_id
    left join endpoint_health health
      on health.organization_id = endpoint.organization_id and health.endpoint_id = endpoint.id`;
  await sql`vacuum analyze pending_deliveries`;
  await sql`vacuum analyze endpoint_health`;
}

/** They have failed for hours or seconds, and their next probes are spread accordingly. */
async function failKnown(sql: Database): Promise<void> {
  const failures: number[] = [];
  const seconds: number[] = [];
  for (let count = FAILING; seconds.at(-1) !== MAX_PROBE_SECONDS; count++) {
    failures.push(count);
    seconds.push(probeSeconds(count));
  }
  await sql`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    select organization_id, endpoint.id, state.failures, now() - interval '1 hour',
      now() - random() * make_interval(secs => state.seconds)
    from (
      select organization_id, id, row_number() over (order by id) % ${failures.length} + 1 as place
      from endpoints where url like '%/fails/known/%'
    ) as endpoint
    cross join lateral (
      select (${arrayText(failures)}::text::int[])[place] as failures, (${arrayText(seconds)}::text::int[])[place] as seconds
    ) as state`;
}

async function countFailing(sql: Database): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from endpoint_health where failures >= ${FAILING}`;
  return row.count;
}
