import { type Logger, pino } from "pino";

/** The worker's lines: JSON on standard output, one a fact. */
export function createLog(level: string): Logger {
  return pino({ level, base: { name: "findersfee-worker" } });
}
