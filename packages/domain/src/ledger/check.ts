import { findBroken, ledger_checks } from "@findersfee/database/ledger/checks";
import { insertLedgerFindings } from "@findersfee/database/ledger/findings";
import { z } from "zod";
import type { JobKind } from "../work/jobs/kind.ts";

/** Rows that a check names for each rule. */
const NAMED = 50;

export const LEDGER_RULES = ledger_checks.length;

/**
 * Checks the rules of the ledger, one in each step. A rule is one statement, so concurrent work does not look like damage.
 */
export const ledgerCheck: JobKind<object> = {
  input: z.strictObject({}),
  file: null,
  async step({ sql, job_id, organization, position, counts }) {
    const number = z.int().nullable().parse(position) ?? 0;
    const { damaged = 0, warnings = 0, named = 0 } = counts;
    const check = ledger_checks[number];
    if (check === undefined) return { position: null, done: number, counts };
    // The checks sum whole tables, which spills to disk with the default of 4 MB.
    await sql`set local work_mem = '64MB'`;
    const { rule, level } = check;
    const { found, rows } = await findBroken(sql, organization.id, { check, limit: NAMED });
    if (rows.length > 0) {
      await insertLedgerFindings(sql, organization.id, {
        job_id,
        from: named + 1,
        rows: rows.map(({ subject, finding }) => ({ rule, level, subject, finding })),
      });
    }
    const is_last = number + 1 >= ledger_checks.length;
    return {
      position: is_last ? null : number + 1,
      done: number + 1,
      total: ledger_checks.length,
      counts: {
        damaged: damaged + (level === "damage" ? found : 0),
        warnings: warnings + (level === "warning" ? found : 0),
        named: named + rows.length,
      },
    };
  },
};
