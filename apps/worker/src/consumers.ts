import type { Database } from "@findersfee/database/postgres/connect";
import type { WorkKind } from "@findersfee/database/work/due-work";
import { reviews } from "./commissions.ts";
import { type MailDependencies, mails } from "./mails/consumer.ts";
import { payoutRuns } from "./payouts.ts";
import { inboundWebhooks } from "./processors/inbound-webhooks.ts";
import { lookups } from "./processors/lookups.ts";
import { promoCodes } from "./processors/promo-codes.ts";
import type { StripeDependencies } from "./processors/stripe/client.ts";
import { totals } from "./reports.ts";
import { tiers } from "./tiers.ts";
import { replays } from "./webhooks/replays.ts";
import type { Consumer } from "./work/consumer.ts";
import { jobs } from "./work/jobs.ts";

export interface ConsumerDependencies extends StripeDependencies, MailDependencies {
  /** For statements that may take minutes; the other one ends them sooner. */
  long_database: Database;
  /** An organization has new events. */
  notifyEvents: (organization_id: string) => void;
  /** Work made work of another kind due. */
  offer: (kind: WorkKind, organization_id: string) => void;
}

/** All consumers: one for each kind of work beside deliveries. */
export function allConsumers(dependencies: ConsumerDependencies): Consumer[] {
  const { long_database, log, secrets_key, notifyEvents, offer } = dependencies;
  return [
    inboundWebhooks({ ...dependencies, offerLookups: (id) => offer("lookups", id) }),
    lookups({ ...dependencies, offerInboundWebhooks: (id) => offer("inbound_webhooks", id) }),
    promoCodes(dependencies),
    mails(dependencies),
    payoutRuns({ database: long_database, log }),
    replays({ database: long_database, notifyEvents }),
    jobs({ database: long_database, log, notifyEvents, secrets_key }),
    reviews({ database: long_database }),
    totals({ database: long_database }),
    tiers({ database: long_database }),
  ];
}
