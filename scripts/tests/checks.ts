const TYPES = ["node_modules/typescript/bin/tsc"];
const LINT = ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"];
const IMPORTS = ["--import", "tsx", "scripts/check-imports.ts"];

/** Packages for browsers, which are checked with the types of a browser alone. */
const LIBRARIES = ["apps/dashboard", "apps/portal", "packages/sdk", "packages/tracker", "packages/ui"];

/**
 * The checks that a change needs, each as parameters of Node: lint of the changed files, types and imports if there are
 * modules or settings among them. `existing` are the changed files that were not deleted.
 */
export function checksOf(changed: readonly string[], existing: readonly string[]): string[][] {
  const checks: string[][] = [];
  const linted = changed.some((file) => file === "biome.json" || file.endsWith(".grit")) ? ["."] : existing;
  if (linted.length > 0) checks.push([...LINT, "--no-errors-on-unmatched", ...linted]);
  if (changed.some((file) => /\.([cm]?tsx?|json)$|^pnpm-/.test(file))) {
    checks.push([...TYPES, "--checkers", "2"], IMPORTS);
    const libraries = LIBRARIES.filter((folder) => changed.some((file) => file.startsWith(`${folder}/`)));
    checks.push(...libraries.map((folder) => [...TYPES, "-p", folder]));
  }
  return checks;
}
