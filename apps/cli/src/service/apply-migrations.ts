import { connect } from "@findersfee/database/postgres/connect";
import { describeBlockers } from "@findersfee/database/schema/blockers";
import { migrate } from "@findersfee/database/schema/migrate";
import { migrateQueue } from "@findersfee/database/work/queue";
import type { Config } from "../config.ts";
import { printNotice } from "../print.ts";
import { requirePrimary } from "./standby.ts";

/** Migrates the database's schema and its job queue to this version's; returns the names of the applied migrations. */
export async function applyMigrations(config: Config, url: string): Promise<string[]> {
  const direct_url = config.DATABASE_DIRECT_URL ?? url;
  const database = connect({
    url: direct_url,
    poolSize: 1,
    prepare: false,
    name: "findersfee migrate",
  });
  try {
    await requirePrimary(database);
    const applied = await migrate(database, undefined, {
      onWaiting: ({ name, blockers }) =>
        printNotice(`${name} is tried again: it waits for ${describeBlockers(blockers)}.`),
    });
    await migrateQueue(direct_url);
    return applied;
  } finally {
    await database.end({ timeout: 5 });
  }
}
