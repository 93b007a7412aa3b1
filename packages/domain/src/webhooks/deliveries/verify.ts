import type { Connection } from "@findersfee/database/postgres/connect";
import {
  type DeliveryFinding,
  findDeliveriesWithoutEvent,
  findShardsWithoutOwner,
  findStuckDeliveries,
} from "@findersfee/database/webhooks/delivery-checks";
import { FAILING, MAX_PROBE_SECONDS } from "../endpoints/probes.ts";

/** An attempt takes at most 15 s, and a shard changes its owner within a worker's lease. */
const PATIENCE_SECONDS = 60;

/** Reports deliveries that should progress and do not. Changes nothing; may run beside the service. */
export async function verifyDeliveries(
  sql: Connection,
  { patience_seconds = PATIENCE_SECONDS } = {},
): Promise<DeliveryFinding[]> {
  const limits = { failing: FAILING, probe_seconds: MAX_PROBE_SECONDS, patience_seconds };
  return [
    ...(await findShardsWithoutOwner(sql, limits)),
    ...(await findStuckDeliveries(sql, limits)),
    ...(await findDeliveriesWithoutEvent(sql)),
  ];
}
