// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

/** The error codes of the service. */
export const errorCodes = [
  "invalid_request",
  "unauthorized",
  "subscription_error",
  "insufficient_scope",
  "network_not_allowed",
  "quota_exceeded",
  "not_found",
  "method_not_allowed",
  "affiliate_exists",
  "affiliate_banned",
  "code_taken",
  "referral_exists",
  "commission_exists",
  "commission_locked",
  "adjustment_locked",
  "override_refused",
  "override_changed",
  "payout_locked",
  "jobs_running",
  "idempotency_conflict",
  "payload_too_large",
  "unsupported_media_type",
  "misdirected_request",
  "rate_limited",
  "internal_error",
  "unavailable",
] as const;

export type ErrorCode = (typeof errorCodes)[number];
