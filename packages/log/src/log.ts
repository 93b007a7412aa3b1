import { type Logger, pino } from "pino";
import { logDestination } from "./destination.ts";

/** A process's lines: JSON on standard output, one a fact. */
export function createLog({ name, level }: { name: string; level: string }): Logger {
  return pino({ level, base: { name } }, logDestination());
}
