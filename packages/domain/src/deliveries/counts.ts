import type { CountDeliveries, DeliveryCounts } from "@findersfee/contract/delivery-rows";
import { countDeliveryHours } from "@findersfee/database/delivery-counts";
import type { Context } from "../context.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import { firstIdOf } from "../ids.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** The deliveries that all hours together may count of one state, and what one hour gets at most. */
const MAX_COUNTED = 120_000;
const MAX_COUNTED_IN_HOUR = 5_000;

/** An endpoint's deliveries by the hour of their events, up to the present one. Errors: `not_found` (endpoint). */
export async function countDeliveries(
  { database, organization }: Context,
  { endpoint_id, hours }: CountDeliveries,
): Promise<DeliveryCounts> {
  const present = Math.floor(Date.now() / HOUR_MILLISECONDS);
  const starts = Array.from({ length: hours + 1 }, (_, index) => {
    return new Date((present - hours + 1 + index) * HOUR_MILLISECONDS);
  });
  const most_counted = Math.min(Math.floor(MAX_COUNTED / hours), MAX_COUNTED_IN_HOUR);
  const rows = await countDeliveryHours(database, organization.id, {
    endpoint_id,
    bounds: starts.map(firstIdOf),
    attempted: {
      from: new Date((present - hours) * HOUR_MILLISECONDS),
      until: new Date((present + 2) * HOUR_MILLISECONDS),
    },
    most: most_counted,
  });
  if (rows.every(({ delivered, failed, retrying }) => delivered + failed + retrying === 0)) {
    await requireEndpoint(database, organization.id, endpoint_id);
  }
  const counted = rows.map(({ number, ...counts }) => {
    return { hour: starts[number - 1]?.toISOString() ?? "", ...counts };
  });
  return { hours: counted, most_counted };
}
