import { connectForLongWork, type Database, observe } from "@findersfee/database/postgres/connect";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { SHARDS } from "@findersfee/database/work/shards";
import type { MailDelivery } from "@findersfee/database/work/workers";
import { createHostRecords } from "@findersfee/domain/host-record";
import { createAskHost } from "@findersfee/domain/portal/ask-host";
import { createNotifier } from "@findersfee/domain/work/notify-workers";
import { OutageLog } from "@findersfee/telemetry/outage-log";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import type { WorkerConfig } from "./config.ts";
import { allConsumers } from "./consumers.ts";
import { createFetchRatesFile } from "./exchange-rates.ts";
import { createSendMail } from "./mails/send-mail.ts";
import { shardTasks, taskList } from "./tasks.ts";
import { DeliveryWorker } from "./webhooks/delivery-worker.ts";
import { preparePartitions } from "./work/partitions.ts";
import { Queue } from "./work/queue.ts";
import { Shards } from "./work/shards/shards.ts";
import { WorkMetrics } from "./work/work-metrics.ts";
import { WorkRunner } from "./work/work-runner.ts";

export interface Worker {
  registry: Registry;
  /** Starts no more work, finishes the work in flight, and releases the rest. Takes at most 20 s. */
  stop(): Promise<void>;
}

/** Scheduled jobs at once. */
const JOBS = 4;
/** Places for jobs of shards that wait until a former job of their shard has ended. */
const WAITING_OWNERS = 8;
/** Connections for long statements. */
const LONG_STATEMENTS = 2;

/** How this worker handles mails, for the health of the service. */
function mailDelivery({ mail, shows_mails = false, public_url }: WorkerConfig): MailDelivery {
  if (mail.smtp_url === null) return shows_mails ? "local" : "no_mail_server";
  return public_url === null ? "no_public_url" : "sent";
}

/** Runs all background work on a database. Any number of workers may, and any of them may die at any time. */
export async function startWorker(
  config: WorkerConfig,
  {
    database,
    replicas,
    log: full_log,
    is_alone = false,
  }: {
    database: Database;
    replicas?: Replicas | undefined;
    log: Logger;
    /** The process has no API. */
    is_alone?: boolean;
  },
): Promise<Worker> {
  const outages = new OutageLog(full_log);
  observe(database, outages);
  const log = outages.quiet(full_log);
  await preparePartitions(database, log);
  const queue = { database, url: config.queue_url, limits: config.queue_limits ?? null, log };
  const shards = new Shards({
    ...queue,
    lease_seconds: config.lease_seconds,
    mail_delivery: mailDelivery(config),
    lockNames: () => [...jobs.lock_names, ...owners.lock_names],
  });
  const metrics = new WorkMetrics(database, { shards: () => shards.tokens.size, is_alone, log });
  const deliveries = new DeliveryWorker(config, { database, log, shards });
  const long = connectForLongWork(database, LONG_STATEMENTS);
  const databases = { database, long_database: long.database, replicas };
  const dependencies = {
    ...databases,
    log,
    secrets_key: config.secrets_key,
    stripe_api_url: config.stripe_api_url,
    retention: config.retention,
    sendMail: createSendMail(config.mail, log),
    publicUrl: () => config.public_url,
    exchange_rates_url: config.exchange_rates_url,
    fetchRatesFile: createFetchRatesFile(config, config.ca === undefined ? {} : { ca: config.ca }),
    mails_to_strangers: config.mails_to_strangers,
    lookAtHostRecord: createHostRecords(config.dns_servers),
    askHost: createAskHost({ allow_http: config.allow_http, allow_private: config.allow_private }),
    notifyEvents: createNotifier(database, "events", (error) =>
      log.warn({ err: error }, "failed to notify the workers of new events"),
    ),
  };
  const consumers = allConsumers({ ...dependencies, offer: (kind, id) => runner.offer(kind, id) });
  const runner = new WorkRunner(consumers, { database, log, shards, metrics });
  const jobs = new Queue({ ...queue, ...taskList(dependencies), concurrency: JOBS });
  const owners = new Queue({
    ...queue,
    tasks: shardTasks(shards),
    cron: [],
    concurrency: SHARDS + WAITING_OWNERS,
    fetches_together: true,
  });
  shards.use(deliveries);
  shards.use(runner);
  await shards.start();
  deliveries.start();
  runner.start();
  jobs.start();
  owners.start();
  return {
    registry: Registry.merge([deliveries.registry, metrics.registry]),
    stop: async () => {
      const queues_stopped = Promise.all([jobs.stop(), owners.stop()]);
      await Promise.all([shards.stop(queues_stopped), runner.stop(), deliveries.stop(queues_stopped)]);
      await long.end();
    },
  };
}
