import type { PayoutRun } from "@findersfee/contract/payout-runs";
import { findPayoutRun } from "@findersfee/database/payout-runs";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewPayoutRun } from "./view.ts";

/** One run, with the number of payouts created so far. Errors: `not_found`. */
export async function getPayoutRun({ database, organization }: Context, id: string): Promise<PayoutRun> {
  const row = await findPayoutRun(database, organization.id, { id });
  if (row === null) throw notFound("payout run");
  return viewPayoutRun(row);
}
