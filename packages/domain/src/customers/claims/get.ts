import { CLAIM_DAYS, MAX_CLAIMED_PAYMENTS } from "@findersfee/contract/customers/claim-limits";
import type { ClaimDetail, ClaimedPayment } from "@findersfee/contract/customers/claims";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import { listPaymentRows, type PaymentListRow } from "@findersfee/database/attribution/list-payment-rows";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { type ClaimDetailRow, findClaim } from "@findersfee/database/customers/claims";
import { findAffiliateLanguage } from "@findersfee/database/mails/language";
import { explainCandidates } from "../../attribution/explain-candidates.ts";
import { viewPaymentRow } from "../../attribution/list-rows.ts";
import { readExplanation } from "../../attribution/write/explanation.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { type ClaimedCustomer, findClaimedCustomer, obstacleOf } from "./customer.ts";
import { viewClaim } from "./view.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Later payments are of no use to a claim. */
const LATER_DAYS = 31;

/** A claim beside the payments of its address, in one answer. Errors: `not_found`. */
export async function getClaim(context: Context, id: string): Promise<ClaimDetail> {
  const { database, organization } = context;
  const claim = await findClaim(database, organization.id, id);
  if (claim === null) throw notFound("claim");
  const customer = await findClaimedCustomer(database, organization.id, { ...claim, lock: false });
  const [rows, [holder], language, commission] = await Promise.all([
    readPayments(context, claim, customer),
    findHolder(context, customer),
    findAffiliateLanguage(database, organization.id, claim.affiliate_id),
    claim.commission_id === null ? null : findCommission(database, organization.id, claim.commission_id),
  ]);
  const { payment_decision_id, decided_by, decided_by_name } = claim;
  const [referral] = customer.referrals;
  return {
    claim: { ...viewClaim(claim), payment_decision_id, decided_by, decided_by_name },
    campaign: { id: claim.campaign_id, name: claim.campaign_name },
    language: language ?? "en",
    commission:
      commission === null
        ? null
        : {
            id: commission.id,
            commission_amount: toMajor(commission.commission_minor, commission.currency),
            currency: commission.currency,
            payout_status: commission.payout_status,
          },
    customer:
      referral === undefined || holder === undefined ? null : { referral_id: referral.id, affiliate: holder },
    payments: await viewPayments(context, { claim, customer, rows }),
  };
}

async function findHolder({ database, organization }: Context, { referrals: [referral] }: ClaimedCustomer) {
  if (referral === undefined) return [];
  const affiliates = await findAffiliates(database, organization.id, [referral.affiliate_id]);
  return affiliates.map(({ id, email, first_name, last_name }) => ({ id, email, first_name, last_name }));
}

async function readPayments(
  { database, organization }: Context,
  { paid_on }: ClaimDetailRow,
  { customer_id }: ClaimedCustomer,
): Promise<PaymentListRow[]> {
  if (customer_id === null) return [];
  return await listPaymentRows(database, organization.id, {
    filter: {
      text: {
        prefix: "",
        matches: { customer_ids: [customer_id], referral_ids: [], affiliate_ids: [], decision_ids: [] },
      },
      paid_until: new Date(Date.parse(paid_on) + LATER_DAYS * DAY_MILLISECONDS),
    },
    range: { after: null, before: null, limit: MAX_CLAIMED_PAYMENTS },
  });
}

async function viewPayments(
  { database, organization }: Context,
  { claim, customer, rows }: { claim: ClaimDetailRow; customer: ClaimedCustomer; rows: PaymentListRow[] },
): Promise<ClaimedPayment[]> {
  const { affiliate_id } = claim;
  const own = rows.flatMap((row) => {
    const candidate = readExplanation(row.explanation).candidates.find(
      (item) => item.affiliate_id === affiliate_id,
    );
    return candidate === undefined ? [] : [{ row, candidate }];
  });
  const explained = await explainCandidates(
    database,
    organization.id,
    own.map(({ row: { paid_at }, candidate }) => ({ candidate, paid_at })),
  );
  const candidate_of = new Map(own.map(({ row }, index) => [row.id, explained[index] ?? null]));
  return rows.map((row) => {
    const { customer_email: _email, remaining: _remaining, ...shown } = viewPaymentRow(row);
    return {
      ...shown,
      is_near: isNear(row.paid_at, claim.paid_on),
      own_candidate: candidate_of.get(row.id) ?? null,
      obstacle: obstacleOf(row, { affiliate_id, referrals: customer.referrals }),
    };
  });
}

/** As the statement that inserts a claim counts, in days of UTC. */
function isNear(paid_at: Date, paid_on: string): boolean {
  const days = Math.floor((paid_at.getTime() - Date.parse(paid_on)) / DAY_MILLISECONDS);
  return Math.abs(days) <= CLAIM_DAYS;
}
