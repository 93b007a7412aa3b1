import { makeAttemptPartitions } from "@findersfee/database/attempt-partitions";
import { makeClickPartitions } from "@findersfee/database/click-partitions";
import type { Database } from "@findersfee/database/connect";
import { unlockJobs } from "@findersfee/database/queue";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { WorkerConfig } from "./config.ts";
import { createSendMail } from "./mail.ts";
import { createMailCall } from "./mails/call.ts";
import { MessageWorker } from "./processors/work-off.ts";
import { Queue } from "./queue.ts";
import { taskList } from "./tasks/list.ts";
import { Delivery } from "./webhooks/delivery.ts";

export interface Worker {
  registry: Registry;
  /** Begins nothing more, waits for what is in flight, and gives back the rest: 20 s at most. */
  stop(): Promise<void>;
}

const PARTITION_DAYS_AHEAD = 2;
const PARTITION_MONTHS_AHEAD = 2;

/** Runs deliveries and jobs on a database. Any number of workers may, and any of them may die at any time. */
export async function startWorker(
  config: WorkerConfig,
  { database, log }: { database: Database; log: Logger },
): Promise<Worker> {
  await makeAttemptPartitions(database, PARTITION_DAYS_AHEAD);
  await makeClickPartitions(database, PARTITION_MONTHS_AHEAD);
  const delivery = new Delivery(config, {
    database,
    log,
    queueWorkerIds: () => queue.lock_names,
  });
  const mails = createMailCall(database, log);
  const wake = () => {
    delivery.wake();
    mails.call();
  };
  const messages = new MessageWorker({ database, log, wakeDelivery: wake });
  const { tasks, cron } = taskList({
    database,
    log,
    secrets_key: config.secrets_key,
    stripe_api_url: config.stripe_api_url,
    retention: config.retention,
    sendMail: createSendMail(config.mail, log),
    public_url: config.public_url,
    wake,
    wakeMessages: () => messages.wake(),
  });
  const queue = new Queue({
    url: config.queue_url,
    tasks,
    cron,
    log,
    unlock: (lock_names) => unlockJobs(database, lock_names),
  });
  await delivery.start();
  messages.start();
  queue.start();
  return {
    registry: Registry.merge([delivery.registry, messages.registry]),
    stop: async () => {
      const queue_stopped = queue.stop();
      await Promise.all([messages.stop(), delivery.stop(queue_stopped), mails.stop()]);
    },
  };
}
