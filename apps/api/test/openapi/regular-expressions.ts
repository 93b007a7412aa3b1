import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { type Node, parse } from "acorn";
import { transformSync } from "esbuild";
import { checkSync } from "recheck";

const ROOT = resolve(import.meta.dirname, "../../../..");

/** Analyzing one pattern takes less than 5 s on an idle machine. */
const ANALYSIS_MILLISECONDS = 120_000;

/** A regular expression and its location. */
export interface FoundPattern {
  place: string;
  pattern: RegExp;
}

/** A `RegExp` built at run time, known only by its source code. */
export interface BuiltPattern {
  place: string;
  code: string;
}

/** The regular expressions in a file's source code. */
export function patternsIn(
  source: string,
  place: string,
): { literals: FoundPattern[]; built: BuiltPattern[] } {
  const { code } = transformSync(source, { loader: "ts", target: "esnext" });
  const literals: FoundPattern[] = [];
  const built: BuiltPattern[] = [];
  for (const node of nodesOf(parse(code, { ecmaVersion: "latest", sourceType: "module" }))) {
    if (isRegExpLiteral(node))
      literals.push({ place, pattern: new RegExp(node.regex.pattern, node.regex.flags) });
    else if (buildsRegExp(node)) built.push({ place, code: code.slice(node.start, node.end) });
  }
  return { literals, built };
}

/** Every source file below a folder of the repository, without tests. */
export function sourcesBelow(folder: string): { place: string; source: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
    .map((name) => ({
      place: join(folder, name),
      source: readFileSync(join(ROOT, folder, name), "utf8"),
    }));
}

/**
 * Every regular expression reachable from an object. zod stores the expressions of its formats in its
 * schemas.
 */
export function patternsReachedFrom(root: object): RegExp[] {
  const found = new Map<string, RegExp>();
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value))
      continue;
    seen.add(value);
    if (value instanceof RegExp) found.set(String(value), value);
    else if (value instanceof Map || value instanceof Set) waiting.push(...value.values());
    else waiting.push(...propertiesOf(value).filter((property) => property !== undefined));
  }
  return [...found.values()];
}

/** Patterns that the full form of tests has analyzed, and that take linear time. */
export const KNOWN = join(import.meta.dirname, "analyzed-patterns.txt");
const known = new Set(FULL_TESTS ? [] : readFileSync(KNOWN, "utf8").split("\n"));

/** Patterns occur in several packages, and the analysis of one takes up to 3 s. */
const analyzed = new Map<string, string | null>([...known].map((pattern) => [pattern, null]));

/** The analyzed patterns that take linear time, in alphabetical order. */
export function linearPatterns(): string[] {
  return [...analyzed].flatMap(([pattern, problem]) => (problem === null ? [pattern] : [])).sort();
}

/** Why a match may take more than linear time, with an example string; null if it cannot. */
export function superlinearProblem(pattern: RegExp): string | null {
  const former = analyzed.get(String(pattern));
  if (former !== undefined) return former;
  const problem = analyze(pattern);
  analyzed.set(String(pattern), problem);
  return problem;
}

function analyze(pattern: RegExp): string | null {
  const checked = checkSync(pattern.source, pattern.flags, { timeout: ANALYSIS_MILLISECONDS });
  if (checked.status === "safe") return null;
  if (checked.status === "unknown")
    return `${pattern} could not be analyzed: ${JSON.stringify(checked.error)}`;
  const { attack, complexity } = checked;
  // Fuzzing, used for patterns with assertions, runs on a matcher that is slower than V8's in places.
  if (complexity.isFuzz && !isSlow(pattern, attack)) return null;
  return `${pattern} takes ${complexity.summary} time, for example on ${attack.pattern}`;
}

interface Pumped {
  pumps: { prefix: string; pump: string }[];
  suffix: string;
}

/**
 * Whether four times the length takes far more than four times as long; quadratic time takes sixteen times.
 */
function isSlow(pattern: RegExp, { pumps, suffix }: Pumped): boolean {
  const pumped = (times: number) =>
    pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("") + suffix;
  return leastCpuTime(pattern, pumped(20_000)) / leastCpuTime(pattern, pumped(5_000)) > 9;
}

/** The minimum CPU time of a search for all matches, in microseconds. */
function leastCpuTime(pattern: RegExp, text: string): number {
  const times = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage();
    for (let run = 0; run < 5; run++) text.replace(pattern, "");
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}

/**
 * Own properties, including those of functions, since procedures are functions. Prototypes contain no
 * patterns.
 */
function propertiesOf(value: object): unknown[] {
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([name]) => name !== "prototype" && name !== "constructor")
    .map(([, { get, value: property }]) => (get === undefined ? property : get.call(value)));
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if ("type" in value && "start" in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

function isRegExpLiteral(node: Node): node is Node & { regex: { pattern: string; flags: string } } {
  return node.type === "Literal" && "regex" in node && node.regex !== undefined;
}

function buildsRegExp(node: Node): boolean {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return false;
  const { callee } = node as Node & { callee: Node & { name?: string } };
  return callee.type === "Identifier" && callee.name === "RegExp";
}
