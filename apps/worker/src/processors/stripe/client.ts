import type { Database } from "@findersfee/database/postgres/connect";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { Logger } from "pino";
import type { Stripe } from "stripe";

/** The dependencies of calls to Stripe's API for organizations. */
export interface StripeDependencies {
  database: Database;
  log: Logger;
  secrets_key: SecretsKey;
  /** Null: Stripe's own. */
  stripe_api_url: string | null;
}

/** The further dependencies for creating webhook endpoints. */
export interface EndpointDependencies extends StripeDependencies {
  /** The address at which Stripe reaches the service; null: unknown. */
  publicUrl: () => string | null;
}

const DEFAULT_URL = "https://api.stripe.com";
const TIMEOUT_MILLISECONDS = 20_000;

/** Stripe's library is 20 MB in memory, which a worker of organizations without Stripe can do without. */
let library: typeof Stripe | null = null;

/** A client of Stripe's API for one organization's key. It does not retry. */
export async function stripeClient(
  api_key: string,
  { api_url }: { api_url: string | null },
): Promise<Stripe> {
  library ??= (await import("stripe")).Stripe;
  const url = new URL(api_url ?? DEFAULT_URL);
  const protocol = url.protocol === "http:" ? "http" : "https";
  return new library(api_key, {
    protocol,
    host: url.hostname,
    port: url.port === "" ? (protocol === "http" ? 80 : 443) : Number(url.port),
    timeout: TIMEOUT_MILLISECONDS,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

export type StripeFailure =
  /** Stripe may or may not have processed the request. */
  | { kind: "unanswered"; message: string }
  /** Another request with the same idempotency key is being processed. */
  | { kind: "in_progress"; message: string }
  /** A retry may succeed. */
  | { kind: "passing"; message: string }
  /** The same request would fail again. */
  | { kind: "refused"; status: number; code: string | null; message: string };

/** Classifies an error of Stripe's client for the caller; null: it is no such error. */
export function stripeFailure(error: unknown): StripeFailure | null {
  if (library === null || !(error instanceof library.errors.StripeError)) return null;
  const message = withoutKeys(
    `${error.message}${error.code === undefined ? "" : ` (${error.code})`}`.slice(0, 500),
  );
  const status = error.statusCode;
  if (status === undefined) return { kind: "unanswered", message };
  if (status === 409 && error.code === "idempotency_key_in_use") return { kind: "in_progress", message };
  if (status === 429 || status === 409 || status >= 500) return { kind: "passing", message };
  return { kind: "refused", status, code: error.code ?? null, message };
}

/** Stripe's errors name keys by their last characters, also in texts that are stored. This holds us to it. */
function withoutKeys(text: string): string {
  return text.replace(/\b(rk|sk)_(live|test)_[A-Za-z0-9_]+([A-Za-z0-9_]{4})/g, "$1_$2_…$3");
}
