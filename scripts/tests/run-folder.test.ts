import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "findersfee-runs-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const MODULE = `${import.meta.dirname}/run-folder.ts`;

/** Runs a program that creates its folder, and returns the program's id and its output. */
function run(ending: string): { id: number; output: string } {
  const source = `
    import { createRunFolder } from ${JSON.stringify(MODULE)};
    import { writeFileSync } from "node:fs";
    const folder = createRunFolder(${JSON.stringify(parent)});
    writeFileSync(folder + "/file", "");
    console.log(folder);
    ${ending}`;
  const program = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", source], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  return { id: program.pid, output: program.stdout.trim() + program.stderr.trim() };
}

describe("the folder of a run", () => {
  it("is removed when the run ends", () => {
    const { id, output } = run("");
    expect(output).toBe(join(parent, `findersfee-run-${id}`));
    expect(readdirSync(parent)).toEqual([]);
  });

  it("is removed by the next run if its own was killed", () => {
    const { id } = run("process.kill(process.pid, 'SIGKILL');");
    expect(readdirSync(parent)).toEqual([`findersfee-run-${id}`]);
    run("");
    expect(readdirSync(parent)).toEqual([]);
  });

  it("stays while its run goes on, as do other folders", () => {
    const running = join(parent, `findersfee-run-${process.pid}`);
    const other = join(parent, "findersfee-run-of-somebody");
    for (const folder of [running, other]) mkdirSync(folder);
    writeFileSync(join(running, "file"), "");
    expect(run("").output).toContain(parent);
    expect(existsSync(join(running, "file"))).toBe(true);
    expect(existsSync(other)).toBe(true);
  });
});
