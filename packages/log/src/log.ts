import { hostname } from "node:os";
import { type Logger, pino } from "pino";
import { logDestination } from "./destination.ts";

/** Creates the process's logger: JSON on standard output, one line per log entry, each with the program, its version, host and process. */
export function createLogger({
  name,
  level,
  version,
}: {
  name: string;
  level: string;
  version: string;
}): Logger {
  const base = { name, version, host: hostname(), pid: process.pid };
  return pino({ level, base }, logDestination());
}
