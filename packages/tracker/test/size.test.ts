import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildTracker } from "../scripts/build.ts";

const MAX_BYTES = 1_500;

it("bundles one complete script of at most 1.5 kB gzipped", () => {
  const script = buildTracker();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  expect(script).not.toMatch(/\b(import|require|localStorage|eval|innerHTML)\b/);
  // The bundle is one function call: no helpers of esbuild and no license comment.
  expect(script).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\n$/s);
});

it("builds the same script every time", () => {
  expect(buildTracker()).toBe(buildTracker());
});
