import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { listDeliveryRows } from "@findersfee/database/webhooks/list-delivery-rows";
import { deleteExpiredAnswers } from "@findersfee/domain/idempotency";
import { newId } from "@findersfee/domain/ids";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { setOwners } from "../owners.ts";
import { Receiver } from "../receiver.ts";
import { makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";
import { DAY_MILLISECONDS, daysAgo, runRetention } from "./retaining.ts";

let test: TestDatabase;
let worker: Worker;
/** Each test's own; the worker's task is for all of them. */
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  worker = await startTestWorker(test);
});

beforeEach(async () => {
  organization_id = await makeOrganization(test.database);
});

afterAll(async () => {
  await worker.stop();
  await test.close();
});

interface OldEvent {
  days: number;
  state?: string;
  organization?: string;
}

/** Inserts an event that was recorded this many days ago, with one delivery; returns its id. */
async function insertEvent({ days, state = "delivered", organization = organization_id }: OldEvent) {
  const created_at = daysAgo(days);
  const id = newId(created_at);
  await test.database`
    insert into events (organization_id, id, type, body, position, created_at)
    values (${organization}, ${id}, 'commission.created', '{}', pg_current_xact_id()::text::bigint, ${created_at})`;
  const endpoint_id = await endpointOf(organization);
  if (state === "pending") {
    await test.database`
      insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
      select shard, organization_id, id, ${id}, now() + interval '1 hour', ${created_at}
      from endpoints where id = ${endpoint_id}`;
  } else {
    await makePartitions(test.database, ATTEMPTS, { ahead: 0 });
    await test.database`
      insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds,
        response, ended)
      values (${organization}, ${id}, ${endpoint_id}, now(), 1, 5, '', ${state})`;
  }
  return id;
}

/** Returns the organization's endpoint, which is created if there is none. */
async function endpointOf(organization: string): Promise<string> {
  const [endpoint] = await test.database<{ id: string }[]>`
    select id from endpoints where organization_id = ${organization}`;
  return endpoint?.id ?? (await subscribe(test.database, organization, "http://127.0.0.1:1/")).endpoint_id;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The remaining events of these organizations, and the events in the delivery logs of their endpoints. */
async function remaining(
  of: string[] = [organization_id],
): Promise<{ events: string[]; deliveries: string[] }> {
  const events = await test.database<
    { id: string }[]
  >`select id from events where organization_id = any(${of})`;
  const endpoints = await test.database<{ id: string; organization_id: string }[]>`
    select id, organization_id from endpoints where organization_id = any(${of})`;
  const states = ["pending", "delivered", "exhausted", "canceled"] as const;
  const attempted = { from: new Date(0), until: new Date(Date.now() + 365 * DAY_MILLISECONDS) };
  const filter = { states, from_id: FIRST_ID, until_id: LAST_ID, attempted };
  const logs = await Promise.all(
    endpoints.map(({ id, organization_id }) =>
      listDeliveryRows(test.database, organization_id, {
        filter: { ...filter, endpoint_id: id },
        range: { after: null, limit: 100 },
        searched: 100,
      }),
    ),
  );
  return {
    events: events.map(({ id }) => id).sort(),
    deliveries: logs.flatMap((log) => log.map(({ event_id }) => event_id)).sort(),
  };
}

it("deletes old events of every organization with their deliveries", async () => {
  const other = await makeOrganization(test.database);
  const recent: string[] = [];
  for (const organization of [organization_id, other]) {
    for (const state of ["delivered", "exhausted", "canceled"]) {
      await insertEvent({ days: 400, state, organization });
      await insertEvent({ days: 90.1, state, organization });
      recent.push(await insertEvent({ days: 89.9, state, organization }));
      recent.push(await insertEvent({ days: 0, state, organization }));
    }
  }
  await runRetention(test.database);
  recent.sort();
  expect(await remaining([organization_id, other])).toEqual({ events: recent, deliveries: recent });
});

it("deletes any number of old events", async () => {
  await test.database`
    insert into events (organization_id, id, type, body, position, created_at)
    select ${organization_id}, ('01000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
      'commission.created', '{}', number, now() - interval '100 days'
    from generate_series(1, 3500) as number`;
  const recent = await insertEvent({ days: 1 });
  await runRetention(test.database);
  expect(await remaining()).toEqual({ events: [recent], deliveries: [recent] });
});

it("retains an old event until its deliveries end", async () => {
  const event = await insertEvent({ days: 120, state: "pending" });
  // Retained events do not prevent the deletion of others.
  await insertEvent({ days: 119 });
  await insertEvent({ days: 110 });
  const recent = await insertEvent({ days: 5 });
  await runRetention(test.database);
  expect(await remaining()).toEqual({ events: [event, recent].sort(), deliveries: [event, recent].sort() });
  await test.database`delete from pending_deliveries where event_id = ${event}`;
  await runRetention(test.database);
  expect(await remaining()).toEqual({ events: [recent], deliveries: [recent] });
});

it("delivers an event that is older than the retention", async () => {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.close());
  await subscribe(test.database, organization_id, receiver.url());
  const event = await insertEvent({ days: 120, state: "pending" });
  await runRetention(test.database);
  await test.database`update pending_deliveries set due_at = now() where event_id = ${event}`;
  await receiver.has(1);
  expect(receiver.ids()).toEqual([event]);
});

