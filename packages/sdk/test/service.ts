import type { ApiConfig } from "@findersfee/api/config";
import { startApi } from "@findersfee/api/server";
import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { createClient, type Findersfee } from "../src/index.ts";

/** The real service on the test file's own database, with one organization. */
export interface Service {
  url: string;
  api_key: string;
  publishable_key: string;
  database: Database;
  client: Findersfee;
  close: () => Promise<void>;
}

export async function startService({ rate_limit_per_minute = 0 } = {}): Promise<Service> {
  const { database, close } = await createTestDatabase();
  const config: ApiConfig = {
    host: "127.0.0.1",
    port: 0,
    public_url: null,
    service_hosts: [],
    dns_servers: [],
    security_contact: null,
    sign_in_providers: { allow_http: false, allow_private: false },
    rate_limit_per_minute,
    track_limit_per_minute: 0,
    track_budgets_per_minute: { clicks: 0, signups: 0 },
    concurrent_requests: { per_key: 0, per_organization: 0, per_address: 0 },
    sign_in_limit_per_minute: 0,
    failed_authentications_per_minute: 0,
    cors_origins: [],
    quotas: { stored_answers: 0, audit_log_entries: 0, mails_to_strangers: 0 },
    log_level: "silent",
    trust_proxy: false,
    country_header: null,
  };
  const api = await startApi(config, database, {
    endpoint_policy: { secrets_key: Buffer.alloc(32), allow_http: false, allow_private: false },
  });
  const { api_key, publishable_key } = await createOrganization(database, {
    name: "Test",
    currency: "USD",
    subscription_status: "active",
  });
  return {
    url: api.url,
    api_key,
    publishable_key,
    database,
    client: createClient({ apiKey: api_key, baseUrl: api.url }),
    close: async () => {
      await api.close();
      await close();
    },
  };
}

export const CAMPAIGN = {
  name: "Partner program",
  commission_type: "percentage",
  commission_amount: 30,
  website_url: "https://example.com",
  is_default: true,
} as const;

/** Resolves when the feed shows this many events; transactions of other tests on the same server delay it. */
export async function feedShows({ client }: Service, count: number): Promise<void> {
  await eventually(async () => {
    let shown = 0;
    for await (const _event of client.events.list()) shown += 1;
    if (shown < count) throw new Error(`the feed shows ${shown} of ${count} events`);
  });
}

/** Creates affiliates in the default campaign: `person-0@example.com` and so on. */
export async function createAffiliates({ client }: Service, count: number): Promise<void> {
  for (let index = 0; index < count; index += 10) {
    const few = Array.from({ length: Math.min(10, count - index) }, (_, offset) => index + offset);
    await Promise.all(
      few.map((number) => client.affiliates.create({ email: `person-${number}@example.com` })),
    );
  }
}
