import { expect, it } from "vitest";
import { missedTargets } from "./targets.ts";

it.each([
  ["503", []],
  ["429", ["2 × 429"]],
  ["503 without Retry-After", ["2 × 503 without Retry-After"]],
])("excuses no answer that misleads clients, in any failure: %s", (error, missed) => {
  const counted = { failure: "any", acknowledged: 9, lost: 0, doubled: 0, stuck: 0, jobs: [], repeated: 0 };
  const result = { ...counted, gap_seconds: 1, errors: new Map([[error, 2]]) };
  expect(missedTargets({ gap_seconds: null, may_fail: true }, result)).toEqual(missed);
  expect(missedTargets({ gap_seconds: null, may_fail: false }, result)).toEqual([`2 × ${error}`]);
});
