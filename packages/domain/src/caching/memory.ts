import { isUnavailable } from "@findersfee/database/postgres/errors";
import { DomainError } from "../errors.ts";

/**
 * While the database is away, redirect links, custom domains and scripts are answered by what this process read in this time before.
 * A code that was changed or banned meanwhile, which only another process can do, may be answered as before for as long.
 */
export const MEMORY_MILLISECONDS = 60 * 60_000;

/** Whether a lookup failed because the database is away, or too slow. */
export function isAway(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof DomainError && error.code === "unavailable");
}
