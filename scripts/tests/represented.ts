import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Names of tests for which the machine lacks something. */
const LACKING = "skipped without";

/**
 * Fails a run in which a test file skipped all of its tests. Each file has cases in the short form, so that
 * no test runs only in the full form. With `NO_SKIPS=1`, on a machine that has everything, fails a run in which a test was skipped.
 */
export class Represented implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.NO_SKIPS === "1") failSkipped(modules);
    const missing = modules.filter(isSkipped).map(({ moduleId }) => relative(process.cwd(), moduleId));
    if (missing.length === 0) return;
    console.error(`These files have no test in this form: ${missing.join(", ")}.`);
    process.exitCode = 1;
  }
}

function failSkipped(modules: readonly TestModule[]): void {
  const skipped = modules.flatMap(({ children }) => [...children.allTests("skipped")]);
  if (skipped.length === 0) return;
  console.error(`These tests were skipped: ${skipped.map(({ fullName }) => fullName).join("; ")}.`);
  process.exitCode = 1;
}

function isSkipped(module: TestModule): boolean {
  const tests = [...module.children.allTests()];
  return (
    tests.length > 0 &&
    tests.every((test) => test.result().state === "skipped" && !test.fullName.includes(LACKING))
  );
}
