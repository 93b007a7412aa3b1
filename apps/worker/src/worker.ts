import { makeAttemptPartitions } from "@findersfee/database/attempt-partitions";
import type { Database } from "@findersfee/database/connect";
import { unlockJobs } from "@findersfee/database/queue";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "./config.ts";
import { createSendMail } from "./mail.ts";
import { Queue } from "./queue.ts";
import { taskList } from "./tasks/list.ts";
import { Delivery } from "./webhooks/delivery.ts";

export interface Worker {
  registry: Registry;
  /** Begins nothing more, waits for what is in flight, and gives back the rest: 20 s at most. */
  stop(): Promise<void>;
}

const PARTITION_DAYS_AHEAD = 2;

/** Runs deliveries and jobs on a database. Any number of workers may, and any of them may die at any time. */
export async function startWorker(
  config: WorkerConfig,
  { database, log }: { database: Database; log: Logger },
): Promise<Worker> {
  await makeAttemptPartitions(database, PARTITION_DAYS_AHEAD);
  const unlock = (lock_names: string[]) => unlockJobs(database, lock_names);
  const delivery = new Delivery(config, {
    database,
    log,
    queueWorkerIds: () => queue.lock_names,
    onDead: unlock,
  });
  const { tasks, cron } = taskList({
    database,
    log,
    retention: config.retention,
    sendMail: createSendMail(config.mail, log),
    wake: () => delivery.wake(),
  });
  const queue = new Queue({ url: config.queue_url, tasks, cron, log, unlock });
  await delivery.start();
  queue.start();
  return {
    registry: delivery.registry,
    stop: async () => {
      await Promise.all([queue.stop(), delivery.stop()]);
    },
  };
}
