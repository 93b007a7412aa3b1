import type { DatabaseMachine } from "./database-machine.ts";
import type { Installation } from "./failures.ts";
import { commandsOf } from "./page.ts";
import { until } from "./wait.ts";

/** The time in the commands of the page. */
const EXAMPLE = "2026-01-31 12:00:00+00";
/** What `patronictl remove` asks for. */
const ANSWERS = "findersfee\\nYes I am aware\\n";

/**
 * Restores the database to the time after the last change of the service, with the commands of the page, and starts
 * the service again.
 */
export async function restore({ database, service }: Installation): Promise<void> {
  await service.stop();
  const primary = await database.primary();
  const target = await database.psql(
    primary,
    "select to_char(date_trunc('second', now() + interval '1 second') at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS+00')",
  );
  await until("the time is over", 10, async () =>
    (await database.psql(primary, `select now() > '${target}'`)) === "t" ? true : null,
  );
  // Without a later change, Postgres does not know that the archive has all up to the time.
  await database.psql(primary, "create table later ()");
  await restoreTo(target, database.machines, primary);
  await database.calm();
  const later = await database.psql(await database.primary(), "select to_regclass('later') is null");
  if (later !== "t") throw new Error("The restored database has a change that is later than the time.");
  for (const machine of service.machines) await machine.command("verify", "continuity");
  service.startAgain();
  for (const machine of database.machines) await machine.shell(await commandsOf("remove-folder"));
}

async function restoreTo(
  target: string,
  machines: readonly DatabaseMachine[],
  primary: DatabaseMachine,
): Promise<void> {
  const standbys = machines.filter((machine) => machine !== primary);
  for (const machine of [...standbys, primary]) await machine.stopPatroni();
  for (const machine of machines) await machine.shell(await commandsOf("set-folder-aside"));
  await primary.shell((await commandsOf("restore-to-time")).replace(EXAMPLE, target));
  await primary.shell(await commandsOf("recover"));
  await primary.shell(await commandsOf("remove-state"), ANSWERS);
  primary.startPatroni();
  await until("the restored machine is the primary", 120, async () =>
    (await primary.isPrimary()) ? true : null,
  );
  for (const machine of standbys) machine.startPatroni();
}
