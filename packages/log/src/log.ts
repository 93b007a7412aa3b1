import { type Logger, pino } from "pino";
import { logDestination } from "./destination.ts";

/** Creates the process's logger: JSON on standard output, one line per log entry. */
export function createLogger({ name, level }: { name: string; level: string }): Logger {
  return pino({ level, base: { name } }, logDestination());
}
