import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { markdownName, pages } from "./pages.ts";

/**
 * The folder next to the bundled command that holds all files of `repositoryFiles` under their names there.
 */
export const PACKED_FOLDER = "docs-files";

const HERE = dirname(fileURLToPath(import.meta.url));

const OWN = [
  "copy.js",
  "docs.css",
  "docs.js",
  "document.css",
  "first.js",
  "icon.svg",
  "languages.js",
  "reference.css",
  "search.css",
  "search.js",
];

/** The assets that pages load. */
export const asset_names: readonly string[] = [...OWN, "minisearch.js"];

let folder: Map<string, string> | null | undefined;

/**
 * The path of a source file of the docs, by its name in `repositoryFiles`. In a packed service all files are
 * in one folder next to it; otherwise they are at their places in the repository.
 */
export function docsFile(name: string): string {
  const packed = join(HERE, PACKED_FOLDER);
  folder ??= existsSync(packed) ? null : repositoryFiles();
  return folder?.get(name) ?? join(packed, name);
}

/** Every source file of the docs: its name in a packed folder, and its path in the repository. */
export function repositoryFiles(): Map<string, string> {
  const root = join(HERE, "../../../..");
  // Browsers get the module build; Node resolves to the other one.
  const minisearch = join(dirname(createRequire(import.meta.url).resolve("minisearch")), "../es/index.js");
  return new Map([
    ...pages.map(({ slug, source }) => [markdownName(slug), join(root, source)] as const),
    ...OWN.map((name) => [name, join(HERE, "assets", name)] as const),
    ["minisearch.js", minisearch],
  ]);
}
