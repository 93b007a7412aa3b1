/* The real API, as run by `findersfee api`, with a rate limit that counts but never rejects. */
import type { ApplicationFolders } from "@findersfee/api/applications/documents";
import { startApi } from "@findersfee/api/server";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { Replicas } from "@findersfee/database/replicas/replicas";
import { alignEventClock } from "@findersfee/database/webhooks/event-clock";
import { runJobs } from "../jobs.ts";

export interface ServeJob {
  database_url: string;
  pool_size: number;
  /** The builds that it serves. */
  applications?: ApplicationFolders;
  /** The address of a standby. */
  read_url?: string;
}

const READY_MILLISECONDS = 10_000;

let opened: { close: () => Promise<void>; database: Database } | null = null;

runJobs(serve, async () => {
  await opened?.close();
  await opened?.database.end({ timeout: 5 });
});

function openReplicas({
  database_url,
  pool_size,
  read_url,
}: Required<Omit<ServeJob, "applications">>): Replicas {
  return new Replicas({
    url: read_url,
    primary_url: database_url,
    pool: { poolSize: pool_size, prepare: true, name: "findersfee api" },
    statement_seconds: 30,
    max_lag_seconds: 5,
  });
}

/** Returns the port. */
async function serve({ database_url, pool_size, applications = {}, read_url }: ServeJob): Promise<number> {
  const database = connect({ url: database_url, poolSize: pool_size, prepare: true, name: "findersfee api" });
  await alignEventClock(database);
  const replicas = read_url === undefined ? undefined : openReplicas({ database_url, pool_size, read_url });
  await replicas?.ready(READY_MILLISECONDS);
  const { url, close } = await startApi(
    {
      host: "127.0.0.1",
      port: 0,
      public_url: null,
      service_hosts: [],
      dns_servers: [],
      security_contact: null,
      sign_in_providers: { allow_http: false, allow_private: false },
      rate_limit_per_minute: 100_000_000,
      track_limit_per_minute: 100_000_000,
      track_budgets_per_minute: { clicks: 0, signups: 0 },
      concurrent_requests: { per_key: 1_000, per_organization: 1_000, per_address: 1_000 },
      sign_in_limit_per_minute: 0,
      failed_authentications_per_minute: 100_000_000,
      cors_origins: [],
      quotas: { stored_answers: 100_000_000, audit_log_entries: 100_000_000, mails_to_strangers: 0 },
      log_level: "info",
      // Visitors have many addresses.
      trust_proxy: 1,
      country_header: null,
    },
    database,
    {
      endpoint_policy: { secrets_key: Buffer.alloc(32), allow_http: false, allow_private: false },
      applications,
      replicas,
    },
  );
  opened = { close: () => Promise.all([close(), replicas?.end()]).then(() => {}), database };
  return Number(new URL(url).port);
}
