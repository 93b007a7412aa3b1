import type { Payout } from "@findersfee/contract/payouts/payouts";
import type { PayoutRow } from "@findersfee/database/rows";
import { viewAffiliate } from "../affiliates/view.ts";
import { viewReducedPayout } from "../webhooks/events/data.ts";

/** A payout with its affiliate, as the API shows it. Most fields are in webhooks/events/data.ts. */
export function viewPayout(row: PayoutRow, currency: string): Payout {
  return {
    ...viewReducedPayout(row),
    status: row.status,
    method: row.method,
    affiliate: viewAffiliate(row.affiliate, currency),
  };
}
