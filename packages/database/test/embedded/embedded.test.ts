import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clusterFolder } from "../../src/embedded/cluster.ts";
import { borrowEmbedded, findEmbedded, startEmbedded } from "../../src/embedded/embedded.ts";
import { EmbeddedError } from "../../src/embedded/error.ts";
import { findPostmaster } from "../../src/embedded/postmaster.ts";
import { connect } from "../../src/postgres/connect.ts";
import { eventually } from "../eventually.ts";
import { FULL_TESTS } from "../full-tests.ts";

const SETTINGS = { fsync: "off" };
/** How many services start on one folder at the same time. */
const AT_ONCE = FULL_TESTS ? 3 : 2;

const isRoot = process.getuid?.() === 0;
let folder: string;
let data_dir: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-embedded-"));
  await chmod(folder, 0o711);
});

// Most tests share one data folder, with Postgres stopped at the start of each.
beforeEach(() => {
  data_dir = join(folder, "data");
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

afterAll(() => rm(folder, { recursive: true }));

async function start() {
  const embedded = await startEmbedded({ data_dir, settings: SETTINGS });
  closers.push(embedded.stop);
  return embedded;
}

function query(url: string) {
  const sql = connect({ url, poolSize: 1, prepare: true, name: "test" });
  closers.push(() => sql.end({ timeout: 1 }));
  return sql;
}

interface Service {
  process: ChildProcess;
  /** The address of its Postgres, or why there is none. */
  output: string;
}

async function startService(): Promise<Service> {
  const script = fileURLToPath(new URL("embedded-service.ts", import.meta.url));
  const process_ = spawn(process.execPath, ["--import", "tsx", script, data_dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  closers.push(() => end(process_, "SIGTERM"));
  const [chunk] = await once(process_.stdout, "data");
  return { process: process_, output: String(chunk).trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

describe("startEmbedded", () => {
  it("runs Postgres 18 on the loopback interface with the same data and port after a restart", async () => {
    const first = await start();
    const sql = query(first.url);
    const [server] = await sql`
      select current_setting('server_version_num')::int / 10000 as version,
        current_setting('listen_addresses') as addresses, current_setting('data_checksums') as checksums`;
    expect(server).toEqual({ version: 18, addresses: "127.0.0.1", checksums: "on" });
    await sql`create table kept as select 1 as value`;
    await sql.end();
    await first.stop();
    expect(await findEmbedded(data_dir)).toBeNull();

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await findEmbedded(data_dir)).toBe(first.url);
    expect(await query(second.url)`select value from kept`).toEqual([{ value: 1 }]);
  });

  it("sorts by code point and folds Unicode case in any locale", async () => {
    const sql = query((await start()).url);
    const rows = await sql`
      select lower(word) as folded from unnest(array['z', 'É', 'a', 'B']) word order by word.word`;
    expect(rows.map(({ folded }) => folded)).toEqual(["b", "a", "z", "é"]);
  });

  it("requires a password that other users cannot read", async () => {
    const { url } = await start();
    expect((await stat(join(data_dir, "postgres.password"))).mode & 0o777).toBe(0o600);
    const wrong = new URL(url);
    wrong.password = "wrong";
    await expect(query(wrong.href)`select 1`).rejects.toThrow("password authentication failed");
  });

  it("rejects a second service on the folder without affecting the first", async () => {
    const { url } = await start();
    const sql = query(url);
    const [before] = await sql`select pg_postmaster_start_time()::text as time`;
    const second = await startService();
    expect(second.output).toMatch(/^Findersfee already runs on .*DATA_DIR to another folder\.$/);
    expect(await sql`select pg_postmaster_start_time()::text as time`).toEqual([before]);
  });

  it("gives a new folder to exactly one of several services that start at once", async () => {
    data_dir = join(folder, "new");
    const services = await Promise.all(Array.from({ length: AT_ONCE }, startService));
    const [url, ...others] = services
      .map(({ output }) => output)
      .filter((output) => output.startsWith("postgres://"));
    expect(others).toEqual([]);
    expect(services.filter(({ output }) => output.startsWith("Findersfee already runs"))).toHaveLength(
      AT_ONCE - 1,
    );
    expect(await query(url ?? "")`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it.runIf(FULL_TESTS)("keeps its lock when Postgres ends all sessions after a crash", async () => {
    const { url } = await start();
    const [backend] = await query(url)`select pg_backend_pid() as pid`;
    process.kill(backend?.pid, "SIGKILL");
    const probe = query(url);
    await eventually(async () => {
      const [row] = await probe`select pg_backend_pid() as pid`;
      expect(row?.pid).not.toBe(backend?.pid);
    });
    expect((await startService()).output).toMatch(/^Findersfee already runs/);
    expect(await probe`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it("takes over the Postgres of a killed service", async () => {
    const killed = await startService();
    await query(killed.output)`create table kept_by_killed as select 1 as value`;
    await closers.pop()?.();
    await end(killed.process, "SIGKILL");
    expect(await findEmbedded(data_dir)).toBe(killed.output);

    const { url } = await start();
    expect(await query(url)`select value from kept_by_killed`).toEqual([{ value: 1 }]);
  });

  it("waits for the server processes of a killed Postgres", async () => {
    const killed = await start();
    const [backend] = await query(killed.url)`select pg_backend_pid() as pid`;
    const postmaster = await findPostmaster(clusterFolder(data_dir));
    const refusals = async () =>
      (await readFile(join(data_dir, "postgres.log"), "utf8")).match(/pre-existing shared memory block/g)
        ?.length ?? 0;
    const before = await refusals();
    // A stopped process does not notice that Postgres is gone.
    process.kill(backend?.pid, "SIGSTOP");
    process.kill(postmaster?.pid ?? 0, "SIGKILL");
    await killed.ended;
    // Otherwise this process would take the service lock again as soon as Postgres is back.
    await killed.stop();
    const started = start();
    await eventually(async () => expect(await refusals()).toBeGreaterThan(before));
    process.kill(backend?.pid, "SIGCONT");
    expect(await query((await started).url)`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it.runIf(FULL_TESTS)("ignores a stale lock file with the id of another process", async () => {
    await (await start()).stop();
    const { uid, gid } = await stat(join(data_dir, "postgres"));
    const other = spawn("sleep", ["60"], { uid, gid });
    closers.push(() => end(other, "SIGKILL"));
    const lines = [other.pid, join(data_dir, "postgres"), 1, 5432, "", "127.0.0.1", "", "ready"];
    await writeFile(join(data_dir, "postgres", "postmaster.pid"), `${lines.join("\n")}\n`);
    expect(await findEmbedded(data_dir)).toBeNull();
    await expect(query((await start()).url)`select 1 as one`).resolves.toEqual([{ one: 1 }]);
  });

  it("ignores an empty lock file after a machine crash", async () => {
    await (await start()).stop();
    const lock = join(data_dir, "postgres", "postmaster.pid");
    await writeFile(lock, "");
    const long_ago = new Date(Date.now() - 60_000);
    await utimes(lock, long_ago, long_ago);
    await expect(query((await start()).url)`select 1 as one`).resolves.toEqual([{ one: 1 }]);
  });

  it("reports an unexpected end of Postgres", async () => {
    const { ended } = await start();
    const pid = Number((await readFile(join(data_dir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
    process.kill(pid, "SIGQUIT");
    await ended;
  });

  it.skipIf(!isRoot)("reports the folder that Postgres's user cannot enter", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    const failure = startEmbedded({ data_dir: join(closed, "data") });
    await expect(failure).rejects.toThrow(EmbeddedError);
    await expect(failure).rejects.toThrow(
      `so it runs as user postgres, who cannot enter ${closed}. Set DATA_DIR`,
    );
  });

  it("reports why Postgres did not start", async () => {
    await (await start()).stop();
    const version = join(data_dir, "postgres", "PG_VERSION");
    await writeFile(version, "17\n");
    closers.push(() => writeFile(version, "18\n"));
    await expect(start()).rejects.toThrow(/did not start: database files are incompatible with server/);
  });
});

describe("borrowEmbedded", () => {
  it("works beside a running service and leaves it running", async () => {
    const { url } = await start();
    const borrowed = await borrowEmbedded(data_dir);
    expect(borrowed).toMatchObject({ url, shared: true });
    await borrowed.stop();
    expect(await findEmbedded(data_dir)).toBe(url);
  });

  it("starts Postgres temporarily and waits for other users before stopping it", async () => {
    const first = await borrowEmbedded(data_dir);
    const second = await borrowEmbedded(data_dir);
    expect([first.shared, second.shared]).toEqual([false, true]);
    const sql = query(second.url);
    await sql`select 1`;
    const stopped = first.stop();
    const [row] = await sql`select 1 as one from pg_sleep(0.3)`;
    expect(row).toEqual({ one: 1 });
    await sql.end();
    await stopped;
    expect(await findEmbedded(data_dir)).toBeNull();
  });

  it("yields to a service", async () => {
    const borrowed = await borrowEmbedded(data_dir);
    const { url } = await start();
    await borrowed.stop();
    expect(await findEmbedded(data_dir)).toBe(url);
  });
});
