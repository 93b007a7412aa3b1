import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import type { FailedCall, Plan } from "@findersfee/database/testing/faults/faulty-postgres";
import { hangs } from "@findersfee/database/testing/faults/kinds";
import { makeJobsDue } from "./make-jobs-due.ts";
import type { Stage } from "./stage.ts";

/** Work for a worker, and the law that holds for it. */
export interface Work {
  name: string;
  /** Makes it due. */
  start(): Promise<void>;
  /** Throws if the work is not done correctly. */
  check(): Promise<void>;
  /** Like `check`, for work that a schedule delays; called after all rounds. */
  checkLate?(): Promise<void>;
  /** Advances time to work that is due later. */
  makeDue?(): Promise<void>;
}

/** Prepares organizations and endpoints, with no faults yet. */
export type Script = (stage: Stage) => Promise<Work>;

/** Even on a slow and busy machine, only stuck work waits this long after the fault. */
const LATE_MILLISECONDS = 60_000;
/** The duration of a hanging call, and the maximum duration of a fault. */
const HANG_MILLISECONDS = 700;
const FAULTY_MILLISECONDS = 3_000;
const LOOK_MILLISECONDS = 60;
const MAKE_DUE_MILLISECONDS = 200;

export interface Round {
  works: Work[];
  failed: readonly FailedCall[];
  /** From the end of the fault until all was done. */
  milliseconds: number;
  problems: string[];
}

export interface RoundOptions {
  scripts: readonly Script[];
  plan: Plan;
  /** The number of calls that fail. The fault ends after them, when all work is done, or after a few seconds if there are several. */
  faults?: number;
  late_milliseconds?: number;
}

/** Runs scripts while calls fail by the plan; once the fault is over, all has to be done soon. */
export async function runRound(
  stage: Stage,
  { scripts, plan, faults = 1, late_milliseconds = LATE_MILLISECONDS }: RoundOptions,
): Promise<Round> {
  const works: Work[] = [];
  for (const script of scripts) works.push(await script(stage));
  stage.faulty.follow(plan);
  await Promise.all(works.map((work) => work.start()));
  const until = performance.now() + (faults === 1 ? late_milliseconds : FAULTY_MILLISECONDS);
  while (stage.faulty.failed.length < faults && performance.now() < until) {
    if ((await problemsOf(works)).length === 0) break;
    await delay(LOOK_MILLISECONDS);
  }
  if (stage.faulty.failed.some(({ kind }) => hangs(kind))) await delay(HANG_MILLISECONDS);
  stage.faulty.lift();
  const { failed } = stage.faulty;
  const lifted_at = performance.now();
  const problems = await untilDone(stage, { works, late_milliseconds, is_faulty: failed.length > 0 });
  return { works, failed, milliseconds: performance.now() - lifted_at, problems };
}

/** Returns the unfinished work at the end. */
export async function untilDone(
  stage: Stage,
  {
    works,
    is_faulty,
    late_milliseconds = LATE_MILLISECONDS,
  }: { works: readonly Work[]; is_faulty: boolean; late_milliseconds?: number },
): Promise<string[]> {
  const begun_at = performance.now();
  let hurry_at = begun_at + MAKE_DUE_MILLISECONDS;
  for (;;) {
    const problems = await problemsOf(works);
    const now = performance.now();
    if (problems.length === 0 || now - begun_at > late_milliseconds) {
      if (problems.length > 0) {
        problems.push(`the gauges say ${inspect(await stage.gauges(), { depth: null })}`);
        problems.push(`the jobs say ${inspect(await stage.jobs(), { depth: null })}`);
      }
      return problems;
    }
    if (is_faulty && now > hurry_at) {
      hurry_at = now + MAKE_DUE_MILLISECONDS;
      await makeJobsDue(stage.database);
      for (const work of works) await work.makeDue?.();
    }
    await delay(LOOK_MILLISECONDS);
  }
}

/** The unfinished work. */
export async function problemsOf(works: readonly Work[]): Promise<string[]> {
  const checked = await Promise.all(works.map((work) => problemOf(work.name, () => work.check())));
  return checked.filter((problem) => problem !== null);
}

async function problemOf(name: string, check: () => Promise<void>): Promise<string | null> {
  return await check().then(
    () => null,
    (error: unknown) => `${name}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** The problems that remain after all postponed work had its time. */
export async function checkLate(works: readonly Work[]): Promise<string[]> {
  const late = works.filter((work) => work.checkLate !== undefined);
  const until = performance.now() + LATE_MILLISECONDS;
  for (;;) {
    const checked = await Promise.all(
      late.map((work) => problemOf(work.name, async () => await work.checkLate?.())),
    );
    const problems = checked.filter((problem) => problem !== null);
    if (problems.length === 0 || performance.now() > until) return problems;
    await delay(LOOK_MILLISECONDS * 10);
  }
}
