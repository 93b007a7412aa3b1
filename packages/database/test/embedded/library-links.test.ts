import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { linkLibraries } from "../../src/embedded/library-links.ts";

const LIST = [
  { source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" },
  { source: "native/lib/libx.so.1.2", target: "native/lib/versions/libx.so" },
];

let native: string;

beforeEach(async () => {
  native = await mkdtemp(join(tmpdir(), "findersfee-links-"));
  await mkdir(join(native, "lib/versions"), { recursive: true });
  await writeFile(join(native, "lib/libx.so.1.2"), "x");
});

afterEach(() => rm(native, { recursive: true }));

it("creates the links that a package lists, also concurrently and repeatedly", async () => {
  await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(LIST));
  expect(await Promise.all([linkLibraries(native), linkLibraries(native)])).toEqual([true, true]);
  expect(await linkLibraries(native)).toBe(true);
  expect(await readlink(join(native, "lib/libx.so.1"))).toBe("libx.so.1.2");
  expect(await readFile(join(native, "lib/versions/libx.so"), "utf8")).toBe("x");
});

it("does nothing without a list", async () => {
  expect(await linkLibraries(native)).toBe(true);
});
