import type { Database } from "@findersfee/database/postgres/connect";
import type { Actor } from "./actor.ts";
import type { Right } from "./identity/rights/right.ts";
import type { Quotas } from "./quotas.ts";
import type { SecretsKey } from "./secrets/secrets.ts";

/** The organization that an operation works for. */
export interface OrganizationContext {
  id: string;
  /** ISO 4217; fixed amounts of campaigns are in it, and commissions by default. */
  currency: string;
  subscription_status: "active" | "trialing" | "past_due" | "canceled";
}

/** A request's Idempotency-Key and the SHA-256 of its operation and input. */
export interface IdempotencyClaim {
  key: string;
  request_hash: Buffer;
  /** The hash of earlier versions of the service, for their stored answers: the order of fields counts. */
  formerHash?: () => Buffer;
  /** Set by the operation when it returned a stored response and changed nothing. */
  replayed: boolean;
}

/** The input of every operation: the data, the organization and the actor. */
export interface Context {
  database: Database;
  organization: OrganizationContext;
  /** The author of the operation's changes. Written records name it. */
  actor: Actor;
  /** The sender's right to the operation, which its transaction checks again. Absent: no request sent it. */
  right?: Right | undefined;
  /** Null: the caller sent no Idempotency-Key. */
  idempotency: IdempotencyClaim | null;
  /** Limits of stored rows for API requests. Absent: the operator and the service itself are not limited. */
  quotas?: Quotas | undefined;
  /** For hashes of addresses. Contexts that create or erase affiliates have it. */
  secrets_key?: SecretsKey | undefined;
  /** Notifies the workers, once a change is committed, that deliveries may be due. Returns at once. */
  notifyWorkers: (organization_id: string) => void;
}
