import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { stepReplay } from "@findersfee/database/webhooks/replays";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { addEndpoint, makeContext } from "../subscriber.ts";

const EVENTS = 1_100;
const STEP = 500;
const HOUR_MILLISECONDS = 3_600_000;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
});

afterAll(() => test.close());

it("a step of a replay reads its own attempts only, without statistics of them", async () => {
  const { database } = test;
  const context = await makeContext(database);
  const organization_id = context.organization.id;
  const { id: endpoint_id } = await addEndpoint(context);
  await database`
    insert into events (organization_id, id, type, body, position, created_at)
    select ${organization_id}, first_id_of(now() - number * interval '1 second'), 'affiliate.created', '{}', number,
      now() - number * interval '1 second'
    from generate_series(1, ${EVENTS}::int) as number`;
  await database`
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, response, ended)
    select organization_id, id, ${endpoint_id}, now(), 1, 12, '', 'exhausted'
    from events where organization_id = ${organization_id}`;
  const replay = {
    ...{ organization_id, id: newId(new Date()), endpoint_id, kind: "failed" as const },
    ...{
      events_from: new Date(Date.now() - HOUR_MILLISECONDS),
      events_to: new Date(),
      created_at: new Date(),
    },
    ...{ after_event_id: null, deliveries: 0, finished_at: null, stopped_at: null },
  };
  const rows = await rowsReadBy(database, async () => {
    expect((await stepReplay(database, replay, STEP)).deliveries).toBe(STEP);
  });
  const [{ open }] = await database<[{ open: number }]>`
    select count(*)::int as open from attempts where endpoint_id = ${endpoint_id} and ended is null`;
  expect(open).toBe(STEP);
  expect(rows).toBeLessThan(10 * EVENTS);
});
