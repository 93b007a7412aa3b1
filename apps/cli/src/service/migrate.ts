import { borrowEmbedded } from "@findersfee/database/embedded/embedded";
import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printLine, printOne } from "../print.ts";
import { applyMigrations } from "./apply-migrations.ts";
import { Opened } from "./shutdown.ts";

export function addMigrate(program: Command): void {
  const command = program
    .command("migrate")
    .description("migrate the database's schema to this version")
    .addHelpText(
      "after",
      `
Several processes may run it at once; each migration is applied once. Processes of the version before go on
meanwhile, unless a migration says otherwise. A migration that does not get a table's lock within half a second
lets others go first, says whom it waits for, and is tried again for 10 minutes.

Example:
  DATABASE_URL=postgres://… findersfee migrate`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const applied = await migrateConfigured(readConfig());
    if (json) printOne({ applied }, { json });
    else printLine(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
  });
}

async function migrateConfigured(config: Config): Promise<string[]> {
  const opened = new Opened();
  try {
    return await applyMigrations(config, config.DATABASE_URL ?? (await borrow(config, opened)));
  } finally {
    await opened.close();
  }
}

async function borrow(config: Config, opened: Opened): Promise<string> {
  const { url, stop } = await borrowEmbedded(config.DATA_DIR);
  opened.add(stop);
  return url;
}
