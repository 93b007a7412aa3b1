import type { Connection, Database, Transaction } from "../postgres/connect.ts";
import type { LedgerCheck } from "./checks/check.ts";
import { commission_checks } from "./checks/commissions.ts";
import { decision_checks } from "./checks/decisions.ts";
import { entry_checks } from "./checks/entries.ts";
import { payment_checks } from "./checks/payments.ts";
import { payout_checks } from "./checks/payouts.ts";
import { recruit_checks } from "./checks/recruits.ts";

/** All rules that `verify ledger` checks. */
export const ledger_checks: readonly LedgerCheck[] = [
  ...entry_checks,
  ...commission_checks,
  ...recruit_checks,
  ...payout_checks,
  ...payment_checks,
  ...decision_checks,
];

/** A row that violates a rule. */
export interface BrokenRow {
  organization_id: string;
  /** The kind and id of the row. */
  subject: string;
  /** The actual and the expected value; amounts in minor units. */
  finding: string;
}

/** Runs `work` on one snapshot of the database, read only: transactions that commit during `work` are invisible. */
export async function inSnapshot<Result>(
  database: Database,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin("isolation level repeatable read read only", async (sql) => {
    // The checks sum whole tables, which spills to disk with the default of 4 MB.
    await sql`set local work_mem = '64MB'`;
    return await work(sql);
  })) as Result;
}

/**
 * Returns the first rows that violate a rule, or all (null), and their number. `organizationId` null: all
 * organizations.
 */
export async function findBroken(
  sql: Connection,
  organizationId: string | null,
  { check, limit }: { check: LedgerCheck; limit: number | null },
): Promise<{ found: number; rows: BrokenRow[] }> {
  const text = `
    select organization_id, subject, finding, (count(*) over ())::int as found
    from (${check.text}) as broken
    order by organization_id, subject limit ${limit ?? "all"}`;
  const rows = await sql.unsafe<(BrokenRow & { found: number })[]>(
    text.replaceAll(":organization_id", "$1"),
    [organizationId],
  );
  return { found: rows[0]?.found ?? 0, rows: rows.map(({ found: _, ...row }) => row) };
}
