import type { Result } from "./drill.ts";
import type { Failure } from "./failures.ts";

/** Errors that no failure excuses: clients know neither that it passes, nor when to try again. */
const UNEXCUSED = / without Retry-After$|^429$/;

/** The targets of a failure that a result misses, in words. */
export function missedTargets(
  failure: Pick<Failure, "gap_seconds" | "may_fail">,
  result: Omit<Result, "missed">,
): string[] {
  const missed: string[] = [];
  for (const name of ["lost", "doubled", "stuck"] as const)
    if (result[name] > 0) missed.push(`${result[name]} ${name}`);
  for (const job of result.jobs) missed.push(`a job that stays due: ${JSON.stringify(job)}`);
  if (failure.gap_seconds !== null && result.gap_seconds > failure.gap_seconds)
    missed.push(`a gap of ${result.gap_seconds.toFixed(1)} s, and not at most ${failure.gap_seconds} s`);
  for (const [error, count] of result.errors)
    if (!failure.may_fail || UNEXCUSED.test(error)) missed.push(`${count} × ${error}`);
  return missed;
}
