/*
 * Question: how much do ten million finished deliveries slow down due ones, and how long does dropping a day
 * of them take?
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, dropPartitions, makePartitions } from "@findersfee/database/postgres/partitions";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { receiverProcess } from "./children.ts";
import { ENDPOINTS, makeSubscribedDatabase, type Observation, observe } from "./observe.ts";
import { BODY, type WorkerDatabase } from "./subscribers.ts";

const MIN_RATIO = 0.9;
const MAX_DROP_SECONDS = 1;
/** The number of days of history before today. */
const DAYS = 20;
const DROPPED_DAYS = 5;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** How long inserts run before and after a day is dropped. */
const MARGIN_MILLISECONDS = 250;

interface Round {
  empty: Observation;
  full: Observation;
}

interface Drop {
  seconds: number;
  longest_event_ms: number;
  longest_attempt_ms: number;
}

/** Question 10. */
export async function measureHistory(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  return await withChildren([receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const empty = await makeSubscribedDatabase(bench, port);
    const full = await makeSubscribedDatabase(bench, port);
    const history = bench.quick ? 200_000 : 10_000_000;
    await withConnection(full.database_url, (sql) => fillHistory(sql, full, history));
    const seconds = bench.quick ? 5 : 10;
    const rounds: Round[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      // Alternates the order: the first run finds the machine in a different state than the second.
      const is_empty_first = round % 2 === 0;
      const first = await observe(receiver, is_empty_first ? empty : full, seconds);
      const second = await observe(receiver, is_empty_first ? full : empty, seconds);
      rounds.push(is_empty_first ? { empty: first, full: second } : { empty: second, full: first });
    }
    const drops = await withConnection(full.database_url, (sql) => dropDays(sql, full));
    bench.print(describeRounds(history, rounds));
    bench.print(describeDrops(history, drops));
    return verdicts(history, rounds, drops);
  });
}

/** Inserts finished deliveries, spread over the days before today. Each event was delivered to every endpoint. */
async function fillHistory(
  sql: Database,
  { organization_id }: WorkerDatabase,
  deliveries: number,
): Promise<void> {
  const per_day = deliveries / DAYS / ENDPOINTS;
  await makePartitions(sql, ATTEMPTS, { now: daysAgo(DAYS), ahead: DAYS });
  for (let days = DAYS; days > 0; days--) {
    await sql`
      with event as (
        insert into events (organization_id, id, type, body, position, created_at)
        select ${organization_id}, (
            lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0')
              || '7' || lpad(to_hex(number & 4095), 3, '0') || '8' || left(md5(number::text), 15))::uuid,
          'commission.created', ${BODY}, pg_current_xact_id()::text::bigint, created_at
        from (
          select number, ${daysAgo(days)}::timestamptz + (number - 0.5) / ${per_day} * interval '1 day' as created_at
          from generate_series(1, ${per_day}::int) as number
        ) as made
        returning organization_id, id, created_at
      )
      insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
        status, response, ended)
      select organization_id, event.id, endpoint.id, 1, event.created_at, 20, 204, '', 'delivered'
      from event join endpoints endpoint using (organization_id)`;
  }
  // As autovacuum does.
  await sql`vacuum (analyze) attempts`;
  await sql`vacuum (analyze) events`;
}

/** Drops the oldest days one by one, as retention does, during inserts. */
async function dropDays(sql: Database, database: WorkerDatabase): Promise<Drop[]> {
  // The history starts with an empty day.
  await dropPartitions(sql, ATTEMPTS, daysAgo(DAYS));
  const drops: Drop[] = [];
  for (let days = 1; days <= DROPPED_DAYS; days++) {
    const events = insertContinuously(database, (connection) => {
      const created_at = new Date();
      const event = { id: newId(created_at), type: "commission.created", body: BODY, created_at };
      return insertEvent(connection, database.organization_id, event);
    });
    const attempts = insertContinuously(database, (connection) =>
      insertAttempt(connection, database.organization_id),
    );
    await delay(MARGIN_MILLISECONDS);
    const started_at = performance.now();
    const { dropped, deferred } = await dropPartitions(sql, ATTEMPTS, daysAgo(DAYS - days));
    const seconds = (performance.now() - started_at) / 1000;
    await delay(MARGIN_MILLISECONDS);
    const [longest_event_ms, longest_attempt_ms] = await Promise.all([events.finish(), attempts.finish()]);
    for (const { error } of deferred) throw error;
    if (dropped.length !== 1) throw new Error(`${dropped.length} days were dropped instead of one`);
    drops.push({ seconds, longest_event_ms, longest_attempt_ms });
  }
  return drops;
}

