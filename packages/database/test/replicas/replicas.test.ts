import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, type Database } from "../../src/postgres/connect.ts";
import { Interest } from "../../src/postgres/interest.ts";
import { currentPosition, FIRST_POSITION, type Position } from "../../src/replicas/position.ts";
import { Replicas } from "../../src/replicas/replicas.ts";
import { OwnPostgres, openPool } from "../own-postgres.ts";
import { OwnStandby } from "../own-standby.ts";

/** On a busy machine the process of a test stands still for seconds, and knows nothing newer of the servers. */
const MAX_LAG_SECONDS = 6;

let postgres: OwnPostgres;
let standby: OwnStandby;
let primary: Database;
let replicas: Replicas;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  standby = await OwnStandby.of(postgres);
  primary = openPool(postgres.url, 4);
  await primary`create table notes (id int primary key, text text)`;
  replicas = open({ url: standby.url });
});

afterAll(async () => {
  await replicas.end();
  await primary.end({ timeout: 1 });
  await standby.remove();
  await postgres.remove();
});

function open({ url, primary_url = postgres.url }: { url: string; primary_url?: string }): Replicas {
  return new Replicas({
    url,
    primary_url,
    pool: { poolSize: 4, prepare: true, name: "findersfee test" },
    statement_seconds: 30,
    max_lag_seconds: MAX_LAG_SECONDS,
  });
}

/** Which server answers a read. */
async function place(of: Replicas = replicas, after: Position = FIRST_POSITION): Promise<string> {
  return await of.read({ after, reader: "jane", primary }, async (database) => {
    const [{ is_standby }] = await database<
      [{ is_standby: boolean }]
    >`select pg_is_in_recovery() as is_standby`;
    return is_standby ? "standby" : "primary";
  });
}

async function isUsed(of: Replicas = replicas): Promise<void> {
  await expect.poll(() => of.report()[0]?.state).toBe("used");
}

/** The texts of notes, as a read finds them. */
async function notes(after: Position): Promise<string[]> {
  return await replicas.read({ after, reader: "jane", primary }, async (database) => {
    const rows = await database<{ text: string }[]>`select text from notes order by id`;
    return rows.map(({ text }) => text);
  });
}

