import type { QuotaLimits } from "@findersfee/domain/quotas";
import type { TrackingBudgets } from "@findersfee/domain/tracking/tracking";

/** The number of proxies in front of the service, or their addresses and CIDR ranges; false: none. */
export type TrustedProxies = false | number | string[];

/** How many requests one API key, one organization, and one address without a key have under way. */
export interface ConcurrencyLimits {
  per_key: number;
  per_organization: number;
  per_address: number;
}

/** What an api process can be told; the command line reads it from the environment. */
export interface ApiConfig {
  host: string;
  port: number;
  /** The address that clients use, when it is not the one listened on. */
  public_url: string | null;
  /** Per API key and process; 0: no limit. */
  rate_limit_per_minute: number;
  /** Clicks and sign-ups per address and process; 0: no limit. */
  track_limit_per_minute: number;
  /** Per organization and process; 0: no limit. */
  track_budgets_per_minute: TrackingBudgets;
  /** Requests under way, for each process; 0: no limit of its own. */
  concurrent_requests: ConcurrencyLimits;
  /** Wrong keys and tokens of each address that are looked up; 0: no limit. */
  failed_authentications_per_minute: number;
  /** Origins whose pages may call the API with a key. */
  cors_origins: string[];
  /** Rows that one organization may keep. */
  quotas: QuotaLimits;
  log_level: string;
  /** Proxies that may name the client's address in X-Forwarded-For: how many there are, or their addresses. */
  trust_proxy: TrustedProxies;
}
