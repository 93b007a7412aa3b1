/* The same rules for tiers, in a file of its own: preparing them sets the clock of the whole process back for moments. */
import { expect, it } from "vitest";
import { measureTiers } from "./jobs.ts";
import { MATRIX_MILLISECONDS, runJobMatrix } from "./matrix.ts";

it("stores tiers once, with their bonuses, for a failure of each call", {
  timeout: MATRIX_MILLISECONDS,
}, async () => {
  const { rounds, faulty, problems } = await runJobMatrix(measureTiers);
  expect(problems).toEqual([]);
  expect(faulty).toBeGreaterThan(rounds / 4);
});
