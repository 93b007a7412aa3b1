import type { Connection } from "../postgres/connect.ts";

/** A row that breaks a rule of the ledger. */
export interface LedgerFindingRow {
  rule: string;
  level: "damage" | "warning";
  /** The kind and id of the row. */
  subject: string;
  finding: string;
}

/** Appends findings of a check, the first one with the number `from`. */
export async function insertLedgerFindings(
  sql: Connection,
  organizationId: string,
  { job_id, from, rows }: { job_id: string; from: number; rows: readonly LedgerFindingRow[] },
): Promise<void> {
  const values = rows.map((row, index) => ({
    organization_id: organizationId,
    job_id,
    number: from + index,
    ...row,
  }));
  await sql`insert into ledger_findings ${sql(values)}`;
}

export async function listLedgerFindings(
  sql: Connection,
  organizationId: string,
  { job_id, limit }: { job_id: string; limit: number },
): Promise<LedgerFindingRow[]> {
  return await sql<LedgerFindingRow[]>`
    select rule, level, subject, finding from ledger_findings
    where organization_id = ${organizationId} and job_id = ${job_id}
    order by number limit ${limit}`;
}
