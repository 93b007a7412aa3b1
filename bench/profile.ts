/* Question: in which functions does the api process spend its time? Reads the output of `--cpu-prof`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fine, formatTable } from "./table.ts";

const SHOWN = 40;
/** Not work. */
const IDLE = new Set(["(idle)", "(root)"]);

/** The parts of V8's format in use. */
interface CpuProfile {
  nodes: { id: number; callFrame: Frame }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

interface Frame {
  functionName: string;
  /** Empty for functions compiled into node. */
  url: string;
}

/** Arguments that make a node process write its profile on exit. */
export function profileArguments(folder: string): string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** Self time by package and by function, without the first seconds and idle time. */
export async function summarizeProfile(folder: string, skip_seconds: number): Promise<string> {
  // Each thread writes a profile; the main thread's is 0, another belongs to the loader of the TypeScript
  // sources.
  const file = (await readdir(folder)).find((name) => /\.0\.[0-9]+\.cpuprofile$/.test(name));
  if (file === undefined) throw new Error("the api process wrote no profile");
  const profile: CpuProfile = JSON.parse(await readFile(join(folder, file), "utf8"));
  const samples = workingSamples(profile, skip_seconds * 1e6);
  const tables = [
    sharesTable("package", samples, packageOf),
    sharesTable("function", samples, ({ functionName, url }) =>
      url === "" ? nativeName(functionName) : `${functionName || "(anonymous)"} ${shorten(url)}`,
    ),
  ];
  return [...tables, `The profile: ${join(folder, file)}`].join("\n\n");
}

interface Sample {
  frame: Frame;
  microseconds: number;
}

function workingSamples({ nodes, samples, timeDeltas }: CpuProfile, skip_microseconds: number): Sample[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  let passed = 0;
  return samples.flatMap((id, index) => {
    const microseconds = timeDeltas[index] ?? 0;
    passed += microseconds;
    const frame = frames.get(id);
    const counts = frame !== undefined && passed > skip_microseconds && !IDLE.has(frame.functionName);
    return counts ? [{ frame, microseconds }] : [];
  });
}

function sharesTable(heading: string, samples: readonly Sample[], nameOf: (frame: Frame) => string): string {
  const times = new Map<string, number>();
  let total = 0;
  for (const { frame, microseconds } of samples) {
    const name = nameOf(frame);
    times.set(name, (times.get(name) ?? 0) + microseconds);
    total += microseconds;
  }
  const lines = [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return formatTable([
    ["self %", heading],
    ...lines.map(([name, time]) => [fine((time / total) * 100), name]),
  ]);
}

function nativeName(name: string): string {
  return name.startsWith("(") ? name : `(native) ${name}`;
}

/**
 * `…/node_modules/.pnpm/a@1/node_modules/a/b.js` belongs to `a`; the repository's own files go by their
 * folder.
 */
function packageOf({ functionName, url }: Frame): string {
  if (url === "") return nativeName(functionName);
  if (url.startsWith("node:")) return "node";
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return library ?? /\/((?:packages|apps)\/[^/]+|bench)\//.exec(url)?.[1] ?? url;
}

function shorten(url: string): string {
  return url.replace(/.*\/node_modules\//, "").replace(/.*\/(packages|apps|bench)\//, "$1/");
}
