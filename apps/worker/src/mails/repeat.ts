import { isTransient } from "@findersfee/database/postgres/errors";
import type { Logger } from "pino";
import { pause } from "../work/pause.ts";

/** Between two calls to a database that cannot serve. */
const RETRY_MILLISECONDS = 500;
/** An error that lasts longer is not temporary. */
const MAX_MILLISECONDS = 10 * 60_000;

export interface Repeating {
  log: Logger;
  /** The shard is given up: nothing is repeated any more. */
  signal: AbortSignal;
  /** Whether the same call may succeed after this error; by default, if the error is transient. */
  isRepeatable?: (error: unknown) => boolean;
}

/** Repeats a call to the database while it cannot serve; rejects with the last error. */
export async function repeat<Result>(
  { log, signal, isRepeatable = isTransient }: Repeating,
  call: () => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + MAX_MILLISECONDS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRepeatable(error) || signal.aborted || performance.now() > until) throw error;
      log.warn({ err: error }, "a database call for mails failed and is repeated");
      await pause(RETRY_MILLISECONDS, signal);
    }
  }
}
