import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface Manifest {
  name: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  publishConfig?: { directory?: string };
}

export interface Package extends Manifest {
  folder: string;
  /** Sources, scripts, tests, and the gallery of components. */
  files: string[];
}
/** A specifier in a file. */
export type Import = { from: string; specifier: string };

export const root = resolve(import.meta.dirname, "../..");
export const rootManifest = readManifest(root);

/** The imports of files that were read. */
const read = new Map<string, Import[]>();

/** The packages in `packages` and `apps`, which others import. */
export const packages = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) =>
    readPackage(join(root, parent, name), ["src", "scripts", "test", "gallery"]),
  ),
);

/** Benchmarks, attacks, examples, pictures and scripts, which no package imports. */
export const programs = ["attack", "bench", "drill", "examples", "pictures", "scripts"].flatMap((name) =>
  readFiles(join(root, name), ["."]),
);

/** The imports of each file in `packages`. */
export const imports = new Map(
  packages.flatMap(({ files }) => files.map((file) => [file, importsOf(file)] as const)),
);

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function readPackage(folder: string, parts: string[]): Package {
  return { ...readManifest(folder), folder, files: readFiles(folder, parts) };
}

function readFiles(folder: string, parts: string[]): string[] {
  const settings = ["vite.config.ts"].filter((file) => existsSync(join(folder, file)));
  const inner = parts
    .filter((part) => existsSync(join(folder, part)))
    .flatMap((part) => readFolder(join(folder, part)))
    .filter((file) => /\.[jt]sx?$/.test(file));
  return [...settings.map((file) => join(folder, file)), ...inner];
}

/** Not by the `recursive` of `readdirSync`, which enters the packages in `node_modules`. */
function readFolder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? readFolder(path) : [path];
    });
}

/** The specifiers that a file imports, comments aside. */
export function importsOf(file: string): Import[] {
  const found = read.get(file) ?? readImports(file);
  read.set(file, found);
  return found;
}

function readImports(file: string): Import[] {
  const text = readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const pattern =
    /(?:\bfrom\s*|^import\s*|\bimport\(\s*|\bcreateRequire\([^)]*\)\.resolve\(\s*)"([^"\n]+)"/gm;
  return [...text.matchAll(pattern)].map((match) => ({ from: file, specifier: match[1] ?? "" }));
}

/** `@a/b/c` belongs to package `@a/b`. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The imported file, or null for an external one. */
export function target({ from, specifier }: Import): string | null {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const owner = packages.find(({ name }) => name === packageOf(specifier));
  if (owner === undefined) return null;
  const path = `.${specifier.slice(owner.name.length)}`;
  const place = owner.exports?.[path] ?? owner.exports?.["./*"]?.replace("*", path.slice(2)) ?? path;
  return join(owner.folder, place);
}
