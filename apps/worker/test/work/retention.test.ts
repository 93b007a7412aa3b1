import { transaction } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { listDeliveryRows } from "@findersfee/database/webhooks/list-delivery-rows";
import { addJob } from "@findersfee/database/work/queue";
import { deleteExpiredAnswers } from "@findersfee/domain/idempotency";
import { newId } from "@findersfee/domain/ids";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setOwners } from "../owners.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";

const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let organization_id: string;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ partitioned: false });
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

async function work(options: TestWorkerOptions = {}): Promise<void> {
  const worker = await startTestWorker(test, options);
  closed.push(() => worker.stop());
}

async function startReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  closed.push(() => receiver.close());
  return receiver;
}

/** Runs the worker's hourly task. */
async function runRetention(): Promise<void> {
  await addJob(test.database, "run_retention", { key: "now" });
  await eventually(async () =>
    expect(await test.database`select from graphile_worker.jobs where key = 'now'`).toEqual([]),
  );
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY);
}

async function partitions(): Promise<string[]> {
  const rows = await test.database`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'attempts'::regclass order by 1`;
  return rows.map(({ name }) => name);
}

function partitionOf(days_ago: number): string {
  return `attempts_${daysAgo(days_ago).toISOString().slice(0, 10).replaceAll("-", "_")}`;
}

async function insertAttempt(attempted_at: Date): Promise<void> {
  await test.database`
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, response)
    values (${organization_id}, ${newId(attempted_at)}, ${newId(attempted_at)}, ${attempted_at}, 1, 5, '')`;
}

async function attemptTimes(): Promise<Date[]> {
  const rows = await test.database`select attempted_at from attempts order by attempted_at`;
  return rows.map(({ attempted_at }) => attempted_at);
}

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

/** The remaining events, and the events in the endpoints' delivery logs. */
async function remaining(): Promise<{ events: string[]; deliveries: string[] }> {
  const events = await test.database<{ id: string }[]>`select id from events`;
  const endpoints = await test.database<{ id: string; organization_id: string }[]>`
    select id, organization_id from endpoints`;
  const states = ["pending", "delivered", "exhausted", "canceled"] as const;
  const attempted = { from: new Date(0), until: new Date(Date.now() + 365 * 24 * 60 * 60 * 1000) };
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

it("creates partitions ahead for attempts every hour", async () => {
  await work();
  const expected = Array.from({ length: 12 }, (_, index) => partitionOf(1 - index));
  expect(await partitions()).toEqual(expected);
  for (const days of [0, -1, -10]) await insertAttempt(daysAgo(days));
  await expect(insertAttempt(daysAgo(-11))).rejects.toThrow(/no partition/);
  await test.database.unsafe(`drop table ${partitionOf(-10)}`);
  await runRetention();
  expect(await partitions()).toEqual(expected);
  const items = await test.database`select identifier from graphile_worker._private_known_crontabs`;
  expect(items.map(({ identifier }) => identifier)).toContain("run_retention");
});

it.runIf(FULL_TESTS)("starts while a lock blocks the partitions ahead", async () => {
  await makePartitions(test.database, ATTEMPTS, { ahead: 0 });
  await transaction(test.database, async (sql) => {
    await sql`lock table only attempts in share update exclusive mode`;
    await work();
    expect(await partitions()).toHaveLength(2);
    await insertAttempt(new Date());
  });
  await runRetention();
  expect(await partitions()).toHaveLength(12);
});

it.runIf(FULL_TESTS)("creates partitions while several workers start", async () => {
  await Promise.all(Array.from({ length: 8 }, () => makePartitions(test.database, ATTEMPTS)));
  expect(await partitions()).toHaveLength(12);
});

it("records an attempt on a day without a partition", async () => {
  const receiver = await startReceiver();
  await work();
  await test.database.unsafe((await partitions()).map((name) => `drop table ${name};`).join(""));
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 3);
  await eventually(async () =>
    expect(await test.database`select from deliveries where state = 'delivered'`).toHaveLength(3),
  );
  expect(await attemptTimes()).toHaveLength(3);
  expect(receiver.received).toHaveLength(3);
});

