import type { Database } from "@findersfee/database/postgres/connect";
import { readTimeLimits } from "@findersfee/database/postgres/time-limits";
import { isTracing, spanIds } from "@findersfee/database/postgres/tracer";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { EVENTS_RETENTION_DAYS } from "@findersfee/domain/webhooks/events/retention";
import type { Worker } from "@findersfee/worker/worker";
import packageJson from "../../package.json" with { type: "json" };
import { type Config, endpointUrlRelaxations, webhookProxy } from "../config.ts";
import type { OwnMails } from "./own-mails.ts";
import type { Opened } from "./shutdown.ts";

/** Runs deliveries and jobs in this process until the returned resources are closed. */
export async function serveWorker(
  config: Config,
  {
    database,
    replicas,
    secrets_key,
    url,
    opened,
    own,
  }: {
    database: Database;
    replicas: Replicas | undefined;
    secrets_key: SecretsKey;
    url: string;
    opened: Opened;
    own?: OwnMails;
  },
): Promise<Worker> {
  // Loaded here, so that commands that serve nothing start fast.
  const { startWorker } = await import("@findersfee/worker/worker");
  const { createLogger } = await import("@findersfee/log/log");
  const queue_url = config.DATABASE_DIRECT_URL ?? url;
  const worker = await startWorker(
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
    {
      database,
      replicas,
      log: createLogger({
        name: "findersfee-worker",
        level: config.LOG_LEVEL,
        version: packageJson.version,
        mixin: isTracing() ? spanIds : undefined,
      }),
    },
  );
  opened.add(() => worker.stop());
  return worker;
}
