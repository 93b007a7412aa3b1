import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@findersfee/database/postgres/connect";
import { HistoryError } from "@findersfee/database/postgres/history-error";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { acceptContinuity, checkContinuity, listLostEvents } from "../../src/continuity/verify.ts";
import { createAcme, record, Watched } from "./watched.ts";

let postgres: OwnPostgres;
let folder: string;
let organization_id: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  await direct(async (sql) => {
    organization_id = await createAcme(sql);
  });
});

afterAll(() => postgres.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-continuity-"));
  closing.push(() => rm(folder, { recursive: true }));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** On a pool that nothing guards. */
async function direct<Result>(work: (sql: Database) => Promise<Result>): Promise<Result> {
  const sql = openPool(postgres.url, 1);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function watch(options: { kept?: string; reads?: boolean } = {}): Promise<Watched> {
  const watched = await Watched.open(postgres.url, { ...options, organization_id });
  closing.push(() => watched.close());
  return watched;
}

/** The server has lost the commits of `lost`. */
async function stepBack(lost: () => Promise<unknown>): Promise<void> {
  await postgres.end("SIGINT");
  await postgres.copyData();
  await postgres.startAgain();
  await lost();
  await postgres.end("SIGQUIT");
  await postgres.putCopyBack();
  await postgres.startAgain();
}

async function countEvents(): Promise<number> {
  return await direct(async (sql) => (await sql`select from events`).length);
}

it("holds the first write after a step back, lists what was delivered, and goes on once it is accepted", async () => {
  const process = await watch({ kept: folder });
  const kept = await countEvents();
  const lost: string[] = [];
  let is_over = false;
  const errors: unknown[] = [];
  const writer = async () => {
    while (!is_over) await process.commit().catch((error: unknown) => errors.push(error));
  };
  let writers: Promise<void>[] = [];
  await stepBack(async () => {
    await eventually(() => process.commit());
    for (let each = 0; each < 3; each++) lost.push(await process.commit());
    for (const id of lost) process.deliver(id);
    await process.checked();
    writers = Array.from({ length: 8 }, writer);
  });
  await eventually(() =>
    expect(errors.filter((error) => error instanceof HistoryError).length).toBeGreaterThan(20),
  );
  is_over = true;
  await Promise.all(writers);
  // No statement has changed anything, even if a write came first to the older database.
  expect(await countEvents()).toBe(kept);
  await expect(process.database.begin((sql) => sql`update event_clock set xid_offset = 0`)).rejects.toThrow();
  expect((await process.database`select id from organizations`).length).toBe(1);
  expect(process.continuity.stepBack?.reason).toMatch(/went back from position|do not exist/);
  expect(process.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  await direct(async (sql) => {
    expect((await checkContinuity(sql, folder)).step_back).not.toBeNull();
    const listed = [];
    for await (const { event_id } of listLostEvents(sql, { folder, since: null })) listed.push(event_id);
    expect(listed).toEqual(lost);
    await acceptContinuity(sql, { accepted_by: "jane", lost_events: listed.length });
  });
  await eventually(() => expect(process.continuity.stepBack).toBeNull());
  await process.commit();
  await process.checked();
  expect(process.continuity.stepBack).toBeNull();
  await direct(async (sql) => {
    const { step_back, accepted } = await checkContinuity(sql, folder);
    expect({ step_back, by: accepted?.accepted_by, events: accepted?.lost_events }).toEqual({
      step_back: null,
      by: "jane",
      events: 3,
    });
    for await (const event of listLostEvents(sql, { folder, since: accepted?.id ?? null })) {
      throw new Error(`listed ${event.event_id}, which was accepted`);
    }
  });
});

it("finds the loss although the database has grown beyond what was seen", async () => {
  await postgres.end("SIGINT");
  await postgres.copyData();
  await postgres.startAgain();
  await direct(async (sql) => {
    for (let each = 0; each < 200; each++) await record(sql, organization_id);
  });
  await postgres.end("SIGINT");
  await postgres.copyData("grown");
  await postgres.putCopyBack();
  await postgres.startAgain();
  const process = await watch({ reads: false });
  for (let each = 0; each < 3; each++) await process.commit();
  await process.checked();
  await process.checked();
  await postgres.end("SIGQUIT");
  await postgres.putCopyBack("grown");
  await postgres.startAgain();
  await eventually(() => expect(process.continuity.stepBack?.reason).toMatch(/do not exist/));
});

it("warns a process that starts after the step back, from the memory of the former one", async () => {
  const process = await watch({ kept: folder });
  await stepBack(async () => {
    await eventually(() => process.commit());
    for (let each = 0; each < 3; each++) await process.commit();
    await process.checked();
    await process.checked();
    await process.continuity.close();
  });
  await direct(async (sql) => {
    for (let each = 0; each < 200; each++) await record(sql, organization_id);
  });
  const next = await watch({ kept: folder, reads: false });
  expect(next.continuity.stepBack?.reason).toMatch(/Events that were committed do not exist/);
  await expect(next.database`select 1`).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" });
  await direct((sql) => acceptContinuity(sql, { accepted_by: "jane", lost_events: null }));
  await eventually(() => expect(next.continuity.stepBack).toBeNull());
});

it("passes a failover that lost nothing, and stops at one that lost transactions", async () => {
  const process = await watch();
  await process.commit();
  await process.checked();
  await postgres.end("SIGINT");
  await postgres.promoteAtStart();
  await postgres.startAgain();
  await eventually(() => process.commit());
  await process.checked();
  expect(process.continuity.stepBack).toBeNull();
  expect(process.lines).toEqual([]);

  await postgres.end("SIGINT");
  await postgres.copyData();
  await postgres.startAgain();
  await eventually(() => process.commit());
  await process.commit();
  await process.checked();
  await postgres.end("SIGQUIT");
  await postgres.putCopyBack();
  await postgres.promoteAtStart();
  await postgres.startAgain();
  await eventually(() => expect(process.continuity.stepBack).not.toBeNull());
  await expect(process.commit()).rejects.toMatchObject({ code: "HISTORY_UNKNOWN" });
  await direct((sql) => acceptContinuity(sql, { accepted_by: "jane", lost_events: null }));
  await eventually(() => process.commit());
});

it("passes crashes of the server under concurrent commits, also aborted ones", async () => {
  const process = await watch({ reads: false });
  let is_over = false;
  let committed = 0;
  const client = async () => {
    while (!is_over) {
      try {
        if (Math.random() < 0.25) {
          await process.database.begin(async (sql) => {
            await sql`select pg_current_xact_id()`;
            throw new Error("aborted");
          });
        } else {
          process.deliver(await process.commit());
          committed += 1;
        }
      } catch (error) {
        // The server is gone, or has just come back.
        if (!(error instanceof Error)) throw error;
      }
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (let crash = 0; crash < 3; crash++) {
    const before = committed;
    await eventually(() => expect(committed).toBeGreaterThan(before + 50));
    await postgres.end("SIGQUIT");
    await postgres.startAgain();
  }
  const before = committed;
  await eventually(() => expect(committed).toBeGreaterThan(before + 200));
  is_over = true;
  await Promise.all(clients);
  expect(process.lines).toEqual([]);
  expect(process.continuity.stepBack).toBeNull();
});
