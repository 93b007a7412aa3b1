import type { PayoutRun } from "@findersfee/contract/payouts/runs";
import { listRunTotals } from "@findersfee/database/payouts/run-totals";
import { findPayoutRun } from "@findersfee/database/payouts/runs";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewPayoutRun } from "./view.ts";

/** One run, with its sums so far. Errors: `not_found`. */
export async function getPayoutRun({ database, organization }: Context, id: string): Promise<PayoutRun> {
  const row = await findPayoutRun(database, organization.id, { id });
  if (row === null) throw notFound("payout run");
  return viewPayoutRun(row, await listRunTotals(database, organization.id, [id]));
}
