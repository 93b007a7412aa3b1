import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { importsOf, type Package, packageOf, packages, programs, root } from "./packages.ts";

/** The packages that only this repository uses. Users of the others may import anything. */
const internal = packages.filter(({ publishConfig }) => publishConfig === undefined);
const files = [...packages.flatMap((item) => item.files), ...programs];

/** The `exports` that no other package imports, those without a file, and imports that no `exports` lists. */
export function checkExports(): string[] {
  return [...internal.flatMap(checkPackage), ...files.flatMap(findRelativeImports)];
}

/** Lists the modules of each package that others import in its `exports`. */
export function writeExports(): void {
  for (const item of internal) {
    const path = join(item.folder, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    const written = [...importedPaths(item)]
      .sort()
      .map((name) => [name, item.exports?.[name] ?? fileOf(item, name)]);
    item.exports = Object.fromEntries(written);
    if (written.length > 0) manifest.exports = item.exports;
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

function checkPackage(item: Package): string[] {
  const manifest = `${relative(root, item.folder)}/package.json`;
  const exported = Object.entries(item.exports ?? {});
  const imported = importedPaths(item);
  const names = new Set(exported.map(([name]) => name));
  const problems = exported.flatMap(([name, file]) => {
    if (name.includes("*")) return [`exports ${name}, and must list each module`];
    if (!existsSync(join(item.folder, file))) return [`exports ${file}, which does not exist`];
    return imported.has(name) ? [] : [`exports ${name}, which no other package imports`];
  });
  const unlisted = [...imported].filter((name) => !names.has(name));
  return [...problems, ...unlisted.map((name) => `does not export ${name}, which others import`)].map(
    (problem) => `${manifest} ${problem}`,
  );
}

/** The parts of a package that other packages import, as keys of its `exports`. */
function importedPaths({ name, folder }: Package): Set<string> {
  const others = files.filter((file) => !file.startsWith(join(folder, "/")));
  const specifiers = others.flatMap((file) => importsOf(file)).map(({ specifier }) => specifier);
  return new Set(
    specifiers
      .filter((specifier) => packageOf(specifier) === name)
      .map((specifier) => `.${specifier.slice(name.length)}`),
  );
}

/** `./testing/a` is a file of the tests, anything else one of the sources. */
function fileOf({ folder }: Package, name: string): string {
  const file = name.startsWith("./testing/") ? name.replace("testing", "test") : name.replace("./", "./src/");
  return existsSync(join(folder, `${file}.tsx`)) ? `${file}.tsx` : `${file}.ts`;
}

/** Relative imports that leave the package of their file. */
function findRelativeImports(file: string): string[] {
  const folder = folderOf(file);
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith(".") && !specifier.endsWith(".json"))
    .filter(({ specifier }) => !join(file, "..", specifier).startsWith(join(folder, "/")))
    .map(({ specifier }) => `${relative(root, file)}: ${specifier} is of another package; import it by name`);
}

function folderOf(file: string): string {
  const [first = "", second = ""] = relative(root, file).split("/");
  return first === "packages" || first === "apps" ? join(root, first, second) : join(root, first);
}
