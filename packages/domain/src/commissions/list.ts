import type { Commission, ListCommissions } from "@findersfee/contract/commissions/commissions";
import type { Page } from "@findersfee/contract/pages";
import {
  type CommissionFilter,
  countCommissions,
  findNewestPayouts,
  isPlaced,
  listCommissions as listRows,
} from "@findersfee/database/commissions/commissions";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../context.ts";
import { getReferral } from "../customers/referrals/get.ts";
import { firstIdOf } from "../ids.ts";
import { readPage, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { viewCommission } from "./view.ts";

/** Up to this many payouts, their commissions are read by payout. With more, a scan finds matches quickly. */
const FEW = { payouts: 1_000, commissions: 10_000 };

/**
 * Commissions, newest first. Errors: `not_found` when nothing matches and the named affiliate or referral does not
 * exist.
 */
export async function listCommissions(context: Context, query: ListCommissions): Promise<Page<Commission>> {
  const { database, organization } = context;
  const asked = filterOf(query);
  const filter = await narrow(database, organization.id, asked);
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countCommissions(database, organization.id, asked),
    view: (row) => viewCommission(row, organization.currency),
  });
  const { affiliate_id, referral_id } = query;
  await requireNamed(page, [
    ...(affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]),
    ...(referral_id === undefined ? [] : [() => getReferral(context, referral_id)]),
  ]);
  return page;
}

function filterOf(query: ListCommissions): CommissionFilter {
  const { affiliate_id, referral_id, payout_status, review_state, for_recruits } = query;
  const created_after = query.created_after === undefined ? undefined : new Date(query.created_after);
  const created_before = query.created_before === undefined ? undefined : new Date(query.created_before);
  return {
    affiliate_id,
    referral_id,
    payout_status,
    review_state,
    for_recruits,
    created_after,
    created_before,
    from_id: created_after && firstIdOf(created_after),
    before_id: created_before && firstIdOf(created_before),
  };
}

/**
 * Narrows a filter by payout status to the same commissions at a lower cost: by payout if there are few of them,
 * otherwise without the commissions that are newer than the newest payout.
 */
export async function narrow(
  sql: Connection,
  organization_id: string,
  filter: CommissionFilter,
): Promise<CommissionFilter> {
  const { affiliate_id, referral_id, payout_status, before_id } = filter;
  if (!isPlaced(payout_status) || (affiliate_id ?? referral_id) !== undefined) return filter;
  const payouts = await findNewestPayouts(sql, organization_id, {
    payout_status,
    limit: FEW.payouts + 1,
  });
  const commissions = payouts.reduce((sum, { payment_count }) => sum + payment_count, 0);
  if (payouts.length <= FEW.payouts && commissions <= FEW.commissions)
    return { ...filter, payout_ids: payouts.map(({ id }) => id) };
  const newest_at = payouts[0]?.newest_at ?? new Date();
  const unmade_id = firstIdOf(new Date(newest_at.getTime() + 1));
  return { ...filter, before_id: before_id !== undefined && before_id < unmade_id ? before_id : unmade_id };
}
