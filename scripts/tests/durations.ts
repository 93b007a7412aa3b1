import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Test files that took 5 s or longer, with their seconds. `pnpm test --record` measures and writes it. */
const RECORDED = "scripts/tests/durations.json";
const RECORDED_SECONDS = 5;
const UNKNOWN_SECONDS = 4;

interface Results {
  results: [file: string, result: { duration: number }][];
}

/** How long each test file takes: its last run on this machine, else the recorded one, else an estimate. */
export function secondsOfTests(root: string): (file: string) => number {
  const seconds = new Map([...recordedSeconds(root), ...lastSeconds(root)]);
  return (file) => 1 + (seconds.get(file) ?? UNKNOWN_SECONDS);
}

/** Writes the last durations on this machine where other machines find them. */
export function recordDurations(root: string): void {
  const long = [...lastSeconds(root)]
    .filter(([file, seconds]) => seconds >= RECORDED_SECONDS && existsSync(join(root, file)))
    .map(([file, seconds]) => [file, Math.round(seconds)] as const);
  const sorted = long.sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(join(root, RECORDED), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

function recordedSeconds(root: string): Map<string, number> {
  const file = join(root, RECORDED);
  if (!existsSync(file)) return new Map();
  const recorded: Record<string, number> = JSON.parse(readFileSync(file, "utf8"));
  return new Map(Object.entries(recorded));
}

function readResults(file: string): Results["results"] {
  const text = readFileSync(file, "utf8");
  // A run that was killed while it wrote the file left a part of it
  try {
    return JSON.parse(text).results;
  } catch {
    return [];
  }
}

/** The durations that Vitest keeps to run failed and slow tests first. */
function lastSeconds(root: string): Map<string, number> {
  const folder = join(root, "node_modules/.vite/vitest");
  if (!existsSync(folder)) return new Map();
  const results = readdirSync(folder)
    .map((name) => join(folder, name, "results.json"))
    .filter((file) => existsSync(file))
    .flatMap(readResults);
  // Files are named with their project: "rest:packages/…".
  return new Map(results.map(([key, { duration }]) => [key.slice(key.indexOf(":") + 1), duration / 1000]));
}
