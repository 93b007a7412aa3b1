import type { ListRefusedPayments, RefusedPayments } from "@findersfee/contract/attribution/payment-rows";
import { MAX_CHANGED } from "@findersfee/contract/commissions/rows";
import { haveAffiliates } from "@findersfee/database/affiliates/affiliates";
import { findRefusedPayments } from "@findersfee/database/attribution/refused-payments";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";

/** The latest payments of each affiliate that are searched. An affiliate who was just approved or unbanned has few others. */
const LOOKED_AT = 1000;

/**
 * The payments that earned nothing because one of the affiliates was not approved, or was banned. Once that has changed,
 * `rerunPayments` can decide them again. Errors: `not_found` when there are none and an affiliate does not exist.
 */
export async function listRefusedPayments(
  { database, organization }: Context,
  { affiliate_ids, outcome }: ListRefusedPayments,
): Promise<RefusedPayments> {
  const ids = [...new Set(affiliate_ids.map((id) => id.toLowerCase()))];
  const rows = await findRefusedPayments(database, organization.id, {
    affiliate_ids: ids,
    outcome,
    looked_at: LOOKED_AT,
    limit: MAX_CHANGED,
  });
  if (rows.length === 0 && !(await haveAffiliates(database, organization.id, ids)))
    throw notFound("affiliate");
  return { count: rows[0]?.count ?? 0, ids: rows.map(({ id }) => id) };
}
