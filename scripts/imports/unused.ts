import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { packages, programs, root, target } from "./packages.ts";

const NAMES =
  /(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from|\{([^{}]*)\}\s*=\s*\(?await import\(/g;
/** Imports of a whole module. */
const MODULE = /(?:\* as \w+ from\s*|\bimport\(\s*)"([^"]+)"/g;
const VALUE = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm;

/**
 * Exported functions, constants and classes of the sources that no other file imports. Types may be exported for their
 * readers. Published packages are for their users.
 */
export function findUnusedExports(): string[] {
  const all = [...packages.flatMap(({ files }) => files), ...programs];
  const texts = new Map(all.map((file) => [file, readFileSync(file, "utf8")]));
  const names = new Set([...texts.values()].flatMap(importedNames));
  const modules = new Set([...texts].flatMap(([file, text]) => importedModules(file, text)));
  return packages
    .filter(({ publishConfig }) => publishConfig === undefined)
    .flatMap(({ files }) => files)
    .filter((file) => relative(root, file).split("/")[2] === "src" && !modules.has(file))
    .flatMap((file) =>
      [...(texts.get(file) ?? "").matchAll(VALUE)]
        .map(([, name = ""]) => name)
        .filter((name) => !names.has(name))
        .map((name) => `${relative(root, file)}: nothing imports ${name}; do not export it`),
    );
}

function importedNames(text: string): string[] {
  return [...text.matchAll(NAMES)]
    .flatMap(([, named, awaited]) => (named ?? awaited ?? "").split(","))
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+|:/)[0] ?? "",
    );
}

function importedModules(from: string, text: string): string[] {
  return [...text.matchAll(MODULE)].flatMap(([, specifier = ""]) => target({ from, specifier }) ?? []);
}
