import type { Page } from "@findersfee/contract/pages";
import type { ListPayoutRuns, PayoutRun } from "@findersfee/contract/payout-runs";
import { listPayoutRuns as listRows } from "@findersfee/database/payout-runs";
import type { Context } from "../context.ts";
import { pageOf } from "../pages.ts";
import { viewPayoutRun } from "./view.ts";

const NOT_COUNTED = { page: null, total_count: null, total_pages: null };

/** Runs, newest first. */
export async function listPayoutRuns(
  { database, organization }: Context,
  { limit, cursor }: ListPayoutRuns,
): Promise<Page<PayoutRun>> {
  const rows = await listRows(database, organization.id, { below: cursor ?? null, limit: limit + 1 });
  return pageOf(rows, { limit, view: viewPayoutRun, numbers: NOT_COUNTED });
}
