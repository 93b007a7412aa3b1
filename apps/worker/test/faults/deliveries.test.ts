/* Every delivery finishes within its schedule, whichever call of the worker to Postgres fails. */
import { expect, it } from "vitest";
import { DELIVERIES } from "./deliveries.ts";
import { ALL, runMatrix } from "./matrix.ts";
import { Stage } from "./stage.ts";

it("finishes and logs each delivery without delaying other organizations", {
  timeout: ALL ? 3_600_000 : 300_000,
}, async () => {
  const stage = await Stage.open();
  try {
    await stage.startWorker();
    const { rounds, faulty, problems } = await runMatrix(stage, { scripts: DELIVERIES, with_idle: true });
    expect(problems).toEqual([]);
    // A call that a round does not always make fails in some rounds only.
    expect(faulty).toBeGreaterThan(rounds / 4);
  } finally {
    await stage.close();
  }
});
