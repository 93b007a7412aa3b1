import type { Database } from "@findersfee/database/connect";
import { type BrokenRow, findBroken, inSnapshot, ledger_checks } from "@findersfee/database/ledger-checks";
import { findOrganization } from "@findersfee/database/organizations";
import { notFound } from "../errors.ts";

/** How many rows are named that break the same rule, if nothing else is said. */
const NAMED = 20;

/** A rule of the ledger, and what was found to break it. */
export interface CheckedRule {
  name: string;
  rule: string;
  level: "damage" | "warning";
  /** How many rows break it; the first of them are named, or all. */
  found: number;
  rows: BrokenRow[];
}

/**
 * Checks all that has to hold in the ledger, of one organization or of all (null). Everything is read as it was
 * at one moment, so that work going on meanwhile does not look like damage, and waits for nothing. Of each rule's broken
 * rows so many are named; null: all of them.
 *
 * Errors: `not_found` for an organization that there is not.
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

/** Whether a rule is broken, other than that somebody should have a look. */
export function isDamaged(checked: readonly CheckedRule[]): boolean {
  return checked.some(({ level, found }) => level === "damage" && found > 0);
}
