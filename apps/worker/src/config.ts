import type { TimeLimits } from "@findersfee/database/postgres/connect";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { MailConfig } from "./mails/send-mail.ts";
import type { Retention } from "./run-retention.ts";
import type { ProxyConfig } from "./webhooks/proxy.ts";

/** The configuration of a worker process; the command line reads it from the environment. */
export interface WorkerConfig {
  secrets_key: SecretsKey;
  /** Which receivers are allowed beyond public addresses by https. */
  allow_http: boolean;
  allow_private: boolean;
  /** The version of the service, as receivers see it. */
  version: string;
  /** PEM of authorities beyond the public ones that receivers' certificates may be signed by. */
  ca?: string;
  /** Deliveries go through it; undefined: to receivers directly. */
  proxy?: ProxyConfig | undefined;
  /** The database's address for the job queue; not through a pooler in transaction mode, where it must poll. */
  queue_url: string;
  /** Limits of the job queue's statements; none without. */
  queue_limits?: TimeLimits | null;
  /** Other workers take over the shards of a worker that has not renewed its lease for this time. */
  lease_seconds: number;
  /** Of Stripe's API; null: its own address. */
  stripe_api_url: string | null;
  /** Of the file of exchange rates that is fetched daily; null: none is. */
  exchange_rates_url: string | null;
  /** Of the api, for links in mails; null: mails go without. Read for each mail: a local service knows it once the api listens. */
  public_url: string | null;
  /** Name servers that prove host names of portals; none for the system's. */
  dns_servers: string[];
  retention: Retention;
  mail: MailConfig;
  /** Whether the service shows mails to members instead, on one machine without a mail server. */
  shows_mails?: boolean;
  /** The most mails of an organization in a day (UTC) to people who have not agreed; 0: any number. */
  mails_to_strangers: number;
}
