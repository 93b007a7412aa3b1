import postgres from "postgres";
import { HISTORY_CODE } from "./history-error.ts";

const UNIQUE_VIOLATION = "23505";

/** Returns the unique constraint or index that a statement violated, or null for other errors. */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof postgres.PostgresError) || error.code !== UNIQUE_VIOLATION) return null;
  return error.constraint_name ?? null;
}

/**
 * Whether Postgres reported an error for a statement. Such a statement was rolled back; after an error of the
 * connection it may have taken effect.
 */
export function isStatementError(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === "ERROR";
}

const DEADLOCK_DETECTED = "40P01";

/** Whether Postgres aborted a transaction because of a deadlock. A retry succeeds. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === DEADLOCK_DETECTED;
}

/**
 * The guards of the ledger by their errcodes, which the triggers in the migrations raise.
 *
 * - `append_only`: entries, commissions, payouts and their links are never changed or deleted.
 * - `commission_in_payout`: the amount, affiliate, currency and dates of a commission in a payout are final.
 * - `unpaid_commission`: `unpaid_commissions` has each commission as it is until it is in a payout or voided.
 * - `payout_mismatch`: a payout has all its commissions and the ledger entry of its status.
 * - `payout_final`: a payout that is failed or canceled stays so, and a paid one can only fail.
 * - `recruit_commission`: a commission for a recruit is for a commission that is for none itself.
 */
const LEDGER_GUARDS = {
  FF001: "append_only",
  FF002: "commission_in_payout",
  FF003: "unpaid_commission",
  FF004: "payout_mismatch",
  FF005: "payout_final",
  FF009: "recruit_commission",
} as const;

export type LedgerGuard = (typeof LEDGER_GUARDS)[keyof typeof LEDGER_GUARDS];

/** Returns the ledger guard that rejected a statement, or null for other errors. */
export function brokenLedgerGuard(error: unknown): LedgerGuard | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  return LEDGER_GUARDS[error.code as keyof typeof LEDGER_GUARDS] ?? null;
}

/** Whether Postgres refused a payout run, a payout, a payout day, a member or an invitation of test data. */
export function isOfTestData(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false;
  return error.code === "FF006" || error.constraint_name === "organizations_test";
}

/** A commission has changed since its writer read it, because the writer did not lock it. */
export class StaleCommissionError extends Error {
  constructor() {
    super("A commission changed while it was not locked; nothing was written.");
    this.name = "StaleCommissionError";
  }
}

const NUMERIC_VALUE_OUT_OF_RANGE = "22003";

/** Whether Postgres rejected a statement because of the rows' values: a key, a check, a sum that is too large. */
export function isOfRows(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false;
  const is_of_rows = error.code.startsWith("23") || error.code === NUMERIC_VALUE_OUT_OF_RANGE;
  return is_of_rows || brokenLedgerGuard(error) !== null;
}

/** Codes of the check of the database's history, and of postgres.js and its sockets for a connection that failed or did not answer in time. */
const CONNECTION_CODES = new Set([
  HISTORY_CODE,
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "QUERY_TIMEOUT",
  "NO_SUCH_HOST_ROLE",
  "DATABASE_AWAY",
  "POOL_EXHAUSTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);

/**
 * SQLSTATEs of a server that cannot serve any client (appendix A of the Postgres manual): connection exceptions (class
 * 08), insufficient resources (class 53: disk full, out of memory, too many connections), shutdown, crash and startup
 * (57P), I/O errors (58030), and a server that is no longer the primary (25006).
 */
const OUTAGE_STATE = /^(08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P[0-9A-Z]{2}|58030|25006)$/;

/** Whether the database cannot be reached or cannot serve; any other statement would fail now, too. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && (CONNECTION_CODES.has(code) || OUTAGE_STATE.test(code));
}

/** Time limits: of a statement, of a wait for a lock, of an idle transaction. */
const TIME_LIMIT_STATES = new Set(["57014", "55P03", "25P03"]);

/** Whether a statement or transaction reached its time limit; other statements may succeed. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof postgres.PostgresError && TIME_LIMIT_STATES.has(error.code);
}

/** Whether the database could not be reached or could not serve in time: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  return isOutage(error) || isTimeLimit(error);
}

/** SQLSTATEs of a transaction that lost against a concurrent one: serialization failures and deadlocks. */
const CONFLICT_STATES = new Set(["40001", "40003", DEADLOCK_DETECTED]);

/** Whether an unchanged retry of the statement may succeed. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return isUnavailable(error) || (code !== null && CONFLICT_STATES.has(code));
}

/** Whether Postgres rejects the statement because of its text or its rows, so that a retry fails again. */
export function isPermanent(error: unknown): boolean {
  return isStatementError(error) && !isTransient(error);
}

/** Kinds of errors, to count them by. */
export type ErrorClass = "outage" | "resources" | "time_limit" | "conflict" | "constraint" | "other";

/**
 * The kind of a statement's error: `resources` is a full disk, no memory, or too many connections, and `constraint` are values that
 * a rule of the schema refused, as happens when two requests create the same row.
 */
export function errorClass(error: unknown): ErrorClass {
  const code = codeOf(error) ?? "";
  if (code.startsWith("53") || code === "58030" || code === "POOL_EXHAUSTED") return "resources";
  if (isOutage(error)) return "outage";
  if (isTimeLimit(error)) return "time_limit";
  if (CONFLICT_STATES.has(code)) return "conflict";
  return isOfRows(error) ? "constraint" : "other";
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
