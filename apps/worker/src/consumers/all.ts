import type { Database } from "@findersfee/database/connect";
import type { WorkKind } from "@findersfee/database/due-work";
import type { StripeDependencies } from "../stripe/client.ts";
import type { Consumer } from "../work/consumer.ts";
import { inboundWebhooks } from "./inbound-webhooks.ts";
import { jobs } from "./jobs.ts";
import { lookups } from "./lookups.ts";
import { type MailDependencies, mails } from "./mails.ts";
import { payoutRuns } from "./payout-runs.ts";
import { promoCodes } from "./promo-codes.ts";
import { replays } from "./replays.ts";
import { totals } from "./totals.ts";

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
  const { long_database, log, notifyEvents, offer } = dependencies;
  return [
    inboundWebhooks({ ...dependencies, offerLookups: (id) => offer("lookups", id) }),
    lookups({ ...dependencies, offerInboundWebhooks: (id) => offer("inbound_webhooks", id) }),
    promoCodes(dependencies),
    mails(dependencies),
    payoutRuns({ database: long_database, log }),
    replays({ database: long_database, notifyEvents }),
    jobs({ database: long_database, log, notifyEvents }),
    totals({ database: long_database }),
  ];
}
