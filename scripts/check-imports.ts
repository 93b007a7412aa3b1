/*
 * Checks that imports point one way, as the README's layout shows; that each package declares the packages that it imports, and no
 * others; that only packages/database uses the Postgres driver; that neither files nor folders import one
 * another in a circle; and that each package's `exports` lists the modules that others import, and no others. Prints each
 * problem, and then exits with 1.
 *
 * `pnpm imports --write` first rewrites the `exports` by the imports of other packages.
 */
import { isBuiltin } from "node:module";
import { relative } from "node:path";
import { checkAreas } from "./imports/areas.ts";
import { findCircles, findFolderCircles } from "./imports/circles.ts";
import { checkExports, writeExports } from "./imports/exports.ts";
import {
  type Import,
  imports,
  type Package,
  packageOf,
  packages,
  root,
  rootManifest,
} from "./imports/packages.ts";
import { findUnusedExports } from "./imports/unused.ts";

/** The packages that each package's sources may import. If a module is listed, only that part. */
const ALLOWED: Record<string, string[]> = {
  "@findersfee/contract": [],
  "@findersfee/log": [],
  "@findersfee/telemetry": ["@findersfee/database/postgres", "@findersfee/database/replicas"],
  "@findersfee/samples": [],
  "@findersfee/sdk": [],
  "@findersfee/tracker": [],
  // The report of performance is a component of both applications.
  "@findersfee/ui": [
    // Its types.
    "@findersfee/contract/campaigns/rules",
    "@findersfee/contract/currency-decimals",
    "@findersfee/contract/errors",
    "@findersfee/contract/reports/performance",
    "@findersfee/contract/reports/periods",
  ],
  // From the API only the types of its routers; from the contract only types and modules without zod.
  "@findersfee/dashboard": [
    "@findersfee/contract",
    "@findersfee/ui",
    "@findersfee/api/router",
    "@findersfee/api/identity/account/router",
  ],
  "@findersfee/portal": ["@findersfee/contract", "@findersfee/ui", "@findersfee/api/portal/router"],
  "@findersfee/database": ["@findersfee/contract"],
  "@findersfee/domain": ["@findersfee/contract", "@findersfee/database"],
  "@findersfee/api": [
    "@findersfee/contract",
    "@findersfee/log",
    "@findersfee/telemetry",
    "@findersfee/domain",
    // The script that it serves, as text.
    "@findersfee/tracker/build",
    // The operations belong to the domain; the server only holds the pool and monitors it.
    "@findersfee/database/postgres/connect",
    "@findersfee/database/postgres/clock",
    "@findersfee/database/postgres/errors",
    "@findersfee/database/postgres/interest",
    "@findersfee/database/postgres/tracer",
    "@findersfee/database/replicas",
    "@findersfee/database/postgres/outage-guard",
    "@findersfee/database/schema/check",
    "@findersfee/database/migrations",
  ],
  "@findersfee/worker": [
    "@findersfee/contract",
    "@findersfee/telemetry",
    "@findersfee/database",
    "@findersfee/domain",
  ],
  findersfee: [
    "@findersfee/contract",
    "@findersfee/log",
    "@findersfee/telemetry",
    "@findersfee/database",
    "@findersfee/domain",
    "@findersfee/api",
    "@findersfee/worker",
    // The screens that it serves, built.
    "@findersfee/dashboard/build",
    "@findersfee/portal/build",
    // The demo sends Stripe's events.
    "@findersfee/samples",
    // `listen` is a client of the service like any other.
    "@findersfee/sdk",
  ],
};

/** Declared without an import: to select the version of a library's dependency, or for stylesheets. */
const UNIMPORTED = ["zod-openapi", "tailwindcss", "@fontsource-variable/inter"];

/** Libraries that belong to one package, and packages that may import only these. */
const OWNED: Record<string, string> = { postgres: "@findersfee/database" };
const ONLY: Record<string, string[]> = {
  "@findersfee/contract": ["zod"],
  "@findersfee/sdk": ["@noble/hashes"],
};

if (process.argv.includes("--write")) writeExports();
const problems = [
  ...packages.flatMap(checkPackage),
  ...findCircles(),
  ...findFolderCircles(),
  ...checkExports(),
  ...findUnusedExports(),
  ...checkAreas(),
];

for (const problem of problems) console.error(problem);
if (problems.some((problem) => problem.includes("export")))
  console.error("`pnpm imports --write` lists the modules that others import.");
process.exitCode = problems.length > 0 ? 1 : 0;

function checkPackage(checked: Package): string[] {
  const found = checked.files
    .flatMap((file) => imports.get(file) ?? [])
    .filter(({ specifier }) => !specifier.startsWith(".") && !isBuiltin(specifier));
  const declared = Object.keys({ ...checked.dependencies, ...checked.devDependencies });
  const unused = declared.filter(
    (name) =>
      !UNIMPORTED.includes(name) && !found.some(({ specifier }) => packageOf(specifier) === typed(name)),
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
  const isTool = /^(scripts|test|gallery|vite\.config)\b|\.test\.tsx?$/.test(relative(importer.folder, from));
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
