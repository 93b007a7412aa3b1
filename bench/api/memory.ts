/*
 * Question: how much resident memory does the api process use under the load of question 1? The result is the
 * kernel's high-water mark, including startup.
 */
import type { Bench } from "../bench.ts";
import { type Verdict, whole } from "../table.ts";
import type { CommissionLoad } from "./create-commission.ts";

const MAX_MEGABYTES = 200;

/** Question 4. */
export function measureMemory(bench: Bench, { memory }: CommissionLoad): Verdict[] {
  if (memory !== null) {
    const { sampled_mb, high_water_mb } = memory;
    bench.print(
      `resident: ${whole(sampled_mb)} MB sampled at most, ${whole(high_water_mb)} MB high-water mark`,
    );
  }
  return [
    {
      question: "4 memory of the api process under 1",
      measured: memory === null ? "" : `${whole(memory.high_water_mb)} MB`,
      limit: "",
      ratio: "",
      target: `<= ${MAX_MEGABYTES} MB`,
      met: memory === null ? null : memory.high_water_mb <= MAX_MEGABYTES,
    },
  ];
}
