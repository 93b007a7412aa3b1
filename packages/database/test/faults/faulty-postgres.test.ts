import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Database, transaction } from "../../src/postgres/connect.ts";
import { eventually } from "../eventually.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { FaultyPostgres, failNth, failRandomly, type Plan } from "./faulty-postgres.ts";
import { FAULT_KINDS, FAULTS, type FaultKind, hangs } from "./kinds.ts";
import { seededRandom } from "./seeded-random.ts";

let test: TestDatabase;
let faulty: FaultyPostgres;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
  await test.database`create table facts (id int primary key)`;
});

afterAll(() => test.close());

beforeEach(async () => {
  await test.database`truncate facts`;
  faulty = await FaultyPostgres.before(test.url);
  database = connect({ url: faulty.url, poolSize: 1, prepare: true, name: "findersfee faulty test" });
});

afterEach(async () => {
  faulty.lift();
  await database.end({ timeout: 1 });
  await faulty.close();
});

async function facts(): Promise<number[]> {
  const rows = await test.database<{ id: number }[]>`select id from facts order by id`;
  return rows.map(({ id }) => id);
}

function insert(id: number): Promise<unknown> {
  return database`insert into facts values (${id})`.execute();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => "none",
    (error: { code?: string }) => String(error.code),
  );
}

/** The statement that begins so. */
function failOn(start: string, kind: FaultKind): Plan {
  return ({ sql }) => (sql.startsWith(start) ? kind : null);
}

/** Error codes of postgres.js for a connection that was closed, destroyed or reset. */
const CONNECTION_LOST = /^(CONNECTION_CLOSED|CONNECTION_DESTROYED|ECONNRESET)$/;

const KINDS = FAULT_KINDS.filter((kind) => !hangs(kind)).map((kind) => ({
  kind,
  took_effect: FAULTS[kind].moment === "after",
  code: codeOfFault(kind),
}));

function codeOfFault(kind: FaultKind): RegExp {
  const { outcome } = FAULTS[kind];
  return typeof outcome === "object" ? new RegExp(`^${outcome.error}$`) : CONNECTION_LOST;
}

describe.each(KINDS)("$kind", ({ kind, took_effect, code }) => {
  it("fails a statement, the first time and once it is prepared", async () => {
    for (const id of [1, 3]) {
      faulty.follow(failOn("insert", kind));
      expect(await codeOf(insert(id))).toMatch(code);
      faulty.lift();
      await insert(id + 1);
    }
    expect(await facts()).toEqual(took_effect ? [1, 2, 3, 4] : [2, 4]);
  });

  it("fails a statement of a transaction, which changes nothing", async () => {
    faulty.follow(failOn("insert", kind));
    const work = transaction(database, async (sql) => {
      await sql`insert into facts values (1)`;
    });
    expect(await codeOf(work)).toMatch(code);
    faulty.lift();
    await insert(2);
    expect(await facts()).toEqual([2]);
  });

  it("fails a commit", async () => {
    faulty.follow(failOn("commit", kind));
    const work = transaction(database, async (sql) => {
      await sql`insert into facts values (1)`;
    });
    expect(await codeOf(work)).toMatch(code);
    faulty.lift();
    await transaction(database, (sql) => sql`insert into facts values (2)`);
    await eventually(async () => expect(await facts()).toEqual(took_effect ? [1, 2] : [2]));
  });
});

it("ends the connection instead of failing a rollback", async () => {
  faulty.follow(failOn("rollback", "deadlock"));
  const work = transaction(database, () => Promise.reject(new Error("no")));
  expect(await codeOf(work)).toMatch(CONNECTION_LOST);
  expect(faulty.failed).toMatchObject([{ sql: "rollback", kind: "deadlock" }]);
});

it.each(["error_before", "error_after", "cut_before", "cut_after"] as const)(
  "fails the beginning of a session: %s",
  async (kind) => {
    faulty.follow(failNth(1, kind));
    const code = await codeOf(insert(1));
    expect(code).toMatch(/^(53300|57P01|CONNECTION_CLOSED|ECONNRESET|none)$/);
    expect(faulty.failed).toEqual([{ number: 1, sql: "connect", in_transaction: false, kind }]);
    await insert(2);
  },
);

it.each(["error_after", "cut_after"] as const)(
  "tells the client of it when the server has released its locks: %s",
  async (kind) => {
    await insert(1);
    for (let round = 0; round < 30; round++) {
      faulty.follow(failOn("select id", kind));
      const work = transaction(database, (sql) => sql`select id from facts for update`);
      expect(await codeOf(work)).toMatch(CONNECTION_LOST);
      expect(await test.database`select id from facts for update nowait`).toHaveLength(1);
    }
  },
);

describe("a call that hangs", () => {
  it.each(["hang_before", "hang_after"] as const)("goes on when the fault is lifted: %s", async (kind) => {
    await insert(1);
    faulty.follow(failNth(1, kind));
    let is_over = false;
    const hanging = insert(2).finally(() => {
      is_over = true;
    });
    await eventually(async () => expect(await facts()).toEqual(kind === "hang_after" ? [1, 2] : [1]));
    await eventually(() => expect(faulty.failed).toHaveLength(1));
    expect(is_over).toBe(false);
    faulty.lift();
    await hanging;
    await insert(3);
    expect(await facts()).toEqual([1, 2, 3]);
  });

  it("keeps its server session until the fault is lifted", async () => {
    await insert(1);
    faulty.follow(failOn("delete", "hang_after"));
    const hanging = codeOf(transaction(database, (sql) => sql`delete from facts`));
    const free = () => test.database`select id from facts for update skip locked`;
    await eventually(() => expect(faulty.hanging).toBe(1));
    await database.end({ timeout: 0 });
    expect(await hanging).toMatch(CONNECTION_LOST);
    expect(await free()).toHaveLength(0);
    faulty.lift();
    await eventually(async () => expect(await free()).toHaveLength(1));
  });
});

it("counts the calls of all connections in one order", async () => {
  const other = connect({ url: faulty.url, poolSize: 1, prepare: false, name: "findersfee other test" });
  faulty.follow(() => null);
  await insert(1);
  await other`select 1`;
  await transaction(database, (sql) => sql`select 2`);
  expect(faulty.calls).toBe(7);
  await other.end();
});

it("keeps client and server consistent after any fault", async () => {
  const kinds = FAULT_KINDS.filter((kind) => !hangs(kind));
  faulty.follow(failRandomly(seededRandom(20_261_122), { rate: 0.2, kinds }));
  const made: number[] = [];
  for (let id = 0; id < 150; id++) {
    const work =
      id % 2 === 0 ? insert(id) : transaction(database, (sql) => sql`insert into facts values (${id})`);
    if ((await codeOf(work)) === "none") made.push(id);
  }
  expect(faulty.failed.length).toBeGreaterThan(30);
  faulty.lift();
  await insert(150);
  const kept = new Set(await facts());
  expect(made.filter((id) => !kept.has(id))).toEqual([]);
  expect(kept.size).toBeLessThan(150);
});
