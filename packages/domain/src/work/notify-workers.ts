import type { Database } from "@findersfee/database/postgres/connect";
import type { WorkKind } from "@findersfee/database/work/due-work";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { continuityOf } from "../continuity/continuity.ts";

/** The topics of notifications to workers: `events` have deliveries and may have mails. */
export type WorkTopic = "events" | WorkKind;

/** Between two notifications of one process. Messages of payment processors come in bursts, which one batch takes. */
const APART_MILLISECONDS = { events: 8, inbound_webhooks: 25, mails: 25 } as const;

/**
 * Returns the function that notifies all workers of an organization's new work. It returns at once and never
 * fails: a worker finds work without a notification a moment later. Call it after the commit.
 */
export function createNotifier(
  database: Database,
  topic: keyof typeof APART_MILLISECONDS,
  onError: (error: unknown) => void,
): (organization_id: string) => void {
  let wanted = new Set<string>();
  let is_running = false;
  const run = async () => {
    is_running = true;
    while (wanted.size > 0) {
      const organization_ids = [...wanted];
      wanted = new Set();
      await notifyWorkers(database, topic, organization_ids).catch(onError);
      await new Promise((resolve) => setTimeout(resolve, APART_MILLISECONDS[topic]).unref());
    }
    is_running = false;
  };
  return (organization_id) => {
    if (topic === "events") continuityOf(database)?.noteEvents([organization_id]);
    wanted.add(organization_id);
    if (!is_running) void run();
  };
}
