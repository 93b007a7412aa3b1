import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import { addEarner, type Earner, earn, makePayoutContext } from "@findersfee/domain/testing/ledger/program";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { afterEach, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { ArchivingPostgres, commandsOf, MISSING_TOOLS, settingsOf } from "./cluster.ts";

/*
 * Restores as docs/backups.md has it, with the page's own commands, and prints the figures that it has.
 */
const DRILL = FULL_TESTS && MISSING_TOOLS === null;
const TIMEOUT_MILLISECONDS = 600_000;

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Drill {
  postgres: ArchivingPostgres;
  environment: Environment;
  receiver: Receiver;
  database: Database;
  admin: Database;
  context: CreationContext;
  affiliate: Earner;
}

function open(url: string): Database {
  const database = connect({ url, poolSize: 3, prepare: false, name: "findersfee drill" });
  closing.push(() => database.end());
  return database;
}

/** A service with an archiving Postgres, an organization with an endpoint, and a receiver; no process runs. */
async function makeDrill(): Promise<Drill> {
  const postgres = await ArchivingPostgres.start();
  closing.push(() => postgres.close());
  const CONTINUITY_DIR = join(postgres.folder, "continuity");
  await mkdir(CONTINUITY_DIR);
  const environment = serviceEnvironment(postgres.url, {
    CONTINUITY_DIR,
    LOG_LEVEL: "fatal",
    // A restore within seconds finds leases of the workers before.
    WORKER_LEASE_SECONDS: "3",
  });
  await succeed("migrate", environment);
  const receiver = await Receiver.start();
  closing.push(() => receiver.close());
  const [database, admin] = [open(postgres.url), open(postgres.adminUrl)];
  const context = await makePayoutContext(database);
  const url = receiver.url();
  await succeed(`endpoint create --org ${context.organization.id} --url ${url}`, environment);
  const affiliate = await addEarner(context);
  return { postgres, environment, receiver, database, admin, context, affiliate };
}

async function sell({ context, affiliate }: Drill, sales: number): Promise<void> {
  for (let sale = 0; sale < sales; sale++) await earn(context, affiliate, { amount: 30 });
}

async function eventIds({ database }: Drill): Promise<string[]> {
  return (await database`select id from events order by id`).map(({ id }) => id);
}

/** Ends the current WAL segment, and waits until it is in the repository. */
async function archive({ admin }: Drill): Promise<void> {
  const [row] = await admin`select pg_walfile_name(pg_switch_wal()) as segment`;
  await eventually(async () => {
    const [archiver] = await admin`select last_archived_wal as segment from pg_stat_archiver`;
    expect(archiver?.segment >= row?.segment).toBe(true);
  });
}

/** Runs a command that must succeed. */
async function succeed(command: string, environment: Environment): Promise<string> {
  const { code, stdout, stderr } = await findersfee(command, environment);
  expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  return stdout;
}

/** Starts an api and a worker, and waits until the api is ready; returns what stops them. */
async function startService({ environment }: Drill): Promise<() => Promise<void>> {
  const [api, worker] = ["api", "worker"].map((command) => new CommandLine([command], environment));
  const stop = async () => {
    await Promise.all([api?.end("SIGTERM"), worker?.end("SIGTERM")]);
  };
  closing.push(stop);
  await worker?.says(/The worker is running/);
  const url = await api?.says(/served at (http:\S+)\/v1/);
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return stop;
}

/** The page's section "Check and start", and a sale whose event a receiver gets. Returns what stops the service. */
async function checkAndStart(drill: Drill, begun: number): Promise<() => Promise<void>> {
  const { environment, receiver } = drill;
  const commands = ["check", "continuity"].flatMap((remark) => commandsOf(remark).trim().split("\n"));
  for (const command of commands) {
    const { code, stderr } = await findersfee(command.replace("npx findersfee ", ""), environment);
    const has_lost = command.endsWith("verify continuity") && code === 1;
    expect({ command, code, stderr }).toEqual({ command, code: has_lost ? 1 : 0, stderr: "" });
  }
  const stop = await startService(drill);
  const ready = Date.now();
  const came = receiver.received.length;
  await sell(drill, 1);
  await receiver.has(came + 1);
  console.log(
    `ready ${ready - begun} ms after the restore began, first delivery after ${Date.now() - begun} ms`,
  );
  expect(await succeed("verify deliveries", environment)).toBe("Nothing is stuck.\n");
  return stop;
}

async function restoreFromArchive(drill: Drill, remark: string, target = ""): Promise<() => Promise<void>> {
  const begun = Date.now();
  await drill.postgres.follow(remark, (commands) => commands.replace("2026-01-31 12:00:00+00", target));
  await drill.postgres.follow("start-postgres");
  await drill.postgres.follow("recovered");
  return await checkAndStart(drill, begun);
}

/** A later second than the end of the last backup and of each change: pgBackRest knows ends of backups to the second. */
async function nextSecond({ database }: Drill): Promise<string> {
  const [now] = await database<[{ at: Date }]>`select clock_timestamp() as at`;
  return await eventually(async () => {
    const [clock] = await database<[{ second: string; is_later: boolean }]>`
      select date_trunc('second', clock_timestamp())::text as second,
        date_trunc('second', clock_timestamp()) > ${now.at} as is_later`;
    expect(clock.is_later).toBe(true);
    return clock.second;
  });
}

it.runIf(DRILL)(
  "restores to a point in time, delivers again, and names the events that are lost",
  async () => {
    const drill = await makeDrill();
    const { postgres, environment, receiver, context } = drill;
    const stop = await startService(drill);
    await sell(drill, 40);
    await receiver.has((await eventIds(drill)).length);
    const kept = await eventIds(drill);
    const target = await nextSecond(drill);
    await sell(drill, 7);
    const received = await eventIds(drill);
    await receiver.has(received.length);
    await stop();
    await postgres.follow("stop-postgres");
    await postgres.follow("set-folder-aside");
    await restoreFromArchive(drill, "restore-to-time", target);
    expect((await eventIds(drill)).slice(0, kept.length)).toEqual(kept);

    const file = join(postgres.folder, "received");
    await writeFile(file, receiver.ids().join("\n"));
    const compared = await findersfee(
      `feed compare --org ${context.organization.id} --ids ${file} --json`,
      environment,
    );
    expect(compared).toMatchObject({ code: 1, stderr: "" });
    const lost = compared.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lost.map(({ only, id }) => `${only} ${id}`)).toEqual(
      received.filter((id) => !kept.includes(id)).map((id) => `receiver ${id}`),
    );
  },
  TIMEOUT_MILLISECONDS,
);

