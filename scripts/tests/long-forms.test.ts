import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** They configure where tests run, not how much they do. */
const OTHERS = ["CHROMIUM_PATH", "PATH", "TEST_DATABASE_URL", "WORKER_LOG", "FULL_TESTS", "LOADS_FILE"];

const EXTENT = /\bextent\("([A-Z_]+)", \{ short: ([\d_]+), full: ([\d_]+) \}\)/g;

const sources = execFileSync("git", ["ls-files", "apps/*/test/*.ts", "packages/*/test/*.ts"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));

const page = readFileSync(join(ROOT, "docs/contributing/testing.md"), "utf8");

/** The text of the page between two of its headings. */
function section(heading: string, next: string): string {
  const start = page.indexOf(`## ${heading}\n`);
  const end = page.indexOf(`## ${next}\n`);
  expect(
    [start, end - start].every((number) => number > 0),
    `${heading}, ${next}`,
  ).toBe(true);
  return page.slice(start, end);
}

it("the page on testing has both forms of each test", () => {
  const used = sources.flatMap(({ file, text }) =>
    [...text.matchAll(EXTENT)].map(([, name = "", short = "", full = ""]) =>
      [`\`${name}\``, short.replaceAll("_", ""), full.replaceAll("_", ""), `\`${file}\``].join(" "),
    ),
  );
  const rows = section("Only in test:all", "Other variables")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name, short, full, , file]) => [name, short, full, file].join(" "));
  expect(used.length).toBeGreaterThan(10);
  expect(rows.sort()).toEqual(used.sort());
});

it("the page on testing has every other variable that makes tests longer", () => {
  const read = sources.flatMap(({ text }) =>
    [...text.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = ""]) => name),
  );
  const variables = [...new Set(read)].filter((name) => !OTHERS.includes(name));
  const tables = section("Only in test:all", "Faults");
  expect(variables.length).toBeGreaterThan(4);
  expect(variables.filter((name) => !tables.includes(`\`${name}`))).toEqual([]);
});
