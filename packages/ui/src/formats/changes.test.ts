import { describe, expect, it } from "vitest";
import { changeOf, formatChange } from "./changes.ts";

describe("changeOf", () => {
  it("compares with the period before, if there was anything", () => {
    expect(changeOf(112, 100)).toEqual({ percent: 12, direction: "up" });
    expect(changeOf(90, 100)).toEqual({ percent: 10, direction: "down" });
    expect(changeOf(100, 100)).toEqual({ percent: 0, direction: "same" });
    expect(changeOf(5, 0)).toBeNull();
  });
});

describe("formatChange", () => {
  it("shortens changes that nobody reads to the last digit", () => {
    const changes = [12, 9_999, 373_047, 2_000_000_000];
    expect(changes.map((percent) => formatChange(percent))).toEqual(["12%", "9,999%", "373K%", "2B%"]);
  });
});