/** Sells without a pause until the WAL goes on in another segment; returns each event with the time when it was acknowledged. */
async function sellUntilNextSegment(drill: Drill): Promise<{ id: string; at: number }[]> {
  const acknowledged: { id: string; at: number }[] = [];
  const segment = async () => {
    const [row] = await drill.admin`select pg_walfile_name(pg_current_wal_lsn()) as name`;
    return row?.name;
  };
  await archive(drill);
  await sell(drill, 1);
  const first = await segment();
  do {
    const id = await earn(drill.context, drill.affiliate, { amount: 30 });
    acknowledged.push({ id, at: Date.now() });
  } while ((await segment()) === first);
  return acknowledged;
}

it.runIf(DRILL).each([
  ["at most the changes of a minute", null],
  ["at most one segment of WAL, without archive_timeout,", 0],
] as const)(
  "loses %s with a disk",
  async (_, archive_timeout) => {
    const drill = await makeDrill();
    const { postgres, database, admin } = drill;
    if (archive_timeout !== null) {
      await admin.unsafe(`alter system set archive_timeout = ${archive_timeout}`);
      await admin`select pg_reload_conf()`;
    }
    const acknowledged = await sellUntilNextSegment(drill);
    const destroyed_at = Date.now();
    await postgres.destroy();
    await restoreFromArchive(drill, "restore");
    const stored = new Set((await database`select id from commissions`).map(({ id }) => id));
    const lost = acknowledged.filter(({ id }) => !stored.has(id));
    const milliseconds = destroyed_at - (lost[0]?.at ?? destroyed_at);
    console.log(`lost ${lost.length} of ${acknowledged.length} sales, of the last ${milliseconds} ms`);
    // Nothing in between is lost.
    expect(lost).toEqual(acknowledged.slice(acknowledged.length - lost.length));
    if (archive_timeout === null) expect(milliseconds).toBeLessThan(65_000);
  },
  TIMEOUT_MILLISECONDS,
);

it.runIf(DRILL)(
  "restores a dump into a new database, and delivers again",
  async () => {
    const drill = await makeDrill();
    const { postgres, receiver, admin } = drill;
    const stop = await startService(drill);
    await sell(drill, 40);
    const kept = await eventIds(drill);
    await receiver.has(kept.length);
    await postgres.follow("dump");
    await sell(drill, 7);
    await stop();
    // The drill's own connections; they are made again to the database that has the name then.
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'findersfee'`;
    const begun = Date.now();
    for (const remark of ["set-aside", "create", "restore-dump", "analyze"]) await postgres.follow(remark);
    await checkAndStart(drill, begun);
    const events = await eventIds(drill);
    expect(events.slice(0, kept.length)).toEqual(kept);
    expect(events).toHaveLength(kept.length + 1);
  },
  TIMEOUT_MILLISECONDS,
);

it("finds the settings and commands of the page", () => {
  const [pgbackrest, postgres] = settingsOf();
  expect(pgbackrest).toContain("pg1-path=/var/lib/postgresql/15/main");
  expect(postgres).toContain("archive_timeout = 60");
  const shell = ["dump", "set-aside", "create", "restore-dump", "analyze", "set-up", "stop-postgres"];
  const archived = ["set-folder-aside", "restore", "restore-to-time", "start-postgres", "recovered"];
  for (const remark of [...shell, ...archived, "check", "continuity", "deliveries"])
    expect(commandsOf(remark)).not.toBe("");
});
