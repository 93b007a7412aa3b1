import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";

/** The areas of the product. Each floor has a folder or a file for each area that it has code for. */
const AREAS = [
  "organizations",
  "identity",
  "campaigns",
  "affiliates",
  "tiers",
  "tracking",
  "customers",
  "processors",
  "attribution",
  "commissions",
  "ledger",
  "payouts",
  "exchange-rates",
  "webhooks",
  "portal",
  "reports",
  "search",
  "mails",
  "work",
  "audit-log",
  "erasure",
  "onboarding",
];

/** The further parts of a floor, because all of its areas use them: folders and files directly in `src`. */
const FLOORS: Record<string, { folders: string[]; files: string[] }> = {
  "packages/contract": {
    folders: [],
    files: [
      "counted-rows",
      "currencies",
      "currency-decimals",
      "email-issue",
      "errors",
      "fields",
      "latin-letters",
      "messages",
      "pages",
      "parse-url",
      "read-only",
      "row-pages",
      "timestamps",
    ],
  },
  "packages/database": {
    folders: ["embedded", "postgres", "replicas", "schema"],
    files: [
      "history",
      "idempotency-keys",
      "migrations",
      "quotas",
      "readers",
      "rows",
      "secrets-key-check",
      "stored-secrets",
    ],
  },
  "packages/domain": {
    folders: ["caching", "continuity", "csv", "secrets"],
    files: [
      "abandon-secrets",
      "actor",
      "ban-affiliates",
      "context",
      "errors",
      "group-by",
      "host-record",
      "host-url",
      "idempotency",
      "ids",
      "id-text",
      "tallies",
      "job-kinds",
      "money",
      "pages",
      "people-with-text",
      "preview-change",
      "principal",
      "quotas",
      "record-proof",
      "require-affiliate",
      "row-counts",
      "row-pages",
      "shown-name",
      "transaction",
    ],
  },
  "apps/api": {
    folders: ["admission", "applications", "docs", "files", "openapi", "replicas", "rest", "trpc"],
    files: [
      "all-issues",
      "config",
      "context",
      "dashboard-router",
      "dashboard-url",
      "docs",
      "error-response",
      "errors",
      "health",
      "issues",
      "limit-heap",
      "limits",
      "metrics",
      "mount-surfaces",
      "not-found",
      "openapi",
      "prefers-html",
      "redirect-path",
      "protocol",
      "prune-idempotency-keys",
      "request-log",
      "rights",
      "router",
      "security-headers",
      "trace-requests",
      "server",
      "v1-router",
      "well-known",
    ],
  },
  "apps/worker": {
    folders: [],
    files: ["config", "consumers", "metrics", "run-retention", "tasks", "worker"],
  },
  "apps/cli": {
    folders: ["demo", "secrets", "service"],
    files: [
      "command-database",
      "config",
      "continuity",
      "main",
      "operator-context",
      "options",
      "print",
      "run",
    ],
  },
  "apps/dashboard": {
    folders: ["dialogs", "forms", "lists", "requests", "routes", "session", "shell"],
    files: ["application", "router"],
  },
  "apps/portal": {
    folders: ["language", "lists", "live", "requests", "session", "shell", "texts"],
    files: ["application", "loaded-screens", "router", "screens"],
  },
};

const README = "README.md";
const SOURCE = /\.tsx?$/;

/** Folders and files that are not of an area, folders with one file, and areas that the README does not name. */
export function checkAreas(): string[] {
  return [...Object.keys(FLOORS).flatMap(checkFloor), ...checkReadme()];
}

function checkFloor(floor: string): string[] {
  const { folders, files } = FLOORS[floor] ?? { folders: [], files: [] };
  const entries = readdirSync(join(root, floor, "src"), { withFileTypes: true });
  const named = (kind: "folder" | "file"): string[] =>
    entries
      .filter((entry) => (kind === "folder" ? entry.isDirectory() : SOURCE.test(entry.name)))
      .map(({ name }) => name.replace(/(\.test)?\.tsx?$/, ""));
  const [found_folders, found_files] = [named("folder"), named("file")];
  const strange = [
    ...found_folders.filter((name) => !AREAS.includes(name) && !folders.includes(name)),
    ...found_files.filter((name) => !AREAS.includes(name) && !files.includes(name)),
  ];
  const gone = [
    ...folders.filter((name) => !found_folders.includes(name)),
    ...files.filter((name) => !found_files.includes(name)),
  ];
  const twice = AREAS.filter((name) => found_folders.includes(name) && found_files.includes(name));
  return [
    ...strange.map((name) => `${floor}/src/${name} belongs to no area; scripts/imports/areas.ts lists them`),
    ...gone.map((name) => `${floor}/src/${name} is listed in scripts/imports/areas.ts but does not exist`),
    ...twice.map((name) => `${floor}/src has both a folder and a file named ${name}`),
    ...findLonelyFiles(join(floor, "src")),
  ];
}

/** Folders that contain one file: it belongs into their parent, under their name. */
function findLonelyFiles(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const lonely = entries.length === 1 && inner.length === 0;
  return [...(lonely ? [`${folder} has one file only`] : []), ...inner.flatMap(findLonelyFiles)];
}

/** The README shows the plan as one table: a row for each area, in this order, and a column for each floor. */
function checkReadme(): string[] {
  const text = readFileSync(join(root, README), "utf8");
  const rows = [...text.matchAll(/^\| `(?<area>[a-z-]+)` +\|(?<cells>.*)\|$/gm)].flatMap(({ groups }) => {
    const { area = "", cells = "" } = groups ?? {};
    const [, ...marks] = cells.split("|").map((cell) => cell.trim());
    return marks.length === Object.keys(FLOORS).length ? [{ area, marks }] : [];
  });
  const shown = rows.map(({ area }) => area);
  if (shown.join() !== AREAS.join())
    return [
      `${README} must have a row for each area, in the order of scripts/imports/areas.ts: ${AREAS.join(", ")}`,
    ];
  return rows.flatMap(({ area, marks }) =>
    Object.keys(FLOORS).flatMap((floor, index) => {
      const exists = ["", ".ts", ".tsx"].some((end) => existsSync(join(root, floor, "src", area + end)));
      if (exists === (marks[index] !== "")) return [];
      return [`${README} must ${exists ? "mark" : "not mark"} ${area} for ${floor}`];
    }),
  );
}
