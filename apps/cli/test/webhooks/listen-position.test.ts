import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PositionFile } from "../../src/webhooks/listen/position.ts";

const base_url = "http://127.0.0.1:3000";
const api_key = "ff_sk_confidential";
const POSITION = { after: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-position-"));
});

afterEach(() => rm(folder, { recursive: true }));

it("stores a position per key and service, readable only by its owner, without the key", async () => {
  const file = new PositionFile(folder, { base_url, api_key });
  await file.write({ created_after: "2026-11-20T09:30:00.000Z" });
  await file.write(POSITION);
  for (const other of [
    { base_url, api_key: `${api_key}x` },
    { base_url: `${base_url}/x`, api_key },
  ]) {
    expect(await new PositionFile(folder, other).read()).toBeNull();
  }
  expect(await new PositionFile(folder, { base_url, api_key }).read()).toEqual(POSITION);
  // No temporary file remains.
  expect(await readdir(join(folder, "listen"))).toHaveLength(1);
  expect(`${file.path} ${await readFile(file.path, "utf8")}`).not.toContain("confidential");
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "listen"))).mode & 0o777).toBe(0o700);
});

it.each(["", "{", "null", '{"after":1}', '{"before":"x"}'])(
  "rejects a file that contains %j",
  async (text) => {
    const file = new PositionFile(folder, { base_url, api_key });
    await file.write(POSITION);
    await writeFile(file.path, text);
    await expect(file.read()).rejects.toThrow(/ is damaged: delete it to start/);
  },
);
