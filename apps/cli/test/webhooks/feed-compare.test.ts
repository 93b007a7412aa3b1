import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withSortedIds } from "../../src/webhooks/sorted-ids.ts";
import { findersfee, serviceEnvironment } from "../command-line.ts";

let test: TestDatabase;
let folder: string;
let organization_id: string;

beforeEach(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "findersfee-feed-"));
  const organization = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  organization_id = (await createOrganization(test.database, organization)).organization_id;
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await test.close();
});

async function makeEvents(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const created_at = new Date();
    const id = newId(created_at);
    await insertEvent(test.database, organization_id, {
      id,
      type: "commission.created",
      body: "{}",
      created_at,
    });
    ids.push(id);
  }
  return ids;
}

async function compare(lines: readonly string[], options = "") {
  const file = join(folder, "received.csv");
  await writeFile(file, lines.join("\n"));
  return await findersfee(
    `feed compare --org ${organization_id} --ids ${file} ${options}`.trim(),
    serviceEnvironment(test.url),
  );
}

it("lists the events that a restore lost, and those that the receiver lacks", async () => {
  const kept = await makeEvents(2500);
  const lost = [newId(new Date()), newId(new Date(Date.now() + 1000))];
  const lacking = [kept[7], kept[1500], kept[2499]];
  const received = [...kept.filter((id) => !lacking.includes(id)), ...lost].reverse();
  const expired = newId(new Date(Date.now() - 91 * 24 * 60 * 60 * 1000));
  const lines = [
    "id,time",
    ...received.map((id) => `${id.toUpperCase()},${new Date().toISOString()}`),
    expired,
  ];
  const { code, stdout, stderr } = await compare([...lines, kept[3] ?? ""], "--json");
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const differences = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(differences.filter(({ only }) => only === "database").map(({ id }) => id)).toEqual(lacking);
  expect(differences.filter(({ only }) => only === "receiver").map(({ id }) => id)).toEqual(lost);

  expect(await compare(kept)).toMatchObject({
    code: 0,
    stdout: "0 events are lost here, and 0 are missing at the receiver.\n",
  });
  expect(await compare(kept.slice(0, 2499), "--types affiliate.created")).toMatchObject({ code: 0 });
});

it("compares from a time on, also with a receiver that has nothing", async () => {
  await makeEvents(1);
  const since = new Date(Date.now() + 5).toISOString();
  await expect.poll(() => Date.now() > Date.parse(since)).toBe(true);
  const [id] = await makeEvents(1);
  const { code, stdout } = await compare([], `--since ${since}`);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(`missing at the receiver: ${id}`),
  });
  expect(stdout).toContain("0 events are lost here, and 1 are missing");
});

it("refuses a line without an id", async () => {
  expect(await compare([randomUUID(), "evt_1"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--ids: Line 2 does not begin with the id of an event."),
  });
});

it("sorts more ids than it holds", async () => {
  const file = join(folder, "ids");
  const ids = Array.from({ length: 1000 }, () => randomUUID());
  await writeFile(file, `${ids.join("\r\n")}\r\n`);
  const sorted = await withSortedIds(file, collect, { chunk: 64 });
  expect(sorted).toEqual([...ids].sort());
});

async function collect(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all;
}
