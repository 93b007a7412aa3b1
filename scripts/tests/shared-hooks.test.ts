import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const HOOK = /^(?:before|after)(?:All|Each)\(/m;

it("no helper of tests registers a hook as it is loaded: files share processes, so only the first one would have it", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const helpers = files
    .split("\n")
    .filter((file) => /(?:^|\/)test\//.test(file) && !file.endsWith(".test.ts"));
  expect(helpers.length).toBeGreaterThan(100);
  expect(helpers.filter((file) => HOOK.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});
