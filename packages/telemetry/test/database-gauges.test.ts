import { setTimeout as delay } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { DatabaseGauges } from "../src/database-gauges.ts";
import { samplesOf } from "./lint.ts";

/** What docs/self-hosting.md promises. */
const PROMISED_MILLISECONDS = 2_000;

it("answers before the promised time, though no reading ends", async () => {
  const registry = new Registry();
  const gauges = new DatabaseGauges(registry, { name: "reads_up", onError: () => {} });
  for (const reading of ["one", "two", "three"]) {
    const gauge = {
      name: `value_of_${reading}`,
      help: "Help.",
      value: ({ value }: { value: number }) => value,
    };
    gauges.show(reading, () => new Promise<{ value: number }>(() => {}), {
      gauges: [gauge, { ...gauge, name: `${gauge.name}_too` }],
    });
  }
  // Timers fire in order, however busy the machine is.
  const late = delay(PROMISED_MILLISECONDS, null);
  const text = await Promise.race([registry.metrics(), late]);
  expect(text).not.toBeNull();
  expect([...samplesOf(text ?? "")]).toEqual([
    ['reads_up{reading="one"}', 0],
    ['reads_up{reading="two"}', 0],
    ['reads_up{reading="three"}', 0],
  ]);
});
