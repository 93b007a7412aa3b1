import type { Page } from "@findersfee/contract/pages";
import type { PayoutPreview, PreviewPayoutRun } from "@findersfee/contract/payout-runs";
import { NO_PAYEE, type Payee, previewPayees } from "@findersfee/database/payout-runs";
import { findSettings } from "@findersfee/database/settings";
import type { Context } from "../context.ts";
import { pageOf } from "../pages.ts";
import { minimumIn } from "./minimum.ts";
import { viewPreview } from "./view.ts";

/** Previews a run at the current time: each affiliate and currency with an unpaid balance, ordered by id. */
export async function previewPayoutRun(
  { database, organization }: Context,
  { limit, cursor }: PreviewPayoutRun,
): Promise<Page<PayoutPreview>> {
  const { minimum_payouts } = await findSettings(database, organization.id);
  const rows = await previewPayees(database, organization.id, {
    after: cursor === undefined ? NO_PAYEE : payeeOf(cursor),
    limit: limit + 1,
    cutoff_at: new Date(),
  });
  return pageOf(rows, {
    limit,
    view: (row) => viewPreview(row, minimumIn(row.currency, minimum_payouts)),
    cursorOf: ({ affiliate_id, currency }) => `${affiliate_id} ${currency}`,
  });
}

function payeeOf(cursor: string): Payee {
  const [affiliate_id = "", currency = ""] = cursor.split(" ");
  return { affiliate_id, currency };
}
