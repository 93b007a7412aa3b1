import type { QuotaLimits } from "@findersfee/domain/quotas";
import type { TrackingBudgets } from "@findersfee/domain/tracking/tracking";
import type { EndpointUrlRelaxations } from "@findersfee/domain/webhooks/endpoints/url";

/**
 * The number of trusted proxies in front of the service, or their addresses and CIDR ranges; false for none.
 */
export type TrustedProxies = false | number | string[];

/**
 * The maximum number of requests in progress per API key, per organization, and per address without a key.
 */
export interface ConcurrencyLimits {
  per_key: number;
  per_organization: number;
  per_address: number;
}

/** The configuration of an api process; the command line reads it from the environment. */
export interface ApiConfig {
  host: string;
  port: number;
  /** The public address, if it differs from the one listened on. */
  public_url: string | null;
  /** Host names of the service, apart from the public address's. */
  service_hosts: string[];
  /** Name servers that prove host names of portals; none for the system's. */
  dns_servers: string[];
  /** Where to report vulnerabilities, as a `mailto:` or `https:` address; null: the service names none. */
  security_contact: string | null;
  /** Which addresses of identity providers are allowed. */
  sign_in_providers: EndpointUrlRelaxations;
  /** Per API key and process; 0 for no limit. */
  rate_limit_per_minute: number;
  /** Clicks and sign-ups per address and process; 0 for no limit. */
  track_limit_per_minute: number;
  /** Per organization and process; 0 for no limit. */
  track_budgets_per_minute: TrackingBudgets;
  /** Requests in progress per process; 0 for no separate limit. */
  concurrent_requests: ConcurrencyLimits;
  /** Requests to sign in, or with a link, per address and process; 0 for no limit. */
  sign_in_limit_per_minute: number;
  /** Invalid keys and tokens per address that are looked up; 0 for no limit. */
  failed_authentications_per_minute: number;
  /** Origins of pages that may call the API with a key. */
  cors_origins: string[];
  /** The maximum number of rows per organization. */
  quotas: QuotaLimits;
  log_level: string;
  /** Proxies that may set the client's address in X-Forwarded-For: their number or their addresses. */
  trust_proxy: TrustedProxies;
  /** The header in which these proxies report the visitor's country; null: none. */
  country_header: string | null;
}
