import type { Database } from "@findersfee/database/postgres/connect";
import type { Context } from "../context.ts";
import type { AffiliateSession } from "../principal.ts";
import type { SecretsKey } from "../secrets/secrets.ts";

/** The input that operations of an affiliate need in addition to its session. */
export interface Acting {
  database: Database;
  secrets_key?: SecretsKey | undefined;
  /** Notifies the workers that an organization has events to deliver. */
  notifyWorkers: (organization_id: string) => void;
}

/** The context in which an affiliate changes its own data: the audit log names the affiliate. */
export function ownContext(
  { database, secrets_key, notifyWorkers }: Acting,
  { organization, affiliate_id }: AffiliateSession,
): Context {
  return {
    database,
    organization,
    actor: { kind: "affiliate", id: affiliate_id },
    idempotency: null,
    secrets_key,
    notifyWorkers,
  };
}
