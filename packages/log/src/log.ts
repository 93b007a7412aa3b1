import { type Logger, pino } from "pino";
import { logDestination } from "./destination.ts";

/** The process's logger: JSON on standard output, one line per event. */
export function createLog({ name, level }: { name: string; level: string }): Logger {
  return pino({ level, base: { name } }, logDestination());
}
