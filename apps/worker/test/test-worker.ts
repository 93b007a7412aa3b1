import type { TestDatabase } from "@findersfee/database/testing";
import { type Logger, pino } from "pino";
import type { WorkerConfig } from "../src/config.ts";
import { startWorker, type Worker } from "../src/worker.ts";
import { SECRETS_KEY } from "./subscriptions.ts";

export interface TestWorkerOptions extends Partial<WorkerConfig> {
  log?: Logger;
}

/** Starts a worker on a test's database that may reach receivers on this machine. */
export async function startTestWorker(
  { database, url }: TestDatabase,
  { log = pino({ level: "silent" }), ...changes }: TestWorkerOptions = {},
): Promise<Worker> {
  return await startWorker(
    {
      secrets_key: SECRETS_KEY,
      allow_http: true,
      allow_private: true,
      version: "0.0.0",
      queue_url: url,
      lease_seconds: 30,
      stripe_api_url: null,
      public_url: null,
      retention: { attempts_days: 30, events_days: 90, processor_messages_days: 90 },
      mail: { smtp_url: null, from: "findersfee@example.com" },
      ...changes,
    },
    { database, log },
  );
}
