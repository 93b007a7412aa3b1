import { expect, it } from "vitest";
import { evidenceOfClicks, evidenceOfRefunds, evidenceOfSignUps } from "./rates.ts";

it.each([
  [19, 1, false],
  [20, 5, true],
  [20, 6, false],
  [299, 299, false],
  [300, 300, true],
])("%i clicks from %i networks: %s", (clicks, networks, is_many) => {
  expect(evidenceOfClicks({ clicks, networks })).toEqual(is_many ? [`${clicks}`, `${networks}`] : []);
});

it("counts 20 sign-ups as too many", () => {
  expect(evidenceOfSignUps(19)).toEqual([]);
  expect(evidenceOfSignUps(20)).toEqual(["20"]);
});

it.each([
  ["4 of 4", [4, 4, 0, 100], false],
  ["5 of 10, others 5 of 100", [5, 10, 5, 100], true],
  ["5 of 50, others none", [5, 50, 0, 100], true],
  ["5 of 51, others none", [5, 51, 0, 100], false],
  ["15 of 100, others 5 of 100", [15, 100, 5, 100], true],
  ["14 of 100, others 5 of 100", [14, 100, 5, 100], false],
  ["5 of 5, and nobody else", [5, 5, 0, 0], true],
] as const)("refunds: %s", (_name, [refunded, payments, others_refunded, others], is_many) => {
  const found = evidenceOfRefunds({ refunded, payments, others_refunded, others });
  expect(found.length > 0).toBe(is_many);
});
