import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Bundles the browser script: one file with `window.findersfee` as its only global. */
export function buildTracker(): string {
  return build("main.ts");
}

/** The content of the element before the script's in an organization's pages. */
export function buildSnippet(): string {
  return build("snippet.ts").trim();
}

function build(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2020",
    legalComments: "none",
    // Without the directive "use strict", which changes nothing in modules' code.
    tsconfigRaw: {},
    logLevel: "error",
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the tracker's bundle is empty");
  return script.text;
}
