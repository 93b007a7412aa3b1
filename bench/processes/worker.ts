/* A worker, as run by `findersfee worker`. */
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createLogger } from "@findersfee/log/log";
import { startWorker, type Worker } from "@findersfee/worker/worker";
import { runJobs } from "../jobs.ts";

export interface WorkJob {
  database_url: string;
  pool_size: number;
  secrets_key: string;
  lease_seconds: number;
  /** The service's version, as receivers see it. */
  version: string;
}

let opened: { worker: Worker; database: Database } | null = null;

runJobs(work, async () => {
  await opened?.worker.stop();
  await opened?.database.end({ timeout: 5 });
});

async function work(job: WorkJob): Promise<void> {
  const { database_url, pool_size, secrets_key, lease_seconds, version } = job;
  const database = connect({
    url: database_url,
    poolSize: pool_size,
    prepare: true,
    name: "findersfee worker",
  });
  const worker = await startWorker(
    {
      secrets_key: Buffer.from(secrets_key, "base64"),
      allow_http: true,
      allow_private: true,
      version,
      queue_url: database_url,
      lease_seconds,
      stripe_api_url: null,
      exchange_rates_url: null,
      public_url: null,
      dns_servers: [],
      retention: { attempts_days: 30, events_days: 90, processor_messages_days: 90 },
      mails_to_strangers: 0,
      mail: { smtp_url: null, from: "findersfee@example.com" },
    },
    { database, log: createLogger({ name: "findersfee-worker", level: "info", version: "bench" }) },
  );
  opened = { worker, database };
}
