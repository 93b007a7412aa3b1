import type { Database } from "@findersfee/database/postgres/connect";
import { processInboundWebhooks } from "@findersfee/domain/processors/process-inbound-webhooks";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { Logger } from "pino";
import type { Consumer } from "../work/consumer.ts";

/** Organizations at once, each on a connection of its own. */
const AT_ONCE = 3;
/** The part of the connections to use in a smaller pool. */
const POOL_PART = 0.4;
const SEARCH_MILLISECONDS = 1_000;
/** Another transaction has the organization's payments, which takes a moment. */
const LOCKED_MILLISECONDS = 50;

export interface InboundWebhookDependencies {
  database: Database;
  log: Logger;
  /** For the hashes of cards. */
  secrets_key: SecretsKey;
  /** An organization has new events. */
  notifyEvents: (organization_id: string) => void;
  /** An organization has new lookups. */
  offerLookups: (organization_id: string) => void;
}

/** Processes the inbound webhooks of payment processors. */
export function inboundWebhooks({
  database,
  log,
  secrets_key,
  notifyEvents,
  offerLookups,
}: InboundWebhookDependencies): Consumer {
  return {
    kind: "inbound_webhooks",
    organizations_at_once: Math.min(AT_ONCE, Math.ceil(database.options.max * POOL_PART)),
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner }) {
      const processed = await processInboundWebhooks(database, organization_id, { owner, secrets_key });
      const { locked, done, skipped, dead_lettered, failed, lookups, full } = processed;
      if (!locked) return { next: { milliseconds: LOCKED_MILLISECONDS, of: "organization" } };
      if (done > 0) notifyEvents(organization_id);
      if (lookups > 0) offerLookups(organization_id);
      if (dead_lettered > 0 || failed > 0) {
        log.warn({ organization_id, dead_lettered, failed }, "inbound webhooks failed or were dead-lettered");
      }
      return { completed: done + skipped, failed, dead_lettered, next: full ? "more" : "idle" };
    },
  };
}
