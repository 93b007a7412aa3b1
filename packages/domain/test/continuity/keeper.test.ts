import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Memory } from "@findersfee/database/history";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Delivered, Journal, readJournal } from "../../src/continuity/journal.ts";
import { Keeper } from "../../src/continuity/keeper.ts";
import { readMemory } from "../../src/continuity/memory-file.ts";
import { newId } from "../../src/ids.ts";

let folder: string;
let lines: string[];
const log = { error: (_: object, message: string) => void lines.push(message) };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-keeper-"));
  lines = [];
});

afterEach(() => rm(folder, { recursive: true }));

const id = () => newId(new Date());
const delivered = (): Delivered => ({ organization_id: id(), event_id: id(), endpoint_id: id() });
const memory = (position: bigint): Memory => ({
  system_identifier: "1",
  timeline: 1,
  position,
  accepted_id: null,
  seen_at: new Date(),
  events: [{ organization_id: id(), event_id: id() }],
});

async function journaled(since: string | null = null): Promise<Delivered[]> {
  const all = [];
  for await (const each of readJournal(folder, since)) all.push(each);
  return all;
}

it("begins a file when one is full, and deletes the oldest of the folder", async () => {
  const journal = new Journal(folder, null, { file_bytes: 300, folder_bytes: 1_000 });
  const all = Array.from({ length: 30 }, delivered);
  for (const each of all) journal.append([each]);
  journal.close();
  const kept = await journaled();
  expect(kept).toEqual(all.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(3);
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await readFile(join(folder, name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_000 + 300);
});

it("reads what was delivered since an acceptance, and no cut line", async () => {
  const first = new Journal(folder, null);
  const [old, recent, cut] = [delivered(), delivered(), delivered()];
  first.append([old]);
  const accepted_id = id();
  first.begin(accepted_id);
  first.append([recent, cut]);
  first.close();
  const last = (await readdir(folder)).sort().at(-1) ?? "";
  await truncate(join(folder, last), (await readFile(join(folder, last))).length - 5);
  await appendFile(join(folder, "notes.txt"), "of somebody else");
  expect(await journaled(accepted_id)).toEqual([recent]);
  expect(await journaled()).toHaveLength(2);
});

it("goes on in another file when its own was deleted", async () => {
  const journal = new Journal(folder, null);
  journal.append([delivered()]);
  for (const name of await readdir(folder)) await rm(join(folder, name));
  const next = delivered();
  journal.append([next]);
  journal.close();
  expect(await journaled()).toEqual([next]);
});

it("reads what was known at a step back until that is forgotten", async () => {
  const keeper = new Keeper(folder, log);
  expect(await keeper.open()).toBeNull();
  const [alarm, other] = [memory(7n), memory(3n)];
  keeper.storeAlarm(alarm);
  keeper.store(other, other.events);
  await keeper.close();
  expect(await readMemory(folder)).toEqual(alarm);
  keeper.deleteAlarm();
  await keeper.close();
  expect(await readMemory(folder)).toEqual(other);
  expect(lines).toEqual([]);
});

it.each(["", "{", '{"timeline":1}', "\0\0\0"])("begins anew after a damaged file: %j", async (text) => {
  const first = new Keeper(folder, log);
  await first.open();
  const known = memory(3n);
  first.store(known, known.events);
  await first.close();
  await writeFile(join(folder, "history.json"), text);
  const next = new Keeper(folder, log);
  expect(await next.open()).toBeNull();
  expect(lines).toEqual([expect.stringContaining("damaged")]);
  expect(next.failedWrites).toBe(1);
  next.store(known, known.events);
  await next.close();
  expect(await readMemory(folder)).toEqual(known);
});

it("counts what it could not write, and goes on", async () => {
  const keeper = new Keeper(folder, log);
  await keeper.open();
  await rm(folder, { recursive: true });
  const known = memory(3n);
  keeper.store(known, known.events);
  keeper.append([delivered()]);
  await keeper.close();
  expect(keeper.failedWrites).toBe(2);
  const again = new Keeper(folder, log);
  await again.open();
  keeper.store(known, known.events);
  const sent = delivered();
  keeper.append([sent]);
  await keeper.close();
  expect(await readMemory(folder)).toEqual(known);
  expect(await journaled()).toEqual([sent]);
});

it("keeps nothing without a folder", async () => {
  const keeper = new Keeper(null, log);
  expect(await keeper.open()).toBeNull();
  keeper.store(memory(1n), []);
  keeper.append([delivered()]);
  await keeper.close();
  expect({ failed: keeper.failedWrites, files: await readdir(folder) }).toEqual({ failed: 0, files: [] });
});
