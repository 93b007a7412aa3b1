import type { TestDatabase } from "@findersfee/database/testing";
import { type Logger, pino } from "pino";
import { expect } from "vitest";
import type { WorkerConfig } from "../src/config.ts";
import { startWorker, type Worker } from "../src/worker.ts";
import { SECRETS_KEY } from "./subscriptions.ts";

export interface TestWorkerOptions extends Partial<WorkerConfig> {
  log?: Logger;
}

/** Workers that run, and the test file that started each. */
const running = new Map<Worker, string>();

/**
 * Starts a worker on a test's database that may reach receivers on this machine.
 *
 * @throws if a former test file of this process left a worker running: its work would count as the work of other tests
 */
export async function startTestWorker(
  { database, url }: TestDatabase,
  { log = pino({ level: "silent" }), ...changes }: TestWorkerOptions = {},
): Promise<Worker> {
  const file = expect.getState().testPath ?? "";
  const left = [...running.values()].filter((other) => other !== file);
  if (left.length > 0) throw new Error(`a worker still runs that ${left[0]} started`);
  const worker = await startWorker(
    {
      secrets_key: SECRETS_KEY,
      allow_http: true,
      allow_private: true,
      version: "0.0.0",
      queue_url: url,
      lease_seconds: 30,
      stripe_api_url: null,
      exchange_rates_url: null,
      public_url: null,
      dns_servers: [],
      retention: { attempts_days: 30, events_days: 90, processor_messages_days: 90 },
      mails_to_strangers: 0,
      mail: { smtp_url: null, from: "findersfee@example.com" },
      ...changes,
    },
    { database, log },
  );
  running.set(worker, file);
  const stop = async () => {
    await worker.stop();
    running.delete(worker);
  };
  return { ...worker, stop };
}
