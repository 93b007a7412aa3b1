import { MAX_PAYOUTS_MOVED } from "@findersfee/contract/payouts/payouts";
import type { OpenPayouts } from "@findersfee/contract/payouts/rows";
import { listOpenPayouts as listIds } from "@findersfee/database/payouts/list-rows";
import type { Context } from "../context.ts";
import { getPayoutRun } from "./runs/get.ts";

/** The payouts of a run that are pending or processing, as many as one call of `movePayouts` takes. Errors: `not_found`. */
export async function listOpenPayouts(context: Context, run_id: string): Promise<OpenPayouts> {
  const { database, organization } = context;
  const ids = await listIds(database, organization.id, { run_id, limit: MAX_PAYOUTS_MOVED + 1 });
  if (ids.length === 0) await getPayoutRun(context, run_id);
  return { ids: ids.slice(0, MAX_PAYOUTS_MOVED), has_more: ids.length > MAX_PAYOUTS_MOVED };
}
