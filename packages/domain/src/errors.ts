import { ERRORS, type ErrorCode, type Issue } from "@findersfee/contract/errors";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { type LimitName, tally } from "./tallies.ts";

export interface DomainErrorOptions {
  /** Replaces the registry's message with a more specific one. */
  message?: string;
  issues?: Issue[] | undefined;
  /** Data for programs, such as `{ referral_id }` of the existing row. */
  details?: Record<string, string> | undefined;
  /** When the same request may succeed; sent as Retry-After. */
  retry_after_seconds?: number | undefined;
  /** Of `rate_limited`: which limit, for metrics. */
  limit?: LimitName;
}

const FAILED_SIGN_INS: { [code in ErrorCode]?: Parameters<typeof tally<"failed_sign_ins">>[1] } = {
  sign_in_failed: "password",
  second_factor_failed: "second_factor",
  passkey_failed: "passkey",
  code_invalid: "code",
};

/** The only error that operations throw on purpose. Its code is in the contract's registry. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly details: Record<string, string> | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message);
    this.name = "DomainError";
    this.code = code;
    this.issues = options.issues;
    this.details = options.details;
    this.retry_after_seconds = options.retry_after_seconds;
    // Here, because each surface answers errors in its own way.
    if (code === "rate_limited") tally("refused", options.limit ?? "other");
    else if (code === "sign_in_limited") tally("refused", "sign_ins");
    const failed = FAILED_SIGN_INS[code];
    if (failed !== undefined) tally("failed_sign_ins", failed);
  }
}

/** Throws `invalid_request` with all issues, if there are any. */
export function requireNoIssues(issues: Issue[]): void {
  if (issues.length > 0) throw new DomainError("invalid_request", { issues });
}

/** An `invalid_request` about one field. */
export function invalidField(path: string, message: string): DomainError {
  return new DomainError("invalid_request", { issues: [{ path, message }] });
}

/** A `not_found` that names the missing resource: `notFound("referral")`. */
export function notFound(noun: string): DomainError {
  return new DomainError("not_found", { message: `There is no ${noun} with this id.` });
}

/** Requires a referral that was looked up. Errors: `not_found`, also for one that other referrals have replaced. */
export function requireReferral(row: ReferralWithAffiliateRow | null): ReferralWithAffiliateRow {
  if (row === null) throw notFound("referral");
  if (row.replaced_at === null) return row;
  throw new DomainError("not_found", {
    message:
      "This referral has been replaced: the processor reported that its customer's checkouts and payments belong to another referral, or to none.",
  });
}

/** The precondition of POST /commissions and POST /referrals only (docs/decisions.md, Requests). */
export function requireSubscription({ subscription_status }: { subscription_status: string }): void {
  if (subscription_status !== "active" && subscription_status !== "trialing") {
    throw new DomainError("subscription_error");
  }
}
