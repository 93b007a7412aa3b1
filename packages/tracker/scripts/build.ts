import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** The scripts for organizations' pages, by their sources. */
const SCRIPTS = { "tracker.js": "main.ts", "discount.js": "discount/main.ts" };

/** Bundles a browser script: one file with `window.findersfee` as its only global. */
export function buildScript(name: keyof typeof SCRIPTS): string {
  return build(SCRIPTS[name]);
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
    // Without the directive "use strict", which changes nothing in modules' code, and without helpers for class fields.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    logLevel: "error",
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the tracker's bundle is empty");
  return script.text;
}
