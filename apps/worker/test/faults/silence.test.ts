/* A call that is never answered ends by the worker's own time limits: nothing waits for the end of the fault. */

import type { Plan } from "@findersfee/database/testing/faults/faulty-postgres";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DELIVERIES } from "./deliveries.ts";
import { JOBS } from "./jobs.ts";
import { untilDone, type Work } from "./round.ts";
import { Stage } from "./stage.ts";

/** Beyond the time limits of the stage's worker, one after the other. */
const LATE_MILLISECONDS = 60_000;
/** The number of hanging connections, in a pool of ten. */
const HANGING = 5;
/** Calls of graphile-worker. */
const OF_QUEUE = /graphile_worker"|jobs:insert/;
const SCRIPTS = [...JOBS, ...DELIVERIES];

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
  await stage.startWorker();
});

afterEach(() => stage.close());

/** A few different calls hang, some before they take effect and some after. */
function hangDifferent(isOne: (sql: string) => boolean): Plan {
  const hung = new Set<string>();
  return ({ sql }) => {
    if (hung.size >= HANGING || hung.has(sql) || !isOne(sql)) return null;
    hung.add(sql);
    return hung.size % 2 === 0 ? "hang_before" : "hang_after";
  };
}

type Hanging = [string, (sql: string) => boolean, number];

const HANGING_CALLS: readonly Hanging[] = [
  ["the worker's pool", (sql: string) => sql !== "connect" && !OF_QUEUE.test(sql), HANGING],
  ["the job queue", (sql: string) => OF_QUEUE.test(sql), 2],
  // Its session keeps the lock until Postgres ends it.
  ["a replay's lock", (sql: string) => /\bdue_at limit 1 for update of replay\b/.test(sql), 1],
];

it.each(casesOf(HANGING_CALLS, { short: 1 }))(
  "finishes all work if calls of %s get no response",
  async (_, isOne, hanging) => {
    const works: Work[] = [];
    for (const script of SCRIPTS) works.push(await script(stage));
    stage.faulty.follow(hangDifferent(isOne));
    await Promise.all(works.map((work) => work.start()));
    const problems = await untilDone(stage, { works, is_faulty: true, late_milliseconds: LATE_MILLISECONDS });
    expect(problems).toEqual([]);
    expect(stage.faulty.failed.length).toBeGreaterThanOrEqual(hanging);
  },
);
