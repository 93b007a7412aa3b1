import { affiliatesExport } from "./affiliates/export.ts";
import { affiliatesImport } from "./affiliates/import/job.ts";
import { backtest } from "./attribution/backtest/job.ts";
import { paymentsExport } from "./attribution/export.ts";
import { commissionsExport } from "./commissions/export.ts";
import { claimsExport } from "./customers/claims/export.ts";
import { referralsExport } from "./customers/referrals/export.ts";
import { adjustmentsExport } from "./ledger/adjustments/export.ts";
import { ledgerCheck } from "./ledger/check.ts";
import { payoutsExport } from "./payouts/export.ts";
import { deliveriesExport } from "./webhooks/deliveries/export.ts";
import { eventsExport } from "./webhooks/events/export.ts";
import { auditLogExport } from "./work/audit-log-export.ts";
import type { JobKind } from "./work/jobs/kind.ts";

/** All kinds of jobs, by the names that rows have. */
export const JOB_KINDS = {
  adjustments_export: adjustmentsExport,
  affiliates_export: affiliatesExport,
  affiliates_import: affiliatesImport,
  audit_log_export: auditLogExport,
  backtest,
  claims_export: claimsExport,
  commissions_export: commissionsExport,
  deliveries_export: deliveriesExport,
  events_export: eventsExport,
  payments_export: paymentsExport,
  payouts_export: payoutsExport,
  referrals_export: referralsExport,
  ledger_check: ledgerCheck,
} satisfies Record<string, JobKind<object>>;

export type JobKinds = typeof JOB_KINDS;
export type JobKindName = keyof JobKinds;

/** The input of a job of this kind. */
export type JobInput<Name extends JobKindName> = JobKinds[Name] extends JobKind<infer Input> ? Input : never;

export function isJobKind(name: string): name is JobKindName {
  return Object.hasOwn(JOB_KINDS, name);
}
