import { borrowEmbedded } from "@findersfee/database/embedded/embedded";
import { connect } from "@findersfee/database/postgres/connect";
import { migrate } from "@findersfee/database/schema/migrate";
import { migrateQueue } from "@findersfee/database/work/queue";
import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printLine, printOne } from "../print.ts";
import { Opened } from "./shutdown.ts";

export function addMigrate(program: Command): void {
  const command = program
    .command("migrate")
    .description("migrate the database's schema to this version")
    .addHelpText(
      "after",
      `
Several processes may run it at once; each migration is applied once.

Example:
  DATABASE_URL=postgres://… findersfee migrate`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const applied = await applyMigrations(readConfig());
    if (json) printOne({ applied }, { json });
    else printLine(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
  });
}

async function applyMigrations(config: Config): Promise<string[]> {
  const opened = new Opened();
  try {
    const url = config.DATABASE_URL ?? (await borrow(config, opened));
    const database = connect({ url, poolSize: 1, prepare: false, name: "findersfee migrate" });
    opened.add(() => database.end({ timeout: 5 }));
    const applied = await migrate(database);
    await migrateQueue(config.DATABASE_DIRECT_URL ?? url);
    return applied;
  } finally {
    await opened.close();
  }
}

async function borrow(config: Config, opened: Opened): Promise<string> {
  const { url, stop } = await borrowEmbedded(config.DATA_DIR);
  opened.add(stop);
  return url;
}
