import { connect, type Database } from "@findersfee/database/postgres/connect";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import {
  ENDPOINT_POLICY,
  QUIET,
  sharedTestService,
  startTestService,
  type TestService,
} from "../test-service.ts";
import {
  click,
  countedClicks,
  createTrackedProgram,
  newVisitor,
  post,
  storedClicks,
  type TrackedProgram,
} from "../tracking-program.ts";

/** A second process's server and pool on the same database. */
interface Second {
  url: string;
  database: Database;
  close(): Promise<void>;
}

let service: TestService;
let second: Second;
let program: TrackedProgram;

beforeAll(async () => {
  service = await sharedTestService();
  const database = connect({ url: service.database_url, poolSize: 5, prepare: true, name: "second" });
  second = { ...(await startApi(QUIET, database, { endpoint_policy: ENDPOINT_POLICY })), database };
});

afterAll(async () => {
  await second.close();
  await second.database.end();
  await service.close();
});

beforeEach(async () => {
  program = await createTrackedProgram(service);
});

/** Reports clicks on these codes through both processes concurrently; returns the click ids. */
async function clickTogether(
  tracked: { key: string; codes: string[] }[],
  { clicks, clients }: { clicks: number; clients: number },
): Promise<string[]> {
  const ids: string[] = [];
  let made = 0;
  const make = async () => {
    while (made < clicks) {
      const number = made++;
      const { key, codes } = tracked[number % tracked.length] ?? { key: "", codes: [] };
      const url = number % 3 === 0 ? second.url : service.url;
      const answer = await post(
        `${url}/track/click`,
        { key, code: codes[number % codes.length] },
        newVisitor(),
      );
      expect(answer.status).toBe(200);
      ids.push(answer.body.data.click_id);
    }
  };
  await Promise.all(Array.from({ length: clients }, make));
  return ids;
}

it("counts each click once across two processes, for few affiliates of several organizations", async () => {
  const programs = [program, await createTrackedProgram(service), await createTrackedProgram(service)];
  for (const { organization } of programs) {
    await organization.trpc.affiliates.create.mutate({ email: "john@example.com", ref_code: "john" });
  }
  const tracked = programs.map(({ organization }) => ({
    key: organization.publishable_key,
    codes: ["jane", "john"],
  }));
  // Concurrent edits of the counted rows.
  let is_over = false;
  const edit = async () => {
    for (let turn = 0; !is_over; turn++) {
      const { organization, affiliate } = programs[turn % programs.length] ?? program;
      await organization.trpc.affiliates.update.mutate({ id: affiliate.id, details: `turn ${turn}` });
    }
  };
  const editing = edit();
  const ids = await clickTogether(tracked, { clicks: 1_500, clients: 48 });
  is_over = true;
  await editing;
  expect(new Set(ids).size).toBe(1_500);
  const stored: string[] = [];
  for (const item of programs) {
    const rows = await storedClicks(service.database, item);
    stored.push(...rows.map(({ id }) => id));
    for (const { id, clicks } of (await item.organization.trpc.affiliates.list.query({})).data) {
      expect(clicks).toBe(rows.filter(({ affiliate_id }) => affiliate_id === id).length);
    }
  }
  expect(stored.sort()).toEqual(ids.sort());
});

it("lets only clicks on a locked affiliate's link wait", async () => {
  const other = await createTrackedProgram(service);
  await click(program);
  const held = await holdTransaction(second.database);
  try {
    await held.sql`select from affiliates where id = ${program.affiliate.id} for no key update`;
    const waiting = Promise.all(Array.from({ length: 10 }, () => click(program, {}, newVisitor())));
    await awaitWaiting(service.database);
    const free = await Promise.all(Array.from({ length: 10 }, () => click(other, {}, newVisitor())));
    expect(free.map(({ status }) => status)).toEqual(free.map(() => 200));
    expect(await countedClicks(other)).toBe(10);
    expect(await countedClicks(program)).toBe(1);
    await held.commit();
    expect((await waiting).map(({ status }) => status)).toEqual(free.map(() => 200));
  } finally {
    await held.rollBack();
  }
  expect(await countedClicks(program)).toBe(11);
  expect(await storedClicks(service.database, program)).toHaveLength(11);
});

it("skips an affiliate banned while its clicks waited", async () => {
  await click(program);
  const held = await holdTransaction(second.database);
  await held.sql`update affiliates set banned = true where id = ${program.affiliate.id}`;
  const waiting = click(program, {}, newVisitor());
  await awaitWaiting(service.database);
  await held.commit();
  expect((await waiting).body.data.click_id).toBeNull();
  expect(await countedClicks(program)).toBe(1);
});

it("creates the month's partition if no worker has", async () => {
  // Other files need the partitions of the service that they share.
  const own = await startTestService();
  try {
    const { database } = own;
    const rows = await database<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'clicks'::regclass`;
    for (const { name } of rows) await database.unsafe(`drop table ${name}`);
    program = await createTrackedProgram(own);
    const answers = await Promise.all(Array.from({ length: 20 }, () => click(program, {}, newVisitor())));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await storedClicks(database, program)).toHaveLength(20);
    expect(await countedClicks(program)).toBe(20);
  } finally {
    await own.close();
  }
});

it("returns unavailable without the database, and counts acknowledged clicks", async () => {
  const away = connect({
    url: "postgres://nobody@127.0.0.1:9/none",
    poolSize: 1,
    prepare: true,
    name: "away",
  });
  const alone = await startApi(QUIET, away, { endpoint_policy: ENDPOINT_POLICY });
  try {
    const body = { key: program.organization.publishable_key, code: "jane" };
    const answer = await post(`${alone.url}/track/click`, body);
    expect([answer.status, answer.body.error.code]).toEqual([503, "unavailable"]);
  } finally {
    await alone.close();
    await away.end({ timeout: 0 });
  }
});
