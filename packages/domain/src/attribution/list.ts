import type {
  ListPaymentDecisions,
  PaymentDecision,
} from "@findersfee/contract/attribution/payment-decisions";
import type { Page } from "@findersfee/contract/pages";
import {
  countPaymentDecisions,
  listPaymentDecisions as listRows,
} from "@findersfee/database/attribution/decisions";
import { findReferral } from "@findersfee/database/customers/referrals";
import type { Context } from "../context.ts";
import { requireReferral } from "../errors.ts";
import { readPage, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { viewPaymentDecision } from "./view.ts";

/** Payment decisions, newest first. Errors: `not_found` (affiliate, referral). */
export async function listPaymentDecisions(
  context: Context,
  query: ListPaymentDecisions,
): Promise<Page<PaymentDecision>> {
  const { database, organization } = context;
  const { outcome, affiliate_id, referral_id, processor_payment_id } = query;
  const filter = { outcome, affiliate_id, referral_id, processor_payment_id };
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countPaymentDecisions(database, organization.id, filter),
    view: (row) => viewPaymentDecision(row, organization.currency),
  });
  await requireNamed(page, [
    ...(affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]),
    ...(referral_id === undefined
      ? []
      : [async () => requireReferral(await findReferral(database, organization.id, referral_id))]),
  ]);
  return page;
}
