import type { Page } from "@findersfee/contract/pages";
import type { ListPayoutRuns, PayoutRun } from "@findersfee/contract/payout-runs";
import { listPayoutRuns as listRows } from "@findersfee/database/payout-runs";
import type { Context } from "../context.ts";
import { idOf, pageOf } from "../pages.ts";
import { viewPayoutRun } from "./view.ts";

/** Runs, newest first. */
export async function listPayoutRuns(
  { database, organization }: Context,
  { limit, cursor }: ListPayoutRuns,
): Promise<Page<PayoutRun>> {
  const rows = await listRows(database, organization.id, { below: cursor ?? null, limit: limit + 1 });
  return pageOf(rows, { limit, view: viewPayoutRun, cursorOf: idOf });
}
