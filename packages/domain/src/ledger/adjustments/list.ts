import type { Adjustment, ListAdjustments } from "@findersfee/contract/ledger/adjustments";
import type { Page } from "@findersfee/contract/pages";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { countAdjustments, listAdjustments as listRows } from "@findersfee/database/ledger/adjustments";
import { findPayout } from "@findersfee/database/payouts/payouts";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { readPage, requireNamed } from "../../pages.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { viewAdjustment } from "./view.ts";

/**
 * Adjustments, newest first. Errors: `not_found` when nothing matches and the named affiliate, commission or payout does not
 * exist.
 */
export async function listAdjustments(context: Context, query: ListAdjustments): Promise<Page<Adjustment>> {
  const { database, organization } = context;
  const { affiliate_id, commission_id, payout_id, payout_status } = query;
  const filter = { affiliate_id, commission_id, payout_id, payout_status };
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countAdjustments(database, organization.id, filter),
    view: viewAdjustment,
  });
  await requireNamed(page, [
    ...(affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]),
    ...(commission_id === undefined ? [] : [() => require(commission_id, "commission", findCommission)]),
    ...(payout_id === undefined ? [] : [() => require(payout_id, "payout", findPayout)]),
  ]);
  return page;

  async function require(id: string, noun: string, find: Find): Promise<void> {
    if ((await find(database, organization.id, id)) === null) throw notFound(noun);
  }
}

type Find = (sql: Connection, organizationId: string, id: string) => Promise<object | null>;
