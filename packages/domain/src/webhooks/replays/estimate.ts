import type { CreateReplay, ReplayEstimate } from "@findersfee/contract/webhooks/deliveries";
import { countFailedDeliveries } from "@findersfee/database/webhooks/replays";
import type { Context } from "../../context.ts";
import { requireEndpoint } from "../endpoints/get.ts";

const MAX_COUNTED = 100_000;

/** The number of deliveries that a replay would repeat if it began now. Errors: `not_found` (endpoint). */
export async function estimateReplay(
  { database, organization }: Context,
  { endpoint_id, events_from, events_to }: CreateReplay,
): Promise<ReplayEstimate> {
  await requireEndpoint(database, organization.id, endpoint_id);
  const range = { endpoint_id, events_from: new Date(events_from), events_to: new Date(events_to) };
  const deliveries = await countFailedDeliveries(database, organization.id, range, MAX_COUNTED);
  return { deliveries, most_counted: MAX_COUNTED };
}
