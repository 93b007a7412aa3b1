import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { expect, it } from "vitest";
import { buildScript, buildSnippet } from "../scripts/build.ts";

const MAX_BYTES = { "tracker.js": 2_150, "discount.js": 3_000 };
/** Words of code that a page's content security policy may forbid, or that would load more. */
const FORBIDDEN = /\b(import|require|localStorage|eval|innerHTML)\b/;
/** People paste it. */
const MAX_SNIPPET_LENGTH = 800;

it.each(["tracker.js", "discount.js"] as const)("bundles %s as one small script, always the same", (name) => {
  const script = buildScript(name);
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES[name]);
  expect(script).not.toMatch(FORBIDDEN);
  // The bundle is one function call: no helpers of esbuild and no license comment.
  expect(script).toMatch(/^\(\(\)=>\{.*\}\)\(\);\n$/s);
  expect(buildScript(name)).toBe(script);
});

it("gives the dashboard and the documentation the snippet that it builds", () => {
  expect(TRACKING_SNIPPET).toBe(`<script>\n${buildSnippet()}\n</script>`);
  expect(readFileSync(new URL("../../../docs/tracking.md", import.meta.url), "utf8")).toContain(
    TRACKING_SNIPPET,
  );
  expect(TRACKING_SNIPPET.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
});
