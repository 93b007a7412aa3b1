import type { AffiliateDetail } from "@findersfee/contract/affiliates/review";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listFormerLinkCodes } from "@findersfee/database/affiliates/codes";
import { findErasedBan } from "@findersfee/database/affiliates/erased-bans";
import { findAffiliateReview, listAffiliateMonths } from "@findersfee/database/affiliates/review";
import { findPayoutHold } from "@findersfee/database/payouts/holds";
import { listPromoCodes } from "@findersfee/database/processors/promo-codes";
import { viewInvitation } from "../affiliates/invite.ts";
import { stateOf } from "../affiliates/state.ts";
import { viewAffiliate } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { listBalances } from "../ledger/list-balances.ts";
import { toMajor } from "../money.ts";
import { viewPromoCode } from "../processors/promo-codes/view.ts";

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
  const [row, review, codes, former_link_codes, months, balances, hold] = await Promise.all([
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
  ]);
  if (row === null || review === null) throw notFound("affiliate");
  const ban = row.erased_at === null ? null : await findErasedBan(database, organization.id, id);
  const { declined_at, decline_reason, ban_reason, left_at, email_confirmed_at } = review;
  const { agreed_at, disowned_at, mail_waits_until } = review;
  return {
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
