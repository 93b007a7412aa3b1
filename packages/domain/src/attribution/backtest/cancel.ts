import type { BacktestSummary } from "@findersfee/contract/attribution/backtests";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { cancelWithin } from "../../work/jobs/cancel.ts";
import { requireBacktest, viewSummary } from "./view.ts";

/** Cancels a backtest that runs; one that has ended stays as it is. Errors: `not_found`. */
export async function cancelBacktest(sender: Context, id: string): Promise<BacktestSummary> {
  const context = beyondQuotas(sender);
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    await requireBacktest(sql, organization.id, id);
    await cancelWithin(sql, context, id);
    return viewSummary(await requireBacktest(sql, organization.id, id));
  });
}
