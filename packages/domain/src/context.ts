import type { Database } from "@findersfee/database/connect";
import type { Quotas } from "./quotas.ts";

/** The organization that an operation works for. */
export interface OrganizationContext {
  id: string;
  /** ISO 4217; fixed amounts of campaigns are in it, and commissions by default. */
  currency: string;
  subscription_status: "active" | "trialing" | "past_due" | "canceled";
}

/** A request's Idempotency-Key and the SHA-256 of what it asks for. */
export interface IdempotencyClaim {
  key: string;
  request_hash: Buffer;
  /** Set by the operation when it answered with a stored response and changed nothing. */
  replayed: boolean;
}

/** What every operation gets: where the data is, and for whom it works. */
export interface Context {
  database: Database;
  organization: OrganizationContext;
  /** Who works: `key <id>`, `operator` at the command line, `job <name>`. What is written down says so. */
  actor: string;
  /** Null: the caller sent no Idempotency-Key. */
  idempotency: IdempotencyClaim | null;
  /** Limits of stored rows for API requests. Absent: the operator and the service itself are not limited. */
  quotas?: Quotas | undefined;
  /** Tells the workers, once a change is committed, that there may be something to deliver. Returns at once. */
  wake: (organization_id: string) => void;
}
