import type { ListReferrals, Referral } from "@findersfee/contract/customers/referrals";
import type { Page } from "@findersfee/contract/pages";
import { countReferrals, listReferrals as listRows } from "@findersfee/database/customers/referrals";
import type { Context } from "../../context.ts";
import { readPage, requireNamed } from "../../pages.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { viewReferral } from "./view.ts";

/** Referrals, newest first. Errors: `not_found` when nothing matches and the named affiliate does not exist. */
export async function listReferrals(context: Context, query: ListReferrals): Promise<Page<Referral>> {
  const { database, organization } = context;
  const { affiliate_id, email, processor_customer_id, subscription_status } = query;
  const filter = {
    affiliate_id,
    email,
    processor_customer_id,
    subscription_statuses: subscription_status,
  };
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countReferrals(database, organization.id, filter),
    view: (row) => viewReferral(row, organization.currency),
  });
  await requireNamed(page, affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]);
  return page;
}
