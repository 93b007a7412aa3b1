import { isUnavailable } from "@findersfee/database/postgres/errors";
import { DomainError } from "../errors.ts";

/**
 * While the database is away, this process answers redirect links, custom domains and scripts with results
 * that it read within this time. Only another process can change or ban a code during that, and this process
 * may answer with its former state for as long.
 */
export const MEMORY_MILLISECONDS = 60 * 60_000;

/** Whether a lookup failed because the database is away, or too slow. */
export function isAway(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof DomainError && error.code === "unavailable");
}
