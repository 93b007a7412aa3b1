import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, vi } from "vitest";

/*
 * A set-up for all test files: none of them, and no test of them, begins just before the end of an hour, a day, a month or a year of
 * UTC. Each may expect that the date does not change while it works.
 */

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
/** Most tests take less than a second, and most files less than a minute. */
const OF_TEST = 15_000;
const OF_FILE = 60_000;

async function awaitEnd(of: number, least_left: number): Promise<void> {
  if (vi.isFakeTimers()) return;
  const left = of - (Date.now() % of);
  if (left < least_left) await delay(left);
}

await awaitEnd(DAY_MILLISECONDS, OF_FILE);
beforeEach(() => awaitEnd(HOUR_MILLISECONDS, OF_TEST));
