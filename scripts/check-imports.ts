/*
 * Checks that imports point in one direction, as in the README's layout; that each package declares exactly
 * the dependencies it imports; that only packages/database accesses Postgres; and that neither files nor
 * folders import each other in a circle. Prints violations and exits with 1.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The packages that each package's sources may import; of a listed module only that part. */
const ALLOWED: Record<string, string[]> = {
  "@findersfee/contract": [],
  "@findersfee/log": [],
  "@findersfee/samples": [],
  "@findersfee/sdk": [],
  "@findersfee/tracker": [],
  "@findersfee/database": ["@findersfee/contract"],
  "@findersfee/domain": ["@findersfee/contract", "@findersfee/database"],
  "@findersfee/api": [
    "@findersfee/contract",
    "@findersfee/log",
    "@findersfee/domain",
    // The script that it serves, as text.
    "@findersfee/tracker/build",
    // The operations belong to the domain; the server only holds the pool and monitors it.
    "@findersfee/database/connect",
    "@findersfee/database/errors",
    "@findersfee/database/migrate",
    "@findersfee/database/migrations",
  ],
  "@findersfee/worker": ["@findersfee/contract", "@findersfee/database", "@findersfee/domain"],
  findersfee: [
    "@findersfee/contract",
    "@findersfee/log",
    "@findersfee/database",
    "@findersfee/domain",
    "@findersfee/api",
    "@findersfee/worker",
    // The demo sends Stripe's events.
    "@findersfee/samples",
    // `listen` is a client of the service like any other.
    "@findersfee/sdk",
  ],
};

/** Declared to select the version of a library's dependency. */
const PEERS = ["zod-openapi"];

/** Libraries that belong to one package, and packages that may import only these. */
const OWNED: Record<string, string> = { postgres: "@findersfee/database" };
const ONLY: Record<string, string[]> = {
  "@findersfee/contract": ["zod"],
  "@findersfee/sdk": ["@noble/hashes"],
};

interface Manifest {
  name: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  publishConfig?: { directory?: string };
}

interface Package extends Manifest {
  folder: string;
  files: string[];
}
type Import = { from: string; specifier: string };

const root = resolve(import.meta.dirname, "..");
const rootManifest = readManifest(root);
const packages = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => readPackage(join(root, parent, name))),
);
const imports = new Map(
  packages.flatMap(({ files }) => files.map((file) => [file, importsOf(file)] as const)),
);
const problems = [...packages.flatMap(checkPackage), ...findCircles(), ...findFolderCircles()];

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function readPackage(folder: string): Package {
  const files = ["src", "scripts", "test"]
    .filter((part) => existsSync(join(folder, part)))
    .flatMap((part) =>
      readdirSync(join(folder, part), { recursive: true }).map((file) => join(folder, part, String(file))),
    )
    .filter((file) => /\.[jt]sx?$/.test(file));
  return { ...readManifest(folder), folder, files };
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const pattern =
    /(?:\bfrom\s*|^import\s*|\bimport\(\s*|\bcreateRequire\([^)]*\)\.resolve\(\s*)"([^"\n]+)"/gm;
  return [...text.matchAll(pattern)].map((match) => ({ from: file, specifier: match[1] ?? "" }));
}

function checkPackage(checked: Package): string[] {
  const found = checked.files
    .flatMap((file) => imports.get(file) ?? [])
    .filter(({ specifier }) => !specifier.startsWith(".") && !isBuiltin(specifier));
  const declared = Object.keys({ ...checked.dependencies, ...checked.devDependencies });
  const unused = declared.filter(
    (name) => !PEERS.includes(name) && !found.some(({ specifier }) => packageOf(specifier) === typed(name)),
  );
  return [
    ...found.flatMap((item) =>
      checkImport(checked, item).map((why) => `${relative(root, item.from)}: ${item.specifier} ${why}`),
    ),
    ...unused.map(
      (name) => `${relative(root, checked.folder)}/package.json: ${name} is declared but not imported`,
    ),
  ];
}

