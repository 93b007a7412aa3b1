import { expect, it } from "vitest";
import { formatCount, formatCountBelow } from "./counts.ts";

it("separates thousands", () => {
  expect([0, 999, 1372, 1_234_567].map((count) => formatCount(count))).toEqual([
    "0",
    "999",
    "1,372",
    "1,234,567",
  ]);
  expect(formatCount(1372, "de")).toBe("1.372");
});

it("says that a count which stopped may be more", () => {
  expect([99, 999, 1000, 1001].map((count) => formatCountBelow(count, 1000))).toEqual([
    "99",
    "999",
    "999+",
    "999+",
  ]);
  expect(formatCountBelow(10_000, 10_000)).toBe("9,999+");
});
