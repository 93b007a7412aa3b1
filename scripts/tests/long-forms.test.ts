import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** They configure where tests run, not how much they do. */
const OTHERS = ["CHROMIUM_PATH", "PATH", "TEST_DATABASE_URL", "WORKER_LOG", "FULL_TESTS"];

it("CONTRIBUTING lists every variable that makes tests longer", () => {
  const tests = execFileSync("git", ["ls-files", "apps/*/test/*.ts", "packages/*/test/*.ts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const sources = tests
    .trim()
    .split("\n")
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
  const read = sources.flatMap((text) =>
    [...text.matchAll(/(?:process\.env\.|extent\(")([A-Z_]+)/g)].map(([, name]) => name ?? ""),
  );
  const contributing = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const table = contributing.slice(
    contributing.indexOf("### Long forms"),
    contributing.indexOf("### Faults"),
  );
  const variables = [...new Set(read)].filter((name) => !OTHERS.includes(name));
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !table.includes(`\`${name}`))).toEqual([]);
});