it("drops partitions of attempts after their retention", async () => {
  for (const days of [0, 7, 29, 30, 31, 45, 400]) {
    await makePartitions(test.database, ATTEMPTS, { ahead: 0, now: daysAgo(days) });
    await insertAttempt(daysAgo(days));
  }
  // A partition that is only partly older than the retention stays.
  await insertAttempt(new Date(daysAgo(30).setUTCHours(0, 0, 0, 0)));
  await work();
  await runRetention();
  expect(await attemptTimes()).toHaveLength(5);
  expect((await attemptTimes())[0]).toEqual(new Date(daysAgo(30).setUTCHours(0, 0, 0, 0)));
  expect((await partitions())[0]).toBe(partitionOf(30));
  const tables =
    await test.database`select from pg_class where relname like 'attempts\\_%' and relkind = 'r'`;
  expect(tables).toHaveLength((await partitions()).length);
});

it("retains attempts for the configured days", async () => {
  for (const days of [0, 2, 3, 4, 10]) {
    await makePartitions(test.database, ATTEMPTS, { ahead: 0, now: daysAgo(days) });
    await insertAttempt(daysAgo(days));
  }
  await work({ retention: { attempts_days: 3, events_days: 90, processor_messages_days: 90 } });
  await runRetention();
  expect((await partitions())[0]).toBe(partitionOf(3));
  expect(await attemptTimes()).toHaveLength(3);
});

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
  await work();
  await runRetention();
  recent.sort();
  expect(await remaining()).toEqual({ events: recent, deliveries: recent });
});

it("deletes any number of old events", async () => {
  await test.database`
    insert into events (organization_id, id, type, body, position, created_at)
    select ${organization_id}, ('01000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
      'commission.created', '{}', number, now() - interval '100 days'
    from generate_series(1, 3500) as number`;
  const recent = await insertEvent({ days: 1 });
  await work();
  await runRetention();
  expect(await remaining()).toEqual({ events: [recent], deliveries: [recent] });
});

it("retains an old event until its deliveries end", async () => {
  const event = await insertEvent({ days: 120, state: "pending" });
  // Retained events do not prevent the deletion of others.
  await insertEvent({ days: 119 });
  await insertEvent({ days: 110 });
  const recent = await insertEvent({ days: 5 });
  await work();
  await runRetention();
  expect(await remaining()).toEqual({ events: [event, recent].sort(), deliveries: [event, recent].sort() });
  await test.database`delete from pending_deliveries where event_id = ${event}`;
  await runRetention();
  expect(await remaining()).toEqual({ events: [recent], deliveries: [recent] });
});

it("delivers an event that is older than the retention", async () => {
  const receiver = await startReceiver();
  await subscribe(test.database, organization_id, receiver.url());
  const event = await insertEvent({ days: 120, state: "pending" });
  await work();
  await runRetention();
  await test.database`update pending_deliveries set due_at = now()`;
  await receiver.has(1);
  expect(receiver.ids()).toEqual([event]);
});

it("deletes idempotency keys after a day", async () => {
  const answer = async (key: string, created_at: Date) => {
    await test.database`
      insert into idempotency_keys (organization_id, key, request_hash, response, created_at)
      values (${organization_id}, ${key}, ${Buffer.alloc(32)}, '{}', ${created_at})`;
  };
  await answer("old", new Date(Date.now() - DAY - 1_000));
  await answer("recent", new Date(Date.now() - DAY + 60_000));
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
  await work();
  await runRetention();
  const left =
    await test.database`select id, expires_at is null as current from endpoint_secrets order by id`;
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
  await work();
  await runRetention();
  for (const table of ["user_sessions", "user_verifications", "used_passkey_challenges"]) {
    const left = await database.unsafe(`select expires_at > now() as is_open from ${table}`);
    expect(left).toEqual([{ is_open: true }]);
  }
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
  await work();
  await runRetention();
  const rows = await test.database`
    select file_name, files_deleted_at is not null as is_deleted, job_id is not null as has_file
    from jobs left join job_files on job_id = jobs.id order by jobs.created_at, file_name`;
  expect(rows).toEqual([
    { file_name: "days-0", is_deleted: false, has_file: true },
    { file_name: "days-6", is_deleted: false, has_file: true },
    { file_name: "days-8", is_deleted: true, has_file: false },
  ]);
});
