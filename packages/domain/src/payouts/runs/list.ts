import type { Page } from "@findersfee/contract/pages";
import type { ListPayoutRuns, PayoutRun } from "@findersfee/contract/payouts/runs";
import { listRunTotals } from "@findersfee/database/payouts/run-totals";
import { listPayoutRuns as listRows } from "@findersfee/database/payouts/runs";
import type { Context } from "../../context.ts";
import { idOf, pageOf } from "../../pages.ts";
import { viewPayoutRun } from "./view.ts";

/** Runs, newest first. */
export async function listPayoutRuns(
  { database, organization }: Context,
  { limit, cursor }: ListPayoutRuns,
): Promise<Page<PayoutRun>> {
  const rows = await listRows(database, organization.id, { below: cursor ?? null, limit: limit + 1 });
  const totals = await listRunTotals(
    database,
    organization.id,
    rows.map(({ id }) => id),
  );
  return pageOf(rows, { limit, view: (row) => viewPayoutRun(row, totals), cursorOf: idOf });
}
