import type { Replay } from "@findersfee/contract/webhooks/deliveries";
import { findReplay, stopReplay as stopRow } from "@findersfee/database/webhooks/replays";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { viewReplay } from "./view.ts";

/**
 * Stops a replay: it makes no more deliveries due. At most 500 deliveries that are already due are still delivered. A
 * finished one stays as it is. Errors: `not_found`.
 */
export async function stopReplay(context: Context, id: string): Promise<Replay> {
  return await inTransaction(context, async (sql) => {
    await stopRow(sql, context.organization.id, id);
    const row = await findReplay(sql, context.organization.id, id);
    if (row === null) throw notFound("replay");
    return viewReplay(row);
  });
}
