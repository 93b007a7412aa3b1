import { hostname } from "node:os";
import { type Logger, pino } from "pino";
import { logDestination } from "./destination.ts";

/** Creates the process's logger: JSON on standard output, one line per log entry, each with the program, its version, host and process, and with what `mixin` returns. */
export function createLogger({
  name,
  level,
  version,
  mixin,
}: {
  name: string;
  level: string;
  version: string;
  /** Returns ids of the work that a line is of. */
  mixin?: (() => object) | undefined;
}): Logger {
  const base = { name, version, host: hostname(), pid: process.pid };
  return pino({ level, base, ...(mixin === undefined ? {} : { mixin }) }, logDestination());
}
