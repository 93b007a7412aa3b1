import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** For each of the repository's files, the files that read it. Paths are relative to the repository. */
export type Readers = Map<string, Set<string>>;

/** Files that are read without an import: through Vitest's global setup, or by a process. */
const READ_WITHOUT_IMPORT: [reader: string, file: string][] = [
  ["packages/database/test/test-database.ts", "packages/database/test/global-setup.ts"],
  ["apps/cli/test/command-line.ts", "apps/cli/test/program.ts"],
  ["apps/cli/test/program.ts", "apps/cli/src/main.ts"],
];

interface Manifest {
  name: string;
  exports?: Record<string, unknown>;
}

/**
 * Which file reads which: modules by their imports, other files (documents, migrations, examples) by readers that name the file
 * or its folder in quotes.
 */
export function readersOf(root: string, files: readonly string[]): Readers {
  const packages = packagesOf(root, files);
  const known = new Set(files);
  const data = files.filter((file) => !isModule(file));
  const readers: Readers = new Map();
  const add = (reader: string, file: string) => {
    if (known.has(file)) readers.set(file, (readers.get(file) ?? new Set()).add(reader));
  };
  for (const reader of files.filter(isModule)) {
    const text = readFileSync(join(root, reader), "utf8");
    for (const specifier of specifiersIn(text)) {
      const file = specifier.startsWith(".")
        ? join(dirname(reader), specifier)
        : resolve(packages, specifier);
      if (file !== null) add(reader, file);
    }
    const named = namesIn(text);
    for (const file of data) if (isNamed(file, named)) add(reader, file);
  }
  for (const [reader, file] of READ_WITHOUT_IMPORT) add(reader, file);
  return readers;
}

/** How many imports lie between each file and the closest of `changed`; no entry for files that none of them reaches. */
export function distancesFrom(changed: readonly string[], readers: Readers): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  const waiting = [...changed];
  for (const file of waiting) {
    for (const reader of readers.get(file) ?? []) {
      if (distances.has(reader)) continue;
      distances.set(reader, (distances.get(file) ?? 0) + 1);
      waiting.push(reader);
    }
  }
  return distances;
}

function isModule(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file);
}

/** Imports of types leave no trace at run time; the compiler checks them. */
function specifiersIn(module: string): string[] {
  const text = module.replaceAll(/^(import|export) type [^;"']*from\s*["'][^"'\n]+["']/gm, "");
  const pattern = /(?:\bfrom\s*|^import\s*|\bimport\(\s*)["'`]([^"'`\n]+)["'`]/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** The last parts of texts in quotes, including paths: "../../docs/" gives docs. */
function namesIn(text: string): Set<string> {
  const quoted = [...text.matchAll(/["'`]([\w./-]{3,200})["'`]/g)].map((match) => match[1] ?? "");
  return new Set(quoted.map((path) => basename(path)));
}

function isNamed(file: string, named: ReadonlySet<string>): boolean {
  return named.has(basename(file)) || named.has(basename(dirname(file)));
}

function packagesOf(root: string, files: readonly string[]): Map<string, { folder: string } & Manifest> {
  const manifests = files.filter((file) => /^[^/]+(\/[^/]+)?\/package\.json$/.test(file));
  return new Map(
    manifests.map((file) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
      return [manifest.name, { ...manifest, folder: dirname(file) }];
    }),
  );
}

/** The file that a package's export is; null for packages that are not ours. */
function resolve(packages: ReturnType<typeof packagesOf>, specifier: string): string | null {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const owner = packages.get(name);
  if (owner === undefined) return null;
  const path = `.${specifier.slice(name.length)}`;
  for (const [key, place] of Object.entries(owner.exports ?? {})) {
    const [start = "", end = ""] = key.split("*");
    const fits = key.includes("*") ? path.startsWith(start) && path.endsWith(end) : path === key;
    if (!fits) continue;
    const middle = path.slice(start.length, path.length - end.length);
    return join(owner.folder, firstString(place).replace("*", middle));
  }
  return null;
}

/** An export is a path, or paths by conditions. */
function firstString(place: unknown): string {
  if (typeof place === "object" && place !== null) return firstString(Object.values(place)[0]);
  return String(place);
}
