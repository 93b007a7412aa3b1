import type { Commission, ListCommissions } from "@findersfee/contract/commissions";
import type { Page } from "@findersfee/contract/pages";
import {
  type CommissionFilter,
  countCommissions,
  listCommissions as listRows,
} from "@findersfee/database/commissions";
import { getAffiliate } from "../affiliates/get.ts";
import type { Context } from "../context.ts";
import { firstIdOf } from "../ids.ts";
import { readPage, requireNamed } from "../pages.ts";
import { getReferral } from "../referrals/get.ts";
import { viewCommission } from "./view.ts";

/**
 * Commissions, newest first. Errors: `not_found` when nothing matches and the named affiliate or referral
 * does not exist.
 */
export async function listCommissions(context: Context, query: ListCommissions): Promise<Page<Commission>> {
  const { database, organization } = context;
  const filter = filterOf(query);
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countCommissions(database, organization.id, filter),
    view: (row) => viewCommission(row, organization.currency),
  });
  const { affiliate_id, referral_id } = query;
  await requireNamed(page, [
    ...(affiliate_id === undefined ? [] : [() => getAffiliate(context, affiliate_id)]),
    ...(referral_id === undefined ? [] : [() => getReferral(context, referral_id)]),
  ]);
  return page;
}

function filterOf(query: ListCommissions): CommissionFilter {
  const { affiliate_id, referral_id, payout_status } = query;
  const created_after = query.created_after === undefined ? undefined : new Date(query.created_after);
  const created_before = query.created_before === undefined ? undefined : new Date(query.created_before);
  return {
    affiliate_id,
    referral_id,
    payout_status,
    created_after,
    created_before,
    from_id: created_after && firstIdOf(created_after),
    before_id: created_before && firstIdOf(created_before),
  };
}
