import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { expect, inject, it, onTestFinished } from "vitest";
import { outcomeOf } from "../deploy/files.ts";

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

it("has a patch for TLS that fits the files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-tls-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(fileURLToPath(new URL("deploy/ha", ROOT)), folder, { recursive: true });
  const patched = await outcomeOf(["git", "apply", "-p3", "tls.patch"], { cwd: folder });
  expect(patched).toEqual({ code: 0, output: "" });
  for (const name of ["etcd.env", "findersfee.env", "patroni.yml", "pgbouncer.ini", "haproxy.cfg"])
    expect(await readFile(join(folder, name), "utf8")).toContain("/etc/ssl/certs/findersfee-ca.crt");
  expect(await readFile(join(folder, "etcd.env"), "utf8")).not.toContain("http:");
  expect(await readFile(join(folder, "patroni.yml"), "utf8")).not.toMatch(/^ +- host /m);
});
