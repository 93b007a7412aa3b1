import type { CountDeliveries, DeliveryCounts } from "@findersfee/contract/webhooks/delivery-rows";
import { countDeliveryHours } from "@findersfee/database/webhooks/delivery-counts";
import type { Context } from "../../context.ts";
import { firstIdOf } from "../../ids.ts";
import { requireEndpoint } from "../endpoints/get.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** The deliveries of one state that are counted from their rows: all of hours that are not over, and all that are retried. */
const MAX_COUNTED = 120_000;

/** An endpoint's deliveries by the hour of their events, up to the present one. Errors: `not_found` (endpoint). */
export async function countDeliveries(
  { database, organization }: Context,
  { endpoint_id, hours }: CountDeliveries,
): Promise<DeliveryCounts> {
  const present = Math.floor(Date.now() / HOUR_MILLISECONDS);
  const starts = Array.from({ length: hours + 1 }, (_, index) => {
    return new Date((present - hours + 1 + index) * HOUR_MILLISECONDS);
  });
  const rows = await countDeliveryHours(database, organization.id, {
    endpoint_id,
    hours: starts,
    bounds: starts.map(firstIdOf),
    attempted: {
      from: new Date((present - hours) * HOUR_MILLISECONDS),
      until: new Date((present + 2) * HOUR_MILLISECONDS),
    },
    most: MAX_COUNTED,
  });
  if (rows.every(({ delivered, failed, retrying }) => delivered + failed + retrying === 0)) {
    await requireEndpoint(database, organization.id, endpoint_id);
  }
  const counted = rows.map(({ number, is_complete: _, ...counts }) => {
    return { hour: starts[number - 1]?.toISOString() ?? "", ...counts };
  });
  return { hours: counted, is_complete: rows.every(({ is_complete }) => is_complete) };
}
