import type { Database } from "@findersfee/database/postgres/connect";
import { listProcessorsWithKey, type ProcessorRow } from "@findersfee/database/processors/processors";

const PAGE = 100;

/** Calls `work` for each connection to Stripe that has an API key, one after the other, until the signal aborts. */
export async function eachStripeAccount(
  database: Database,
  signal: AbortSignal,
  work: (row: ProcessorRow) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const rows = await listProcessorsWithKey(database, { name: "stripe", after, limit: PAGE });
    for (const row of rows) {
      if (signal.aborted) return;
      await work(row);
    }
    after = rows.at(-1)?.organization_id ?? null;
    if (rows.length < PAGE) return;
  }
}
