import type { JobKind } from "./kind.ts";
import { affiliatesExport } from "./kinds/affiliates-export.ts";
import { affiliatesImport } from "./kinds/affiliates-import.ts";
import { commissionsExport } from "./kinds/commissions-export.ts";
import { ledgerCheck } from "./kinds/ledger-check.ts";
import { payoutsExport } from "./kinds/payouts-export.ts";

/** All kinds of jobs, by the names that rows have. */
export const JOB_KINDS = {
  affiliates_export: affiliatesExport,
  affiliates_import: affiliatesImport,
  commissions_export: commissionsExport,
  payouts_export: payoutsExport,
  ledger_check: ledgerCheck,
} satisfies Record<string, JobKind<object>>;

export type JobKinds = typeof JOB_KINDS;
export type JobKindName = keyof JobKinds;

/** What a job of this kind is started with. */
export type JobInput<Name extends JobKindName> = JobKinds[Name] extends JobKind<infer Input> ? Input : never;

export function isJobKind(name: string): name is JobKindName {
  return Object.hasOwn(JOB_KINDS, name);
}
