import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { addEarner, earn, makePayoutContext } from "@findersfee/domain/testing/ledger/program";
import { afterEach, expect, it } from "vitest";
import { findersfee, serviceEnvironment } from "../command-line.ts";
import { ArchivingPostgres, MISSING_TOOLS, SETTINGS } from "./cluster.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(url: string): Database {
  return connect({ url, poolSize: 3, prepare: false, name: "findersfee drill" });
}

async function eventIds(database: Database): Promise<string[]> {
  return (await database`select id from events order by id`).map(({ id }) => id);
}

/** Ends the current WAL segment, and waits until it is in the repository. */
async function archive(database: Database): Promise<void> {
  const [row] = await database`select pg_walfile_name(pg_switch_wal()) as segment`;
  await eventually(async () => {
    const [archiver] = await database`select last_archived_wal as segment from pg_stat_archiver`;
    expect(archiver?.segment >= row?.segment).toBe(true);
  });
}

/** Runs a command that must succeed. */
async function succeed(command: string, environment: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await findersfee(command, environment);
  expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  return stdout;
}

/** Restores, starts, migrates and verifies, as docs/backups.md has it; prints how long it took. */
async function restore(
  postgres: ArchivingPostgres,
  environment: Record<string, string>,
  options: readonly string[],
): Promise<void> {
  const begun = Date.now();
  await postgres.pgbackrest("restore", ...options);
  await postgres.startAgain();
  const database = open(postgres.url);
  await eventually(async () => {
    expect([...(await database`select pg_is_in_recovery() as recovering`)]).toEqual([{ recovering: false }]);
  });
  await database.end();
  await succeed("migrate", environment);
  await succeed("verify ledger", environment);
  await succeed("secrets verify", environment);
  console.log(`restored and verified in ${Date.now() - begun} ms`);
}

// docs/backups.md has the commands and the figures.
it.runIf(FULL_TESTS && MISSING_TOOLS === null)(
  `restores a destroyed database to a point in time, and names the events that are lost${MISSING_TOOLS === null ? "" : ` (${MISSING_TOOLS})`}`,
  async () => {
    const postgres = await ArchivingPostgres.start();
    closing.push(() => postgres.close());
    const environment = serviceEnvironment(postgres.url);
    await succeed("migrate", environment);
    const database = open(postgres.url);
    closing.push(() => database.end());
    await claimDatabase(database, Buffer.from(environment.SECRETS_KEY ?? "", "base64"));
    const context = await makePayoutContext(database);
    const affiliate = await addEarner(context);
    for (let sale = 0; sale < 20; sale++) await earn(context, affiliate, { amount: 30 });
    await postgres.pgbackrest("backup", "--type=full");
    for (let sale = 0; sale < 20; sale++) await earn(context, affiliate, { amount: 30 });
    const kept = await eventIds(database);
    // pgBackRest knows the end of a backup to the second, and restores to later points only.
    const [backup] = await database<[{ ended_at: Date }]>`select clock_timestamp() as ended_at`;
    await eventually(async () => {
      const [clock] =
        await database`select date_trunc('second', clock_timestamp()) > ${backup.ended_at} as is_later`;
      expect(clock?.is_later).toBe(true);
    });
    const [point] = await database<[{ target: string }]>`select clock_timestamp()::text as target`;
    for (let sale = 0; sale < 7; sale++) await earn(context, affiliate, { amount: 30 });
    const received = await eventIds(database);
    await archive(database);
    await postgres.destroy();
    await restore(postgres, environment, [
      "--type=time",
      `--target=${point.target}`,
      "--target-action=promote",
    ]);
    expect(await eventIds(database)).toEqual(kept);

    const folder = await mkdtemp(join(tmpdir(), "findersfee-received-"));
    closing.push(() => rm(folder, { recursive: true }));
    const file = join(folder, "received");
    await writeFile(file, received.join("\n"));
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
    // Without a point in time, only changes that were not archived yet are lost: at most archive_timeout.
    for (let sale = 0; sale < 5; sale++) await earn(context, affiliate, { amount: 30 });
    await archive(database);
    const archived = await eventIds(database);
    for (let sale = 0; sale < 3; sale++) await earn(context, affiliate, { amount: 30 });
    await postgres.destroy();
    await restore(postgres, environment, []);
    expect(await eventIds(database)).toEqual(archived);
    await earn(context, affiliate, { amount: 30 });
    expect(await eventIds(database)).toHaveLength(archived.length + 1);
  },
  300_000,
);

it("restores with the settings and commands of the page", async () => {
  const page = await readFile(new URL("../../../../docs/backups.md", import.meta.url), "utf8");
  for (const text of [...SETTINGS, "--target-action=promote restore", "findersfee verify ledger"])
    expect(page).toContain(text);
});
