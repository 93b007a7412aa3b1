import { setTimeout as delay } from "node:timers/promises";
import { findBroken, ledger_checks } from "@findersfee/database/ledger/checks";
import {
  type CheckedLedger,
  checkQuietly,
  findUncheckedOrganization,
  recordCheckedLedger,
  recordUncheckedLedger,
} from "@findersfee/database/ledger/verifications";
import type { Database } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";

/** Each organization is checked once in this time: a night begins a little earlier or later than the last one. */
const REST_MILLISECONDS = 20 * 60 * 60 * 1000;
/** The next night goes on with the organizations that have waited longest. */
const NIGHT_MILLISECONDS = 3 * 60 * 60 * 1000;
/** Findings that are kept of an organization. */
const NAMED = 50;

export interface Night {
  /** Ends it between two rules. */
  signal: AbortSignal;
  now?: Date;
  night_milliseconds?: number;
  /** Runs the checks where it likes, such as on a standby; absent: on the database. */
  read?: ReadElsewhere | undefined;
}

export type ReadElsewhere = <Result>(check: (database: Database) => Promise<Result>) => Promise<Result>;

/**
 * The number of checked organizations, and of damaged ones among them. `failed`: organizations with an
 * incomplete check.
 */
export interface CheckedNight {
  checked: number;
  damaged: number;
  failed: number;
}

/**
 * Checks the ledgers of all organizations that were not checked within 20 hours: one statement at a time,
 * with a pause as long as each took, and for three hours at most. A rule is one statement, so concurrent work
 * does not look like damage. An interrupted check is repeated.
 *
 * @throws the error of an outage; the organization's check is repeated
 */
export async function verifyLedgersOfNight(
  database: Database,
  {
    signal,
    now = new Date(),
    night_milliseconds = NIGHT_MILLISECONDS,
    read = (check) => check(database),
  }: Night,
): Promise<CheckedNight> {
  const began = performance.now();
  const before = new Date(now.getTime() - REST_MILLISECONDS);
  const night: CheckedNight = { checked: 0, damaged: 0, failed: 0 };
  while (!signal.aborted && performance.now() - began < night_milliseconds) {
    const organization_id = await findUncheckedOrganization(database, before);
    if (organization_id === null) return night;
    const began_at = new Date(now.getTime() + performance.now() - began);
    try {
      const checked = await checkRules(read, organization_id, signal);
      if (checked === null) return night;
      await recordCheckedLedger(database, organization_id, { ...checked, began_at });
      night.checked += 1;
      if (checked.damaged > 0) night.damaged += 1;
    } catch (error) {
      if (isOutage(error)) throw error;
      // Such as a rule that reached its time limit: it must not keep the others from their checks.
      const reason = String(error).slice(0, 500);
      await recordUncheckedLedger(database, organization_id, { began_at, reason });
      night.failed += 1;
    }
  }
  return night;
}

/** All rules of one organization; null: it was interrupted. */
async function checkRules(
  read: ReadElsewhere,
  organization_id: string,
  signal: AbortSignal,
): Promise<CheckedLedger | null> {
  const checked: CheckedLedger = { rules: ledger_checks.length, damaged: 0, warnings: 0, findings: [] };
  for (const check of ledger_checks) {
    const { rule, level } = check;
    const began_at = performance.now();
    const limit = NAMED - checked.findings.length;
    const { found, rows } = await read((database) =>
      checkQuietly(database, (sql) => findBroken(sql, organization_id, { check, limit: Math.max(1, limit) })),
    );
    checked[level === "damage" ? "damaged" : "warnings"] += found;
    const findings = rows.slice(0, limit).map(({ subject, finding }) => ({ rule, level, subject, finding }));
    checked.findings.push(...findings);
    const took = performance.now() - began_at;
    await delay(took, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return null;
  }
  return checked;
}
