import type { Connection, Database, Transaction } from "./connect.ts";
import type { LedgerCheck } from "./ledger-checks/check.ts";
import { commission_checks } from "./ledger-checks/commissions.ts";
import { entry_checks } from "./ledger-checks/entries.ts";
import { payout_checks } from "./ledger-checks/payouts.ts";

/** All that has to hold in the ledger. */
export const ledger_checks: readonly LedgerCheck[] = [
  ...entry_checks,
  ...commission_checks,
  ...payout_checks,
];

/** A row that breaks a rule. */
export interface BrokenRow {
  organization_id: string;
  /** Which row, by its kind and id. */
  subject: string;
  /** What it is instead of what it should be; amounts in minor units. */
  finding: string;
}

/** Runs `work` on one snapshot of the database: what is committed meanwhile is not seen. It can change nothing. */
export async function inSnapshot<Result>(
  database: Database,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin("isolation level repeatable read read only", async (sql) => {
    // Whole tables are added up: in the four megabytes of the default they go to disk and back.
    await sql`set local work_mem = '64MB'`;
    return await work(sql);
  })) as Result;
}

/** The first rows that break a rule, or all (null), and how many do. `organizationId` null: of all organizations. */
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
