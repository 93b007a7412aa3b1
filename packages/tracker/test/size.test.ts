import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildTracker } from "../scripts/build.ts";

const MAX_BYTES = 1_500;

it("is complete and at most 1.5 kB gzipped", () => {
  const script = buildTracker();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  expect(script).not.toMatch(/\b(import|require|localStorage|eval|innerHTML)\b/);
  // The bundle contains nothing superfluous.
  expect(script).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\n$/s);
});

it("builds deterministically", () => {
  expect(buildTracker()).toBe(buildTracker());
});
