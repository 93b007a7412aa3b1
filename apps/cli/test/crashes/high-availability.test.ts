import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { expect, inject, it } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const DRILL_MILLISECONDS = 40 * 60_000;
/** The exit code where packages or privileges are missing. */
const CANNOT_RUN = 3;

it.runIf(FULL_TESTS)(
  "loses, doubles and holds up nothing while parts of a highly available installation fail",
  { timeout: DRILL_MILLISECONDS },
  async ({ skip }) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "drill/main.ts", "--program", inject("program")],
      { cwd: fileURLToPath(ROOT), stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    await once(child, "close");
    console.log(output);
    skip(child.exitCode === CANNOT_RUN, output.trim());
    expect(output).not.toContain("missed");
    expect(child.exitCode).toBe(0);
  },
);

it("names each file and each failure on the page", async () => {
  const page = await readFile(new URL("docs/high-availability.md", ROOT), "utf8");
  const files = await readdir(new URL("deploy/ha", ROOT));
  const failures = await readFile(new URL("drill/failures.ts", ROOT), "utf8");
  const names = [...failures.matchAll(/^ {4}name: "([\w-]+)"/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of [...files, ...names]) expect(page).toContain(`\`${name}\``);
});