it("deletes idempotency keys after a day", async () => {
  const answer = async (key: string, created_at: Date) => {
    await test.database`
      insert into idempotency_keys (organization_id, key, request_hash, response, created_at)
      values (${organization_id}, ${key}, ${Buffer.alloc(32)}, '{}', ${created_at})`;
  };
  await answer("old", new Date(Date.now() - DAY_MILLISECONDS - 1_000));
  await answer("recent", new Date(Date.now() - DAY_MILLISECONDS + 60_000));
  await test.database`
    insert into idempotency_keys (organization_id, key, request_hash, response, created_at)
    select ${organization_id}, 'many ' || number, '\\x00', '{}', now() - interval '2 days'
    from generate_series(1, 2500) as number`;
  expect(await deleteExpiredAnswers(test.database)).toBe(2501);
  expect(await test.database`select key from idempotency_keys`).toEqual([{ key: "recent" }]);
});

it("deletes expired secrets of endpoints", async () => {
  const { endpoint_id } = await subscribe(test.database, organization_id, "https://example.com/hooks");
  const [expired, valid] = [newId(new Date()), newId(new Date())];
  for (const [id, seconds] of [
    [expired, -1],
    [valid, 3600],
  ] as const) {
    await test.database`
      insert into endpoint_secrets (organization_id, endpoint_id, id, secret_encrypted, created_at, expires_at)
      values (${organization_id}, ${endpoint_id}, ${id}, '', now(), now() + make_interval(secs => ${seconds}))`;
  }
  await runRetention(test.database);
  const left = await test.database`select id, expires_at is null as current from endpoint_secrets
      where endpoint_id = ${endpoint_id} order by id`;
  expect(left).toHaveLength(2);
  expect(left).toContainEqual({ id: valid, current: false });
  expect(left).toContainEqual({ id: expect.not.stringMatching(`${expired}|${valid}`), current: true });
});

it("deletes expired sessions, links and challenges", async () => {
  const { database } = test;
  await setOwners(database, organization_id, ["ann@example.com"]);
  for (const expires_at of [daysAgo(1), daysAgo(-1)]) {
    await database`
      insert into user_sessions (id, user_id, token_hash, created_at, updated_at, expires_at)
      select gen_random_uuid(), id, sha256(gen_random_uuid()::text::bytea), now(), now(), ${expires_at} from users`;
    await database`
      insert into user_verifications (id, kind, user_id, token_hash, created_at, expires_at)
      select gen_random_uuid(), 'email', id, sha256(gen_random_uuid()::text::bytea), now(), ${expires_at} from users`;
    await database`
      insert into used_passkey_challenges (challenge_hash, expires_at)
      values (sha256(gen_random_uuid()::text::bytea), ${expires_at})`;
  }
  await runRetention(test.database);
  for (const table of ["user_sessions", "user_verifications", "used_passkey_challenges"]) {
    const left = await database.unsafe(`select expires_at > now() as is_open from ${table}`);
    expect(left).toEqual([{ is_open: true }]);
  }
});

it("deletes expired devices and guesses, and security events after 400 days, also those that owners see", async () => {
  const { database } = test;
  await setOwners(database, organization_id, ["olaf@example.com"]);
  const [user] = await database<[{ id: string }]>`select id from users where email = 'olaf@example.com'`;
  await database`delete from security_events`;
  for (const days of [1, -1]) {
    await database`
      insert into user_devices (user_id, token_hash, created_at, used_at, expires_at)
      values (${user.id}, sha256(gen_random_uuid()::text::bytea), now(), now(), ${daysAgo(days)})`;
    await database`
      insert into sign_in_guesses (email_hash, full_at)
      values (decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), ${daysAgo(days)})`;
  }
  for (const days of [401, 399]) {
    await database`
      with event as (
        insert into security_events (id, user_id, kind, created_at, last_at)
        values (gen_random_uuid(), ${user.id}, 'signed_in', ${daysAgo(days)}, ${daysAgo(days)}) returning id
      )
      insert into member_security_events (organization_id, id, user_id) select ${organization_id}, id, ${user.id} from event`;
  }
  await runRetention(test.database);
  expect(await database`select expires_at > now() as is_open from user_devices`).toEqual([{ is_open: true }]);
  expect(await database`select full_at > now() as is_open from sign_in_guesses`).toEqual([{ is_open: true }]);
  expect(
    await database`
      select event.created_at > ${daysAgo(400)} as is_recent, seen.organization_id is not null as is_shown
      from security_events event full join member_security_events seen on seen.id = event.id`,
  ).toEqual([{ is_recent: true, is_shown: true }]);
});

it("deletes the files of jobs after a week, and jobs after 90 days", async () => {
  await test.database`
    insert into jobs (organization_id, id, kind, state, input, file_name, file_bytes, started_by, created_at, finished_at, due_at)
    select ${organization_id}, gen_random_uuid(), 'affiliates_export', case when days = 0 then 'running' else 'finished' end,
      '{}', 'days-' || days, 4, 'operator', now(), case when days > 0 then now() - days * interval '1 day' end,
      case when days = 0 then now() + interval '1 hour' end
    from unnest(array[0, 6, 8, 91]) as days`;
  await test.database`
    insert into job_files (organization_id, job_id, file, part, content)
    select organization_id, id, 'result', 1, 'text' from jobs`;
  await runRetention(test.database);
  const rows = await test.database`
    select file_name, files_deleted_at is not null as is_deleted, job_id is not null as has_file
    from jobs left join job_files on job_id = jobs.id order by jobs.created_at, file_name`;
  expect(rows).toEqual([
    { file_name: "days-0", is_deleted: false, has_file: true },
    { file_name: "days-6", is_deleted: false, has_file: true },
    { file_name: "days-8", is_deleted: true, has_file: false },
  ]);
});
