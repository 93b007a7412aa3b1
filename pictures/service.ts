/* The service with dashboard and portal, on a Postgres of its own in a temporary folder. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApi } from "@findersfee/api/server";
import { buildDashboard } from "@findersfee/dashboard/build";
import { startEmbedded } from "@findersfee/database/embedded/embedded";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { migrate } from "@findersfee/database/schema/migrate";
import { buildPortal } from "@findersfee/portal/build";

export const SECRETS_KEY = Buffer.alloc(32);

export interface Service {
  url: string;
  database: Database;
}

/** Runs `work` with a service that ends afterwards. */
export async function withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-pictures-"));
  // As root, Postgres runs as another user, which has to pass through.
  await chmod(folder, 0o711);
  const postgres = await startEmbedded({ data_dir: folder });
  try {
    const database = connect({ url: postgres.url, poolSize: 10, prepare: true, name: "findersfee pictures" });
    try {
      await migrate(database);
      return await withApi(database, work);
    } finally {
      await database.end({ timeout: 5 });
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

async function withApi<Result>(
  database: Database,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const applications = { dashboard: await buildDashboard(), portal: await buildPortal() };
  const api = await startApi(
    {
      ...{
        host: "127.0.0.1",
        port: 0,
        public_url: null,
        service_hosts: [],
        dns_servers: [],
        security_contact: null,
        sign_in_providers: { allow_http: false, allow_private: false },
        cors_origins: [],
        log_level: "silent",
      },
      ...{ country_header: null, trust_proxy: false, rate_limit_per_minute: 0, track_limit_per_minute: 0 },
      ...{ sign_in_limit_per_minute: 0, failed_authentications_per_minute: 0 },
      track_budgets_per_minute: { clicks: 0, signups: 0 },
      quotas: { stored_answers: 0, audit_log_entries: 0, mails_to_strangers: 0 },
      concurrent_requests: { per_key: 0, per_organization: 0, per_address: 0 },
    },
    database,
    {
      endpoint_policy: { secrets_key: SECRETS_KEY, allow_http: false, allow_private: false },
      applications,
    },
  );
  try {
    return await work({ url: api.url, database });
  } finally {
    await api.close();
  }
}
