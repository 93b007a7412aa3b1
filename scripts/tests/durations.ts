import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LONG_FILES } from "./longest-first.ts";

const UNKNOWN_SECONDS = 4;
const LONG_SECONDS = 60;

interface Results {
  results: [file: string, result: { duration: number }][];
}

/** How long each test file took when it was last run here, with its start; an estimate where it was not. */
export function secondsOfTests(root: string): (file: string) => number {
  const seconds = new Map(lastDurations(root).map(([file, duration]) => [file, 1 + duration / 1000]));
  return (file) => seconds.get(file) ?? (LONG_FILES.includes(file) ? LONG_SECONDS : UNKNOWN_SECONDS);
}

/** What Vitest keeps to run failed and slow tests first. */
function lastDurations(root: string): (readonly [file: string, duration: number])[] {
  const folder = join(root, "node_modules/.vite/vitest");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name, "results.json");
    if (!existsSync(file)) return [];
    const { results }: Results = JSON.parse(readFileSync(file, "utf8"));
    // Files are named with their project: "rest:packages/…".
    return results.map(([key, { duration }]) => [key.slice(key.indexOf(":") + 1), duration] as const);
  });
}
