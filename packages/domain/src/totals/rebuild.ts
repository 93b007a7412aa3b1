import { type Database, transaction } from "@findersfee/database/connect";
import { lockTotalSeal } from "@findersfee/database/totals/seals";
import { notFound } from "../errors.ts";
import { sumUp } from "./sum-up.ts";

/**
 * Sums up all totals of an organization again, in one transaction: until its end, readers see the former ones. It reads
 * every row of the organization once.
 *
 * Errors: `not_found` for an unknown organization.
 */
export async function rebuildTotals(database: Database, organization_id: string): Promise<void> {
  await transaction(database, async (sql) => {
    const seal = await lockTotalSeal(sql, organization_id);
    if (seal === null) throw notFound("organization");
    await sumUp(sql, organization_id, { seal, is_new: true });
  });
}
