import { connectForLongWork, type Database } from "@findersfee/database/connect";
import { SHARDS } from "@findersfee/database/delivery-shards";
import { createWake, DELIVER } from "@findersfee/domain/events/wake";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { WorkerConfig } from "./config.ts";
import { createSendMail } from "./mail.ts";
import { createMailCall } from "./mails/call.ts";
import { MessageWorker } from "./processors/work-off.ts";
import { Queue } from "./queue.ts";
import { taskList } from "./tasks/list.ts";
import { preparePartitions } from "./tasks/partitions.ts";
import { Delivery } from "./webhooks/delivery.ts";
import { type ShardOwners, shardOf } from "./webhooks/shard-owners.ts";

export interface Worker {
  registry: Registry;
  /** Begins nothing more, waits for what is in flight, and gives back the rest: 20 s at most. */
  stop(): Promise<void>;
}

/** Jobs at once, beside those that own shards. */
const JOBS = 4;
/** Places for jobs of shards that wait until a former job of their shard has ended. */
const WAITING_OWNERS = 8;
/** Connections for those of them with long statements. */
const LONG_STATEMENTS = 2;

/** Runs deliveries and jobs on a database. Any number of workers may, and any of them may die at any time. */
export async function startWorker(
  config: WorkerConfig,
  { database, log }: { database: Database; log: Logger },
): Promise<Worker> {
  await preparePartitions(database, log);
  const delivery = new Delivery(config, {
    database,
    log,
    queueWorkerIds: () => [...jobs.lock_names, ...shards.lock_names],
    onEvents: () => mails.call(),
  });
  const { owners } = delivery;
  const mails = createMailCall(database, log);
  const wake = createWake(database, (error) => log.warn({ err: error }, "workers could not be notified"));
  const messages = new MessageWorker({ database, log, wake });
  const long = connectForLongWork(database, LONG_STATEMENTS);
  const { tasks, cron } = taskList({
    database,
    long_database: long.database,
    log,
    secrets_key: config.secrets_key,
    stripe_api_url: config.stripe_api_url,
    retention: config.retention,
    sendMail: createSendMail(config.mail, log),
    public_url: config.public_url,
    wake,
    wakeMessages: () => messages.wake(),
  });
  const queue = {
    database,
    url: config.queue_url,
    limits: config.queue_limits ?? null,
    log,
  };
  const jobs = new Queue({ ...queue, tasks, cron, concurrency: JOBS });
  const shards = new Queue({
    ...queue,
    tasks: { [DELIVER]: (payload, { abortSignal }) => ownShard(owners, payload, abortSignal) },
    cron: [],
    concurrency: SHARDS + WAITING_OWNERS,
    fetches_together: true,
  });
  await delivery.start();
  messages.start();
  jobs.start();
  shards.start();
  return {
    registry: Registry.merge([delivery.registry, messages.registry]),
    stop: async () => {
      const queues_stopped = Promise.all([jobs.stop(), shards.stop()]);
      await Promise.all([messages.stop(), delivery.stop(queues_stopped), mails.stop()]);
      await long.end();
    },
  };
}

/** A job without a shard is of an earlier version. */
async function ownShard(
  owners: ShardOwners,
  payload: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const shard = shardOf(payload);
  if (shard !== null) await owners.own(shard, signal ?? new AbortController().signal);
}
