/* A worker that starts or stops while calls fail leaves nothing behind that the next one could not do. */

import { eventually } from "@findersfee/database/testing/eventually";
import type { Plan } from "@findersfee/database/testing/faults/faulty-postgres";
import { FAULT_KINDS, type FaultKind, hangs } from "@findersfee/database/testing/faults/kinds";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DELIVERIES } from "./deliveries.ts";
import { payOut, processMessages, replay } from "./jobs.ts";
import { problemsOf, untilDone, type Work } from "./round.ts";
import { Stage } from "./stage.ts";

const SCRIPTS = [processMessages, payOut, replay, ...DELIVERIES];
/** It still hangs when every waiting caller could have timed out. */
const HANG_MILLISECONDS = 700;
/** In the full form, each call fails. */
const EVERY = FULL_TESTS ? 1 : 16;
/** Each test starts and stops dozens of workers. */
const TEST_MILLISECONDS = 600_000;

let stage: Stage;

beforeEach(async () => {
  // Each worker opens new connections. Ten of them take a quarter of the processor time of these tests.
  stage = await Stage.open({ pool_size: 5 });
});

afterEach(() => stage.close());

async function prepare(): Promise<Work[]> {
  const works: Work[] = [];
  for (const script of SCRIPTS) works.push(await script(stage));
  return works;
}

/** The calls that a worker makes during `work`, without faults. */
async function callsOf(work: () => Promise<void>): Promise<string[]> {
  const calls = new Set<string>();
  stage.faulty.follow(({ sql }) => {
    calls.add(sql);
    return null;
  });
  await work();
  return [...calls].filter((_, index) => index % EVERY === 0);
}

function failOnce(call: string, kind: FaultKind): Plan {
  let is_over = false;
  return ({ sql }) => {
    if (is_over || sql !== call) return null;
    is_over = true;
    // Hanging calls go on a moment later.
    if (hangs(kind)) setTimeout(() => stage.faulty.lift(), HANG_MILLISECONDS);
    return kind;
  };
}

async function expectDone(works: readonly Work[], what: string): Promise<void> {
  expect({ what, problems: await untilDone(stage, { works, is_faulty: true }) }).toEqual({
    what,
    problems: [],
  });
}

it("does all work after a start with a failed call", { timeout: TEST_MILLISECONDS }, async () => {
  const calls = await callsOf(() => stage.startWorker());
  await stage.stopWorker();
  expect(calls.length).toBeGreaterThan(5 / EVERY);
  const works = await prepare();
  for (const work of works) await work.start();
  for (const [index, call] of calls.entries()) {
    const kind = FAULT_KINDS[index % FAULT_KINDS.length] ?? "cut_before";
    stage.faulty.follow(failOnce(call, kind));
    // The process of a worker that could not start ends, and is started again.
    await stage.startWorker().catch(() => stage.startWorker());
    stage.faulty.lift();
    await stage.stopWorker();
  }
  await stage.startWorker();
  await expectDone(works, "after all starts");
});

it("continues the work of a worker that stopped during a failing call", {
  timeout: TEST_MILLISECONDS,
}, async () => {
  /** Starts a worker, which first completes the remaining works, and begins new work. */
  const begin = async (left: readonly Work[], what: string) => {
    const works = await prepare();
    await stage.startWorker();
    await expectDone(left, what);
    for (const work of works) await work.start();
    // It is in the middle of it.
    await eventually(async () => expect((await problemsOf(works)).length).toBeLessThan(works.length), {
      interval: 10,
    });
    return works;
  };
  let left = await begin([], "nothing");
  let what = "without a fault";
  for (const [index, call] of (await callsOf(() => stage.stopWorker())).entries()) {
    const kind = FAULT_KINDS[(index + 5) % FAULT_KINDS.length] ?? "cut_before";
    left = await begin(left, what);
    stage.faulty.follow(failOnce(call, kind));
    await stage.stopWorker();
    stage.faulty.lift();
    what = `${kind} at ${call.slice(0, 100)}`;
  }
  await stage.startWorker();
  await expectDone(left, what);
});
