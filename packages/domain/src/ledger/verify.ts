import { type BrokenRow, findBroken, inSnapshot, ledger_checks } from "@findersfee/database/ledger/checks";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import { notFound } from "../errors.ts";

/** Default limit of reported rows per rule. */
const NAMED = 20;

/** A rule of the ledger, with the rows that break it. */
export interface CheckedRule {
  name: string;
  rule: string;
  level: "damage" | "warning";
  /** The number of rows that break it; the first of them are listed, or all. */
  found: number;
  rows: BrokenRow[];
}

/**
 * Checks every rule of the ledger, for one organization or for all (null). All reads use one snapshot, so concurrent
 * work does not look like damage, and they wait for no lock. For each rule, a limited number of broken rows is listed;
 * null: all of them.
 *
 * Errors: `not_found` for an unknown organization.
 */
export async function verifyLedger(
  database: Database,
  organization_id: string | null,
  { named = NAMED }: { named?: number | null } = {},
): Promise<CheckedRule[]> {
  if (organization_id !== null && (await findOrganization(database, organization_id)) === null) {
    throw notFound("organization");
  }
  return await inSnapshot(database, async (sql) => {
    const checked: CheckedRule[] = [];
    for (const check of ledger_checks) {
      const { name, rule, level } = check;
      checked.push({
        name,
        rule,
        level,
        ...(await findBroken(sql, organization_id, { check, limit: named })),
      });
    }
    return checked;
  });
}

/** Whether the rule is broken, as opposed to a warning. */
export function isDamaged(checked: readonly CheckedRule[]): boolean {
  return checked.some(({ level, found }) => level === "damage" && found > 0);
}