describe("read replicas", () => {
  it("reads on the standby of an idle primary, which is never late", async () => {
    await isUsed();
    expect(await place()).toBe("standby");
    const before = replicas.reads.primary;
    const ends = performance.now() + (MAX_LAG_SECONDS + 1) * 1000;
    // Longer than the bound, without a write.
    do expect(await place()).toBe("standby");
    while (performance.now() < ends);
    expect(replicas.reads.primary).toBe(before);
  });

  it("shows writers their own write while the standby has not replayed it", async () => {
    await isUsed();
    await standby.pauseReplay();
    onTestFinished(() => standby.resumeReplay());
    await primary`insert into notes values (1, 'own')`;
    const after = await currentPosition(primary);
    expect(await notes(after)).toEqual(["own"]);
    expect(await notes(FIRST_POSITION)).toEqual([]);
    expect(replicas.fallbacks.get("own_write")).toBeGreaterThan(0);
    await standby.resumeReplay();
    await standby.catchUp();
    await expect.poll(() => place(replicas, after)).toBe("standby");
    expect(await notes(after)).toEqual(["own"]);
  });

  it("reads on the primary while the standby is late", async () => {
    await isUsed();
    await standby.pauseReplay();
    onTestFinished(() => standby.resumeReplay());
    await primary`insert into notes values (2, 'late')`;
    await expect.poll(() => replicas.report()[0]?.state).toBe("late");
    expect(replicas.report()[0]?.lag_seconds).toBeGreaterThan(MAX_LAG_SECONDS);
    expect(await place()).toBe("primary");
    await standby.resumeReplay();
    await isUsed();
    expect(await place()).toBe("standby");
  });

  async function removeNotesOnceRead(): Promise<void> {
    const reading = () =>
      standby.ask(
        (sql) => sql`select from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%'
          and pid <> pg_backend_pid()`,
      );
    await expect.poll(async () => (await reading()).length).toBe(1);
    await primary`delete from notes where id >= 100`;
    await primary`vacuum notes`;
  }

  it("repeats a read on the primary that the standby canceled for its replay", async () => {
    await isUsed();
    await primary`insert into notes select n, 'old' from generate_series(100, 200) n`;
    await standby.catchUp();
    const places: string[] = [];
    const read = replicas.read({ after: FIRST_POSITION, reader: "jane", primary }, (database) =>
      database.begin("isolation level repeatable read read only", async (sql) => {
        const [{ is_standby }] = await sql<
          [{ is_standby: boolean }]
        >`select pg_is_in_recovery() as is_standby`;
        await sql`select count(*) from notes`;
        places.push(is_standby ? "standby" : "primary");
        if (!is_standby) return "read";
        const reading = sql`select count(*), pg_sleep(60) from notes`.execute();
        // Postgres cancels it while it runs. Between statements, Postgres would close the connection.
        const [outcome] = await Promise.allSettled([reading, removeNotesOnceRead()]);
        if (outcome.status === "rejected") throw outcome.reason;
        throw new Error("the standby did not cancel it");
      }),
    );
    expect(await read).toBe("read");
    expect(places).toEqual(["standby", "primary"]);
    expect(replicas.fallbacks.get("conflict")).toBe(1);
  });

  it("repeats a read on the primary that fails on the standby alone", async () => {
    await isUsed();
    await standby.pauseReplay();
    onTestFinished(() => standby.resumeReplay());
    await primary`create table younger (id int)`;
    const rows = await replicas.read({ after: FIRST_POSITION, reader: "jane", primary }, (database) =>
      database`select * from younger`.then((found) => found.length),
    );
    expect(rows).toBe(0);
    expect(replicas.fallbacks.get("failed")).toBe(1);
  });

  it("does not repeat a read that nobody waits for", async () => {
    await isUsed();
    const interest = new Interest();
    let reads = 0;
    const read = replicas.read(
      { after: FIRST_POSITION, reader: "jane", primary, interest },
      async (database) => {
        reads += 1;
        if (reads === 1) interest.end();
        await interest.over(database)`select pg_sleep(60)`;
      },
    );
    await expect(read).rejects.toMatchObject({ code: "57014" });
    expect(reads).toBe(1);
  });

  it("reads on the primary at once when the standby stops, also what is under way", async () => {
    await isUsed();
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const under_way = replicas.read(
        { after: FIRST_POSITION, reader: "jane", primary },
        async (database) => {
          const [{ is_standby }] = await database<[{ is_standby: boolean }]>`
          select pg_is_in_recovery() as is_standby`;
          if (is_standby) await Promise.all([database`select pg_sleep(60)`, standby.end(signal)]);
          return is_standby;
        },
      );
      expect(await under_way).toBe(false);
      expect(replicas.report()[0]?.state).toBe("unreachable");
      expect(await place()).toBe("primary");
      await standby.start();
      await isUsed();
      expect(await place()).toBe("standby");
    }
  });

  it("reads on the primary when the standby stops answering, without an error", async () => {
    await isUsed();
    await standby.freeze();
    onTestFinished(() => standby.thaw());
    expect(await place()).toBe("primary");
    standby.thaw();
    await isUsed();
  });

  it("uses the next standby of several, and none of another database", async () => {
    const { host } = new URL(standby.url);
    const with_gone = standby.url.replace(host, `127.0.0.1:1,${host}`);
    const several = open({ url: with_gone });
    onTestFinished(() => several.end());
    await expect.poll(() => several.report().map(({ state }) => state)).toEqual(["unreachable", "used"]);
    for (const reader of ["jane", "joe", "ann"]) {
      expect(
        await several.read({ after: 0n, reader, primary }, async (database) => database !== primary),
      ).toBe(true);
    }
    const other = open({ url: standby.url.replace(/[^/]*$/, "postgres") });
    onTestFinished(() => other.end());
    await expect.poll(() => other.report()[0]?.state).toBe("other_database");
    expect(await place(other)).toBe("primary");
    const itself = open({ url: postgres.url });
    onTestFinished(() => itself.end());
    await expect.poll(() => itself.report()[0]?.state).toBe("not_standby");
  });

  it("needs no rights beyond those of the service's role", async () => {
    await primary.unsafe("create role plain login password 'plain'");
    await primary.unsafe("grant select on notes to plain");
    await standby.catchUp();
    const plain = (url: string) => url.replace(/\/\/[^@]*@/, "//plain:plain@");
    const own = open({ url: plain(standby.url), primary_url: plain(postgres.url) });
    onTestFinished(() => own.end());
    await isUsed(own);
  });
});

describe("a promoted standby", () => {
  it("answers no reads any more", async () => {
    const promoted = await OwnStandby.of(postgres);
    onTestFinished(() => promoted.remove());
    const own = open({ url: promoted.url });
    onTestFinished(() => own.end());
    await isUsed(own);
    await promoted.promote();
    await expect.poll(() => own.report()[0]?.state).toBe("not_standby");
    expect(await place(own)).toBe("primary");
    const spare = connect({ url: promoted.url, poolSize: 1, prepare: true, name: "findersfee test" });
    onTestFinished(() => spare.end());
  });
});
