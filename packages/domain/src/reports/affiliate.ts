import { type AffiliateDetail, MAX_DETAIL_RECRUITS } from "@findersfee/contract/affiliates/review";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listFormerLinkCodes } from "@findersfee/database/affiliates/codes";
import { findErasedBan } from "@findersfee/database/affiliates/erased-bans";
import { listRecruits, type RecruitRow } from "@findersfee/database/affiliates/recruits";
import { findAffiliateReview, listAffiliateMonths } from "@findersfee/database/affiliates/review";
import { findPayoutHold } from "@findersfee/database/payouts/holds";
import { listPromoCodes } from "@findersfee/database/processors/promo-codes";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewInvitation } from "../affiliates/invite.ts";
import { stateOf } from "../affiliates/state.ts";
import { viewAffiliate } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { listBalances } from "../ledger/list-balances.ts";
import { toMajor, toPercent } from "../money.ts";
import { loadRunConversion } from "../payouts/runs/rates.ts";
import { viewPromoCode } from "../processors/promo-codes/view.ts";
import { viewReducedAffiliate } from "../webhooks/events/data.ts";

const MAX_PROMO_CODES = 20;
const MAX_FORMER_CODES = 20;

/**
 * Everything between the organization and an affiliate. `service_url` is the address of the service; null: it is unknown. Errors:
 * `not_found`.
 */
export async function getAffiliateDetail(
  context: Context,
  id: string,
  service_url: string | null = null,
): Promise<AffiliateDetail> {
  const { database, organization } = context;
  const { currency } = organization;
  const [row, review, codes, former_link_codes, months, balances, hold, recruits] = await Promise.all([
    findAffiliate(database, organization.id, id),
    findAffiliateReview(database, organization.id, id),
    listPromoCodes(database, organization.id, {
      affiliate_id: id,
      failed: false,
      below: null,
      limit: MAX_PROMO_CODES,
    }),
    listFormerLinkCodes(database, organization.id, { affiliate_id: id, limit: MAX_FORMER_CODES }),
    listAffiliateMonths(database, organization.id, { affiliate_id: id, currency }),
    listBalances(context, id),
    findPayoutHold(database, organization.id, id),
    listRecruits(database, organization.id, { recruiter_id: id, limit: MAX_DETAIL_RECRUITS }),
  ]);
  if (row === null || review === null) throw notFound("affiliate");
  const ban = row.erased_at === null ? null : await findErasedBan(database, organization.id, id);
  const { declined_at, decline_reason, ban_reason, left_at, email_confirmed_at } = review;
  const { agreed_at, disowned_at, mail_waits_until } = review;
  const recruiter = await findRecruiter(context, row.recruited_by);
  return {
    recruiter,
    recruits: recruits.map(viewRecruit),
    affiliate: viewAffiliate(row, currency),
    state: stateOf({ ...row, declined: declined_at !== null, left: left_at !== null }),
    declined_at: declined_at?.toISOString() ?? null,
    decline_reason,
    ban_reason,
    left_at: left_at?.toISOString() ?? null,
    email_confirmed_at: email_confirmed_at?.toISOString() ?? null,
    agreed_at: agreed_at?.toISOString() ?? null,
    disowned_at: disowned_at?.toISOString() ?? null,
    mail_waits_until: mail_waits_until?.toISOString() ?? null,
    invitation: viewInvitation(row, review, service_url),
    erased: row.erased_at !== null,
    erased_ban: ban && { reason: ban.reason, erased_at: ban.erased_at.toISOString() },
    payout_hold: hold && {
      reason: hold.reason,
      of_ban: hold.of_ban,
      held_at: hold.held_at.toISOString(),
      ends_at: hold.ends_at?.toISOString() ?? null,
    },
    balances,
    ...(await findMissingRates(context, row)),
    promo_codes: codes.map(viewPromoCode),
    former_link_codes: row.erased_at === null ? former_link_codes : [],
    months: months.map(({ month, commission_minor, clicks }) => ({
      month,
      earned: toMajor(commission_minor, currency),
      clicks: Number(clicks),
    })),
    currency,
  };
}

async function findRecruiter(
  { database, organization }: Context,
  id: string | null,
): Promise<AffiliateDetail["recruiter"]> {
  const row = id === null ? null : await findAffiliate(database, organization.id, id);
  return row && viewReducedAffiliate(row);
}

function viewRecruit(row: RecruitRow): AffiliateDetail["recruits"][number] {
  return {
    ...viewReducedAffiliate(row),
    created_at: row.created_at.toISOString(),
    until: row.recruited_until.toISOString(),
    percent: toPercent(row.recruiting_rate),
    earned: row.sums.map(({ currency, commission_minor }) => ({
      currency,
      amount: toMajor(BigInt(commission_minor), currency),
    })),
  };
}

/** The rates that a run of today would miss to pay the affiliate in its currency. */
async function findMissingRates(
  { database, organization }: Context,
  { id, payout_currency }: AffiliateRow,
): Promise<Pick<AffiliateDetail, "missing_rates">> {
  if (payout_currency === null) return {};
  const { currency } = organization;
  const { missing_rates } = await loadRunConversion(database, organization.id, {
    settings: { currency, minimum_payouts: {}, converts_minimum_payouts: false },
    affiliate_ids: [id],
    cutoff_at: new Date(),
  });
  return missing_rates.length === 0 ? {} : { missing_rates };
}
