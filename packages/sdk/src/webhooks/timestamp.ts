import { WebhookVerificationError } from "./verification-error.ts";

/** The tolerance of the timestamp check, and its clock. */
export interface Tolerance {
  /** In either direction. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The clock, for tests. */
  now?: (() => Date) | undefined;
}

const TOLERANCE_SECONDS = 300;
const UNIX_SECONDS = /^(0|[1-9]\d{0,11})$/;

/** Parses a `webhook-timestamp`, the time of the attempt. */
export function readTimestamp(
  text: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = () => new Date() }: Tolerance,
): Date {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError("toleranceSeconds must be a number of seconds, 0 or more");
  if (!UNIX_SECONDS.test(text))
    throw new WebhookVerificationError(
      "invalid_timestamp",
      "webhook-timestamp must be Unix time in seconds.",
    );
  const clock = now();
  const age_seconds = Math.floor(clock.getTime() / 1000) - Number(text);
  // Not `age > tolerance`: an invalid clock (NaN) must not accept everything.
  if (!(Math.abs(age_seconds) <= toleranceSeconds))
    throw outOfTolerance(age_seconds, clock, toleranceSeconds);
  return new Date(Number(text) * 1000);
}

function outOfTolerance(age_seconds: number, clock: Date, tolerance: number): WebhookVerificationError {
  const [code, side] =
    age_seconds < 0
      ? (["timestamp_too_new", "ahead of"] as const)
      : (["timestamp_too_old", "behind"] as const);
  const time = Number.isNaN(age_seconds) ? "which is invalid" : clock.toISOString();
  return new WebhookVerificationError(
    code,
    `webhook-timestamp is ${Math.abs(age_seconds)} s ${side} this machine's clock (${time}); the tolerance is ${tolerance} s. ` +
      "Either this is an old request sent again, or the clock is wrong: synchronize it with NTP. " +
      "(To verify a stored request in a test, pass `now`.)",
  );
}
