import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { beginRebuild } from "@findersfee/database/reports/totals/rebuilds";
import { lockTotalSeal } from "@findersfee/database/reports/totals/seals";
import { notFound } from "../../errors.ts";
import { takeTotalStep } from "./step.ts";

/**
 * Sums up all totals of an organization again, in parts, each in its own transaction: until the last one, readers see the
 * former totals. It reads every row of the organization once. If it stops before the end, a worker continues, or the next
 * call begins again.
 *
 * Errors: `not_found` for an unknown organization.
 *
 * @param rows the limit of rows of each table in a part; one hour can have more
 */
export async function rebuildTotals(
  database: Database,
  organization_id: string,
  { rows }: { rows?: number } = {},
): Promise<void> {
  await transaction(database, async (sql) => {
    const seal = await lockTotalSeal(sql, organization_id);
    if (seal === null) throw notFound("organization");
    await beginRebuild(sql, organization_id, seal);
  });
  let has_more = true;
  while (has_more) {
    has_more = await transaction(database, async (sql) => {
      const seal = await lockTotalSeal(sql, organization_id);
      if (seal === null) throw notFound("organization");
      return await takeTotalStep(sql, organization_id, { seal, ...(rows !== undefined && { rows }) });
    });
  }
}
