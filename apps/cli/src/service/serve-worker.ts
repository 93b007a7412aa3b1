import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { readTimeLimits } from "@findersfee/database/postgres/time-limits";
import { isTracing, spanIds } from "@findersfee/database/postgres/tracer";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import type { Continuity } from "@findersfee/domain/continuity/continuity";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { EVENTS_RETENTION_DAYS } from "@findersfee/domain/webhooks/events/retention";
import type { Worker } from "@findersfee/worker/worker";
import packageJson from "../../package.json" with { type: "json" };
import { type Config, endpointUrlRelaxations, webhookProxy } from "../config.ts";
import type { OwnMails } from "./own-mails.ts";
import type { Opened } from "./shutdown.ts";

const RETRY_MILLISECONDS = 1_000;

interface ServedWorker {
  database: Database;
  replicas: Replicas | undefined;
  secrets_key: SecretsKey;
  url: string;
  /** The process has no API. */
  is_alone?: boolean;
  own?: OwnMails;
}

/**
 * Runs deliveries and jobs in this process until the opened resources are closed. While the database is in an older state than the
 * process has seen, nothing runs. `registries` has the worker's metrics while it runs.
 */
export async function serveWorker(
  config: Config,
  {
    opened,
    continuity,
    registries,
    ...served
  }: ServedWorker & { opened: Opened; continuity: Continuity; registries: Worker["registry"][] },
): Promise<void> {
  let worker: Worker | null = null;
  let is_closed = false;
  const start = async () => {
    worker = await runWorker(config, served);
    registries.push(worker.registry);
  };
  const stop = async () => {
    const stopped = worker;
    worker = null;
    if (stopped === null) return;
    registries.splice(registries.indexOf(stopped.registry), 1);
    await stopped.stop();
  };
  const follow = async () => {
    if (continuity.stepBack !== null) await stop();
    while (worker === null && !is_closed && continuity.stepBack === null) {
      try {
        await start();
      } catch (error) {
        (await openLog(config)).error({ err: error }, "failed to start the worker again");
        await delay(RETRY_MILLISECONDS);
      }
    }
  };
  await start();
  let following = follow();
  const forget = continuity.onChange(() => {
    following = following.then(follow);
  });
  opened.add(async () => {
    is_closed = true;
    forget();
    await following;
    await stop();
  });
}

/** The log of a worker. */
export async function openLog({ LOG_LEVEL: level }: Config) {
  const { createLogger } = await import("@findersfee/log/log");
  const { version } = packageJson;
  return createLogger({
    name: "findersfee-worker",
    level,
    version,
    mixin: isTracing() ? spanIds : undefined,
  });
}

async function runWorker(
  config: Config,
  { database, replicas, secrets_key, url, is_alone = false, own }: ServedWorker,
): Promise<Worker> {
  // Loaded here, so that commands that serve nothing start fast.
  const { startWorker } = await import("@findersfee/worker/worker");
  const queue_url = config.DATABASE_DIRECT_URL ?? url;
  return await startWorker(
    {
      secrets_key,
      ...endpointUrlRelaxations(config),
      proxy: webhookProxy(config),
      version: packageJson.version,
      queue_url,
      queue_limits: await readTimeLimits(
        { url: queue_url, prepare: false, name: "findersfee worker" },
        config.DATABASE_STATEMENT_SECONDS,
      ),
      lease_seconds: config.WORKER_LEASE_SECONDS,
      stripe_api_url: config.STRIPE_API_URL,
      exchange_rates_url: config.EXCHANGE_RATES_URL,
      get public_url() {
        return config.PUBLIC_URL ?? own?.url ?? null;
      },
      dns_servers: config.DNS_SERVERS,
      retention: {
        attempts_days: config.ATTEMPTS_KEPT_DAYS,
        events_days: EVENTS_RETENTION_DAYS,
        processor_messages_days: config.PROCESSOR_MESSAGES_KEPT_DAYS,
      },
      mails_to_strangers: config.QUOTA_MAILS_TO_STRANGERS,
      mail: {
        smtp_url: config.SMTP_URL,
        from: config.MAIL_FROM,
        ...(own?.mailbox === undefined ? {} : { mailbox: own.mailbox }),
      },
      shows_mails: own?.mailbox !== undefined,
    },
    { database, replicas, is_alone, log: await openLog(config) },
  );
}
