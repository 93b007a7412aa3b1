import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildTracker } from "../scripts/build.ts";

const MOST_BYTES = 1_500;

it("has at most 1.5 kB gzipped, and everything in it", () => {
  const script = buildTracker();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
  expect(script).not.toMatch(/\b(import|require|localStorage|eval|innerHTML)\b/);
  // Nothing is left behind but what it is for.
  expect(script).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\n$/s);
});

it("is the same each time", () => {
  expect(buildTracker()).toBe(buildTracker());
});
