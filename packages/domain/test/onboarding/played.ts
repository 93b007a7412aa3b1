import type { Database } from "@findersfee/database/postgres/connect";
import type { Context } from "../../src/context.ts";
import { playSale, type TestSaleDependencies } from "../../src/onboarding/play-sale.ts";
import { createIntake } from "../../src/processors/intake/receive.ts";
import { openTracking } from "../../src/tracking/tracking.ts";
import { POLICY } from "../subscriber.ts";
import { processWebhooks } from "../work.ts";

const { secrets_key } = POLICY;

/** A process's dependencies for clicks and messages. */
export function openSales(database: Database): TestSaleDependencies {
  const notifyWorkers = () => {};
  return {
    secrets_key,
    tracking: openTracking({
      database,
      secrets_key,
      budgets_per_minute: { clicks: 0, signups: 0 },
      notifyWorkers,
    }),
    intake: createIntake(database, { secrets_key, notifyWorkers }),
  };
}

/** Plays a sale in a process of its own, and lets a worker decide it. */
export async function playDecided(context: Context, id: string, campaign_id?: string) {
  const sale = await playSale(context, openSales(context.database), { id, campaign_id });
  await processWebhooks(context.database, sale.organization.id);
  return sale.organization;
}

/** The number of rows that each table has of an organization, without empty ones. */
export async function rowsOf(database: Database, organization_id: string): Promise<Record<string, number>> {
  const tables = await database<{ name: string }[]>`
    select table_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'organization_id' and table_type = 'BASE TABLE'
    order by 1`;
  const counted: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database<[{ count: number }]>`
      select count(*)::int as count from ${database(name)} where organization_id = ${organization_id}`;
    if (row.count > 0) counted[name] = row.count;
  }
  return counted;
}
