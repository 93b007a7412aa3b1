import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Bundles the browser script: one file with `window.findersfee` as its only global. */
export function buildTracker(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("../src/main.ts", import.meta.url))],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2020",
    legalComments: "none",
    logLevel: "error",
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the tracker's bundle is empty");
  return script.text;
}
