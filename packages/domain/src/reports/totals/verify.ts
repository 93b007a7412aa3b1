import { inSnapshot } from "@findersfee/database/ledger/checks";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import { type BrokenTotalRow, findBrokenTotals } from "@findersfee/database/reports/totals/checks";
import { notFound } from "../../errors.ts";
import { listOrganizations } from "../../organizations/list.ts";

/** An hour or a day with totals that differ from the sum of its rows. */
export interface BrokenTotal extends BrokenTotalRow {
  organization_id: string;
}

/**
 * Compares the sealed totals of one organization, or of all (null), with the rows that they sum up. It waits for no lock,
 * and concurrent work does not look like damage. `limit`: of each organization; null: all.
 *
 * Errors: `not_found` for an unknown organization.
 */
export async function verifyTotals(
  database: Database,
  organization_id: string | null,
  { limit = null }: { limit?: number | null } = {},
): Promise<BrokenTotal[]> {
  if (organization_id !== null && (await findOrganization(database, organization_id)) === null) {
    throw notFound("organization");
  }
  const organizations =
    organization_id === null ? (await listOrganizations(database)).map(({ id }) => id) : [organization_id];
  const broken: BrokenTotal[] = [];
  for (const id of organizations) {
    const rows = await inSnapshot(database, (sql) => findBrokenTotals(sql, id, limit));
    broken.push(...rows.map((row) => ({ organization_id: id, ...row })));
  }
  return broken;
}
