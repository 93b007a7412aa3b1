import type { Page } from "@findersfee/contract/pages";
import type { ListPayouts, Payout } from "@findersfee/contract/payouts/payouts";
import { countPayouts, listPayouts as listRows } from "@findersfee/database/payouts/payouts";
import type { Context } from "../context.ts";
import { readPage, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { viewPayout } from "./view.ts";

/** Payouts, newest first. Errors: `not_found` when nothing matches and the named affiliate does not exist. */
export async function listPayouts(context: Context, query: ListPayouts): Promise<Page<Payout>> {
  const { database, organization } = context;
  const { affiliate_id, status, period } = query;
  const filter = { affiliate_id, status, period };
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countPayouts(database, organization.id, filter),
    view: (row) => viewPayout(row, organization.currency),
  });
  await requireNamed(page, affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]);
  return page;
}
