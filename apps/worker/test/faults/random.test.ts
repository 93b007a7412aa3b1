/*
 * Random calls of the worker to Postgres fail, several in each round. RANDOM_FAULTS makes it longer, RANDOM_SEED repeats
 * an earlier run; docs/contributing/testing.md has the commands.
 */

import { failRandomly } from "@findersfee/database/testing/faults/faulty-postgres";
import { seededRandom } from "@findersfee/database/testing/faults/seeded-random";
import { extent, seedOf } from "@findersfee/database/testing/full-tests";
import { expect, it } from "vitest";
import { DELIVERIES } from "./deliveries.ts";
import { JOBS } from "./jobs.ts";
import { checkLate, runRound, type Work } from "./round.ts";
import { Stage } from "./stage.ts";

const FAULTS = extent("RANDOM_FAULTS", { short: 3, full: 24 });
const SEED = seedOf("RANDOM_SEED");
/** More of them at once, each with a worker of its own. */
const STAGES = Math.min(2, Math.ceil(FAULTS / 100));
/** In a round, of all calls. */
const IN_ROUND = 20;
const RATE = 0.05;
/** The number of rounds after which all work is checked again. */
const LATER = 20;
const SCRIPTS = [...JOBS, ...DELIVERIES];

let faults = 0;

async function failOnStage(number: number): Promise<void> {
  const random = seededRandom(SEED + number);
  const stage = await Stage.open();
  const works: Work[] = [];
  try {
    await stage.startWorker();
    while (faults < FAULTS) {
      const round = await runRound(stage, {
        scripts: SCRIPTS,
        plan: failRandomly(random, { rate: RATE }),
        faults: IN_ROUND,
      });
      faults += round.failed.length;
      works.push(...round.works);
      if (round.problems.length > 0) {
        throw new Error(`${round.problems.join("; ")}, after ${JSON.stringify(round.failed)}`);
      }
      if (works.length > LATER * SCRIPTS.length || faults >= FAULTS) {
        expect(await checkLate(works.splice(0))).toEqual([]);
      }
    }
  } catch (error) {
    // The other stages end with their round.
    faults = Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    await stage.close();
  }
}

it(`finishes all work after random faults (RANDOM_SEED=${SEED})`, {
  timeout: 300_000 + FAULTS * 2_000,
}, async () => {
  const stages = Array.from({ length: STAGES }, (_, number) => failOnStage(number));
  const outcomes = await Promise.allSettled(stages);
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(failures.map(({ reason }) => String(reason))).toEqual([]);
});
