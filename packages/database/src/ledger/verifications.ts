import type { Connection, Database, Transaction } from "../postgres/connect.ts";
import type { LedgerFindingRow } from "./findings.ts";

/** The last nightly check of an organization's ledger. */
export interface LedgerVerificationRow {
  organization_id: string;
  /** When it last began. */
  attempted_at: Date;
  /** When the last complete one began; null: none was completed. */
  checked_at: Date | null;
  rules: number;
  damaged: number;
  warnings: number;
  findings: LedgerFindingRow[];
  /** Why the last attempt was not completed. */
  reason: string | null;
}

/**
 * The organization that has waited longest for its check, without organizations with a check that began at or
 * after `before`.
 */
export async function findUncheckedOrganization(sql: Connection, before: Date): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select organization.id from organizations organization
    left join ledger_verifications verification on verification.organization_id = organization.id
    where verification.attempted_at is null or verification.attempted_at < ${before}
    order by verification.attempted_at nulls first, organization.id limit 1`;
  return row?.id ?? null;
}

/** Runs one rule's statement, read only, on one processor: others work at the same time. */
export async function checkQuietly<Result>(
  database: Database,
  check: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin("read only", async (sql) => {
    // Sums of whole tables spill to disk with the default of 4 MB.
    await sql`set local work_mem = '64MB'`;
    await sql`set local max_parallel_workers_per_gather = 0`;
    return await check(sql);
  })) as Result;
}

export type CheckedLedger = Pick<LedgerVerificationRow, "rules" | "damaged" | "warnings" | "findings">;

/** Records a complete check. */
export async function recordCheckedLedger(
  sql: Connection,
  organizationId: string,
  { began_at, rules, damaged, warnings, findings }: CheckedLedger & { began_at: Date },
): Promise<void> {
  const found = JSON.stringify(findings);
  await sql`
    insert into ledger_verifications (organization_id, attempted_at, checked_at, rules, damaged, warnings, findings)
    values (${organizationId}, ${began_at}, ${began_at}, ${rules}, ${damaged}, ${warnings}, ${found}::text::json)
    on conflict (organization_id) do update set attempted_at = excluded.attempted_at, checked_at = excluded.checked_at,
      rules = excluded.rules, damaged = excluded.damaged, warnings = excluded.warnings, findings = excluded.findings,
      reason = null`;
}

/** Records that a check was not completed; the last complete one stays. */
export async function recordUncheckedLedger(
  sql: Connection,
  organizationId: string,
  { began_at, reason }: { began_at: Date; reason: string },
): Promise<void> {
  await sql`
    insert into ledger_verifications (organization_id, attempted_at, reason)
    values (${organizationId}, ${began_at}, ${reason})
    on conflict (organization_id) do update set attempted_at = excluded.attempted_at, reason = excluded.reason`;
}

export async function findLedgerVerification(
  sql: Connection,
  organizationId: string,
): Promise<LedgerVerificationRow | null> {
  const [row] = await sql<LedgerVerificationRow[]>`
    select organization_id, attempted_at, checked_at, rules, damaged, warnings, findings, reason
    from ledger_verifications where organization_id = ${organizationId}`;
  return row ?? null;
}

/** All organizations' nightly checks. */
export interface VerificationState {
  /** Rows that break a rule, by the last complete checks. */
  damaged: number;
  warnings: number;
  /** The number of organizations with an incomplete last check. */
  failed: number;
  /** When the oldest of the last complete checks began, or an organization without one was created, as seconds since 1970; 0: none. */
  oldest: number;
}

export async function readVerificationState(sql: Connection): Promise<VerificationState> {
  const [row] = await sql<[VerificationState]>`
    select coalesce(sum(damaged), 0)::float8 as damaged, coalesce(sum(warnings), 0)::float8 as warnings,
      count(reason)::int as failed,
      coalesce(extract(epoch from min(coalesce(checked_at, organization.created_at))), 0)::float8 as oldest
    from organizations organization
    left join ledger_verifications verification on verification.organization_id = organization.id`;
  return row;
}