function checkImport(importer: Package, { from, specifier }: Import): string[] {
  const name = packageOf(specifier);
  const isTool = /^(scripts|test)\b|\.test\.tsx?$/.test(relative(importer.folder, from));
  // A published package is bundled, so its users install none of the bundled packages.
  const development = isTool || importer.publishConfig?.directory ? importer.devDependencies : {};
  const tools = isTool ? rootManifest.devDependencies : {};
  const problems: string[] = [];
  if (!(name in { ...importer.dependencies, ...development, ...tools }))
    problems.push("is not declared in package.json");
  const owner = OWNED[name] ?? importer.name;
  if (owner !== importer.name) problems.push(`may be imported only by ${owner}`);
  if (isTool) return problems;
  if (ONLY[importer.name]?.includes(name) === false) problems.push("may not be imported by this package");
  if (name.startsWith("@findersfee/") && !isAllowed(importer, specifier))
    problems.push("points in the wrong direction");
  return problems;
}

function isAllowed({ name }: Package, specifier: string): boolean {
  return ALLOWED[name]?.some((allowed) => `${specifier}/`.startsWith(`${allowed}/`)) ?? false;
}

/** `@types/a` belongs to imports of `a`. */
function typed(name: string): string {
  return name.replace(/^@types\//, "");
}

/** `@a/b/c` belongs to package `@a/b`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The imported file, or null for an external one. */
function target({ from, specifier }: Import): string | null {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const owner = packages.find(({ name }) => name === packageOf(specifier));
  if (owner === undefined) return null;
  const path = `.${specifier.slice(owner.name.length)}`;
  const place = owner.exports?.[path] ?? owner.exports?.["./*"]?.replace("*", path.slice(2)) ?? path;
  return join(owner.folder, place);
}

function findCircles(): string[] {
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0)
      circles.push(`circle: ${[...path.slice(start), file].map((step) => relative(root, step)).join(" -> ")}`);
    if (start >= 0 || finished.has(file)) return;
    for (const item of imports.get(file) ?? []) {
      const next = target(item);
      if (next !== null) visit(next, [...path, file]);
    }
    finished.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

/** Imports from one folder into another, by the importing folder and then by the imported one. */
type FolderImports = Map<string, Map<string, string[]>>;

/**
 * Circles of folders that have the same parent. A parent's own files may import its folders and be imported by them: a
 * `server.ts` composes its folders, an `errors.ts` serves them.
 */
function findFolderCircles(): string[] {
  const folders = folderImports();
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (folder: string, path: string[]): void => {
    const start = path.indexOf(folder);
    if (start >= 0) circles.push(describeCircle([...path.slice(start), folder], folders));
    if (start >= 0 || finished.has(folder)) return;
    for (const next of folders.get(folder)?.keys() ?? []) visit(next, [...path, folder]);
    finished.add(folder);
  };
  for (const folder of folders.keys()) visit(folder, []);
  return circles;
}

function folderImports(): FolderImports {
  const folders: FolderImports = new Map();
  for (const item of [...imports.values()].flat()) {
    const imported = target(item);
    if (imported === null || partOf(item.from) !== partOf(imported)) continue;
    const [from, to] = siblingFolders(item.from, imported);
    if (from === undefined || to === undefined) continue;
    const targets = folders.get(from) ?? new Map<string, string[]>();
    const named = `${relative(root, item.from)} imports ${relative(root, imported)}`;
    targets.set(to, [...(targets.get(to) ?? []), named]);
    folders.set(from, targets);
  }
  return folders;
}

/** The package's part, such as `packages/domain/src`: tests import sources, and other checks hold packages. */
function partOf(file: string): string {
  return relative(root, file).split(sep, 3).join(sep);
}

/** The two folders, in the closest common parent, that an import connects; empty if a file lies in that parent itself. */
function siblingFolders(from: string, to: string): string[] {
  const [a, b] = [from.split(sep), to.split(sep)];
  const depth = a.findIndex((name, index) => name !== b[index]);
  if (depth >= a.length - 1 || depth >= b.length - 1) return [];
  return [a, b].map((names) => names.slice(0, depth + 1).join(sep));
}

function describeCircle(circle: readonly string[], folders: FolderImports): string {
  const steps = circle.slice(1).flatMap((to, index) => {
    const [first, ...others] = folders.get(circle[index] ?? "")?.get(to) ?? [];
    return others.length === 0 ? `  ${first}` : `  ${first} (and ${others.length} more)`;
  });
  const names = circle.map((folder) => relative(root, folder));
  return [`circle of folders: ${names.join(" -> ")}`, ...steps].join("\n");
}
