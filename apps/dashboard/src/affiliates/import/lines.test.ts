import { expect, it } from "vitest";
import { type Line, withoutTwins } from "./lines.ts";

function line(number: number, values: Record<string, string>, outcome: Line["outcome"] = "new"): Line {
  return { number, values, outcome, reason: "", affiliate_id: null };
}

const outcomes = (lines: readonly Line[]) =>
  withoutTwins(lines).map(({ outcome, reason }) => [outcome, reason]);

it("imports the first of two lines with the same email", () => {
  expect(outcomes([line(2, { email: "ann@a.test" }), line(3, { email: "ANN@a.test" })])).toEqual([
    ["new", ""],
    ["exists", "Same email as row 2"],
  ]);
});

it.each([
  ["ref_code", "Link code"],
  ["promo_code", "Promo code"],
])("finds a %s that an earlier line has", (field, label) => {
  expect(
    outcomes([
      line(2, { email: "ann@a.test", [field]: "ACME" }),
      line(3, { email: "kim@a.test", [field]: "acme" }),
      line(4, { email: "lee@a.test", [field]: "other" }),
    ]),
  ).toEqual([
    ["new", ""],
    ["wrong", `${label}: Same as in row 2`],
    ["new", ""],
  ]);
});

it("compares nothing with lines that are left out", () => {
  expect(
    outcomes([
      line(2, { email: "ann@a.test", ref_code: "acme" }, "wrong"),
      line(3, { email: "ann@a.test", ref_code: "acme" }),
      line(4, { email: "ann@a.test", ref_code: "kim" }),
      line(5, { email: "kim@a.test", ref_code: "kim" }),
    ]).map(([outcome]) => outcome),
  ).toEqual(["wrong", "new", "exists", "new"]);
});
