import type { Page } from "@findersfee/contract/pages";
import type { Lead, ListLeads } from "@findersfee/contract/tracking/leads";
import { countLeads, listLeads as listRows } from "@findersfee/database/attribution/leads";
import { viewLead } from "../attribution/view-lead.ts";
import type { Context } from "../context.ts";
import { getReferral } from "../customers/referrals/get.ts";
import { readPage, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";

/**
 * Sign-ups, trials and reported conversions, those recorded last first. Errors: `not_found` when nothing matches and the named affiliate
 * or referral does not exist.
 */
export async function listLeads(context: Context, query: ListLeads): Promise<Page<Lead>> {
  const { database, organization } = context;
  const { affiliate_id, referral_id, kind, outcome } = query;
  const filter = { affiliate_id, referral_id, kind, outcome };
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countLeads(database, organization.id, filter),
    view: viewLead,
  });
  await requireNamed(page, [
    ...(affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]),
    ...(referral_id === undefined ? [] : [() => getReferral(context, referral_id)]),
  ]);
  return page;
}
