import { dirname, relative, sep } from "node:path";
import { imports, root, target } from "./packages.ts";

/** Files that import one another in a circle. */
export function findCircles(): string[] {
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0)
      circles.push(
        `circle: ${[...path.slice(start), file].map((step) => relative(root, step)).join(" -> ")}`,
      );
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

/** The two folders that an import connects; empty if it connects none. */
type FoldersOf = (from: string, to: string) => string[];

/** Schemas of one area have others in them: an event has a commission, and a commission's story has its events. */
const SHAPES = ["packages/contract/src"];
/** A page shows data of other areas: an affiliate's page has its commissions, and their list has its name. */
const SCREENS = ["apps/dashboard/src", "apps/portal/src"];

/**
 * Circles of folders. A folder's own files may import the folders inside and be imported by them: a `server.ts` composes its
 * folders, an `errors.ts` serves them. Whole areas, with all folders inside, import each other in one direction, too,
 * except those of screens.
 */
export function findFolderCircles(): string[] {
  return [
    ...circlesOf(foldersConnectedBy(separateFolders, SHAPES)),
    ...circlesOf(foldersConnectedBy(siblingFolders, [...SHAPES, ...SCREENS])),
  ];
}

function circlesOf(folders: FolderImports): string[] {
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

function foldersConnectedBy(foldersOf: FoldersOf, exempt: readonly string[]): FolderImports {
  const folders: FolderImports = new Map();
  for (const item of [...imports.values()].flat()) {
    const imported = target(item);
    const part = partOf(item.from);
    if (imported === null || part !== partOf(imported) || exempt.includes(part)) continue;
    const [from, to] = foldersOf(item.from, imported);
    if (from === undefined || to === undefined) continue;
    const targets = folders.get(from) ?? new Map<string, string[]>();
    const named = `${relative(root, item.from)} imports ${relative(root, imported)}`;
    targets.set(to, [...(targets.get(to) ?? []), named]);
    folders.set(from, targets);
  }
  return folders;
}

/** The folders of both files, unless one contains the other. */
function separateFolders(from: string, to: string): string[] {
  const [a, b] = [dirname(from), dirname(to)];
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`) ? [] : [a, b];
}

/** The package's part, such as `packages/domain/src`: tests import sources, and other checks hold packages. */
function partOf(file: string): string {
  return relative(root, file).split(sep, 3).join(sep);
}

/** The two folders, in the closest common parent, that contain the files; empty if a file lies in that parent itself. */
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
