import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { expect, it } from "vitest";
import { buildSnippet, buildTracker } from "../scripts/build.ts";

const MAX_BYTES = 2_000;
/** People paste it. */
const MAX_SNIPPET_LENGTH = 800;

it("bundles one complete script of at most 2 kB gzipped", () => {
  const script = buildTracker();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  expect(script).not.toMatch(/\b(import|require|localStorage|eval|innerHTML)\b/);
  // The bundle is one function call: no helpers of esbuild and no license comment.
  expect(script).toMatch(/^\(\(\)=>\{.*\}\)\(\);\n$/s);
});

it("builds the same script every time", () => {
  expect(buildTracker()).toBe(buildTracker());
});

it("gives the dashboard and the documentation the snippet that it builds", () => {
  expect(TRACKING_SNIPPET).toBe(`<script>\n${buildSnippet()}\n</script>`);
  expect(readFileSync(new URL("../../../docs/tracking.md", import.meta.url), "utf8")).toContain(
    TRACKING_SNIPPET,
  );
  expect(TRACKING_SNIPPET.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
});