/**
 * Inserts one row after another until `finish` is called. `finish` returns the duration of the longest insert.
 */
function insertContinuously(
  { database_url }: WorkerDatabase,
  insert: (sql: Database) => PromiseLike<unknown>,
): { finish: () => Promise<number> } {
  let is_finished = false;
  const running = withConnection(database_url, async (sql) => {
    await insert(sql);
    let longest_ms = 0;
    while (!is_finished) {
      const started_at = performance.now();
      await insert(sql);
      longest_ms = Math.max(longest_ms, performance.now() - started_at);
    }
    return longest_ms;
  });
  return {
    finish: async () => {
      is_finished = true;
      return await running;
    },
  };
}

/** Inserts an attempt as workers do. */
async function insertAttempt(sql: Database, organization_id: string): Promise<void> {
  await sql`
    insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
      status, response, ended)
    values (${organization_id}, gen_random_uuid(), gen_random_uuid(), 1, now(), 20, 204, '', 'delivered')
    on conflict do nothing`;
}

/** The start of the UTC day this many days ago. */
function daysAgo(days: number): Date {
  const today = Math.floor(Date.now() / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  return new Date(today - days * DAY_MILLISECONDS);
}

function describeRounds(history: number, rounds: readonly Round[]): string {
  const columns = ({ per_second, p50_ms, p99_ms }: Observation) => [
    whole(per_second),
    fine(p50_ms),
    fine(p99_ms),
  ];
  return formatTable([
    [`${whole(history)} in history`, "drain, /s", "p50 ms", "p99 ms", "none: drain, /s", "p50 ms", "p99 ms"],
    ...rounds.map(({ empty, full }, number) => [`round ${number + 1}`, ...columns(full), ...columns(empty)]),
  ]);
}

function describeDrops(history: number, drops: readonly Drop[]): string {
  return formatTable([
    [`a day of ${whole(history / DAYS)} dropped, s`, "longest insert of an event, ms", "of an attempt, ms"],
    ...drops.map(({ seconds, longest_event_ms, longest_attempt_ms }) =>
      [seconds, longest_event_ms, longest_attempt_ms].map(fine),
    ),
  ]);
}

function verdicts(history: number, rounds: readonly Round[], drops: readonly Drop[]): Verdict[] {
  const compare = (
    question: string,
    show: (observation: Observation) => string,
    ratioOf: (round: Round) => number,
  ): Verdict => {
    const ratio = spread(rounds.map(ratioOf)).median;
    const last = rounds.at(-1);
    return {
      question: `10 ${question}, ${whole(history)} in history`,
      measured: last === undefined ? "" : show(last.full),
      limit: last === undefined ? "" : `${show(last.empty)} with none`,
      ratio: fine(ratio),
      target: `>= ${MIN_RATIO}`,
      met: ratio >= MIN_RATIO,
    };
  };
  const drop_seconds = spread(drops.map(({ seconds }) => seconds)).median;
  return [
    compare(
      "drain",
      ({ per_second }) => `${whole(per_second)}/s`,
      ({ full, empty }) => full.per_second / empty.per_second,
    ),
    compare(
      "p50 at 300 events/s",
      ({ p50_ms }) => `${fine(p50_ms)} ms`,
      ({ full, empty }) => empty.p50_ms / full.p50_ms,
    ),
    compare(
      "p99 at 300 events/s",
      ({ p99_ms }) => `${fine(p99_ms)} ms`,
      ({ full, empty }) => empty.p99_ms / full.p99_ms,
    ),
    {
      question: `10 dropping a day of ${whole(history / DAYS)}`,
      measured: `${fine(drop_seconds)} s`,
      limit: "",
      ratio: "",
      target: `< ${MAX_DROP_SECONDS} s`,
      met: drop_seconds < MAX_DROP_SECONDS,
    },
  ];
}
