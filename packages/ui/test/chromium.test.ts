import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXECUTABLE, has_chromium, without_chromium } from "./chromium.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-chromium-"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await rm(folder, { recursive: true });
});

/** A program that crashes like Chromium at its first starts, and otherwise is Chromium. Each start adds a line to a file. */
async function crashing(starts: number): Promise<string> {
  const path = join(folder, "chromium");
  const log = join(folder, "starts");
  const crash = `if [ "$(wc -l < "${log}")" -le ${starts} ]; then echo "Segmentation fault" >&2; exit 139; fi`;
  await writeFile(path, `#!/bin/sh\necho start >> "${log}"\n${crash}\nexec "${EXECUTABLE}" "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

async function countStarts(): Promise<number> {
  return (await readFile(join(folder, "starts"), "utf8")).trim().split("\n").length;
}

/** Launches the browser at a path, with a copy of the module that reads it. */
async function launchAt(path: string) {
  vi.stubEnv("CHROMIUM_PATH", path);
  vi.resetModules();
  const { launchChromium } = await import("./chromium.ts");
  return await launchChromium();
}

describe.skipIf(!has_chromium)(`Chromium${without_chromium}`, () => {
  it("is started once more if it crashed at its start", async () => {
    const browser = await launchAt(await crashing(1));
    expect(browser.version()).toMatch(/^\d+\./);
    await browser.close();
    expect(await countStarts()).toBe(2);
  });

  it("fails if it crashes again", async () => {
    await expect(launchAt(await crashing(9))).rejects.toThrow("Segmentation fault");
    expect(await countStarts()).toBe(2);
  });

  it("fails at once if it does not run", async () => {
    await writeFile(join(folder, "chromium"), '#!/bin/sh\necho start >> "$(dirname "$0")/starts"\nexit 1\n');
    await chmod(join(folder, "chromium"), 0o755);
    await expect(launchAt(join(folder, "chromium"))).rejects.toThrow();
    expect(await countStarts()).toBe(1);
  });
});
