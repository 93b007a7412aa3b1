import fc from "fast-check";
import { compare, readResult, textsOf } from "./comparison.ts";
import { Driver } from "./driver.ts";
import type { History } from "./history.ts";
import { Model } from "./model.ts";
import { printHistory, printStep } from "./print.ts";
import type { WorkedService } from "./program.ts";

/** What the service says otherwise than the model; null if they agree. */
export async function findDisagreement(worked: WorkedService, history: History): Promise<string | null> {
  const driver = await Driver.start(worked, history);
  const model = new Model(history, driver.program.start);
  const wrong = await driver.drive(model);
  if (wrong !== null) {
    const { number, step, expected, actual } = wrong;
    return `answer to step ${number} (${printStep(step)})\n  expected ${expected}\n  actual   ${actual}`;
  }
  const expected = textsOf(history, model.result());
  const differences = compare(expected, await readResult(history, driver.program));
  if (differences.length === 0) return null;
  return differences
    .map(({ what, ...values }) => `${what}\n  expected ${values.expected}\n  actual   ${values.actual}`)
    .join("\n");
}

export interface Run {
  /** Histories on which service and model agreed. */
  agreed: number;
  /** The smallest history that was found, with what differs; null if all agreed. */
  failure: string | null;
}

export interface RunOptions {
  arbitrary: fc.Arbitrary<History>;
  seed: number;
  count: number;
  /** Histories at once. */
  lanes: number;
  /** When no more histories are begun. */
  until: number;
  /** How many milliseconds it may take, also to make a history smaller. */
  limit: number;
}

/** A long run says each time that as many more agreed. */
const PROGRESS_HISTORIES = 500;
/** Runs with other seeds have other histories. */
const MOST_LANES = 64;

/**
 * Runs random histories, several at once. The first that fails ends the run, when it has been made smaller: then only
 * steps and values are left that matter.
 */
export async function runHistories(
  worked: WorkedService,
  { arbitrary, seed, count, lanes, until, limit }: RunOptions,
): Promise<Run> {
  const run: Run = { agreed: 0, failure: null };
  let failing: number | null = null;
  const runLane = async (lane: number): Promise<void> => {
    const property = fc.asyncProperty(arbitrary, async (history) => {
      const is_over = failing === null ? Date.now() > until : failing !== lane;
      if (is_over) return;
      const found = await findDisagreement(worked, history);
      if (found === null) {
        if (failing !== null) return;
        run.agreed += 1;
        if (run.agreed % PROGRESS_HISTORIES === 0) process.stdout.write(`${run.agreed} histories agreed\n`);
        return;
      }
      failing ??= lane;
      throw new Error(`${printHistory(history)}\n\n${found}`);
    });
    const { failed, errorInstance } = await fc.check(property, {
      seed: (seed * MOST_LANES + lane) | 0,
      numRuns: Math.ceil(count / lanes),
      interruptAfterTimeLimit: limit,
    });
    if (failed && failing === lane) run.failure = String(errorInstance);
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  return run;
}
