import { MAX_SUMMED_COMMISSIONS } from "@findersfee/contract/customers/referral-rows";
import type { ListOwnReferrals, OwnReferral } from "@findersfee/contract/portal/referrals";
import type { RowPage } from "@findersfee/contract/row-pages";
import { listOwnReferrals as listRows, type OwnReferralRow } from "@findersfee/database/portal/referrals";
import type { Database } from "@findersfee/database/postgres/connect";
import { endOfLimit } from "../attribution/decide/limit.ts";
import { limitOf } from "../attribution/facts/stored-fact.ts";
import { shownEmail } from "../customers/referrals/shown-email.ts";
import { toMajor } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { ownOf } from "./own.ts";

/** The customers that the affiliate referred, newest first. */
export async function listOwnReferrals(
  database: Database,
  session: AffiliateSession,
  query: ListOwnReferrals,
): Promise<RowPage<OwnReferral>> {
  return await readRowPage(query, {
    read: (range) =>
      listRows(database, { ...ownOf(session), range, most_commissions: MAX_SUMMED_COMMISSIONS }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewReferral,
  });
}

function viewReferral(row: OwnReferralRow): OwnReferral {
  const limit = limitOf(row);
  return {
    id: row.id,
    customer: shownEmail(row.email, row),
    subscription_status: row.subscription_status,
    signup_date: row.signup_date.toISOString(),
    converted_at: row.converted_at?.toISOString() ?? null,
    earned: row.sums.map(({ currency, commission_minor }) => ({
      currency,
      amount: toMajor(BigInt(commission_minor), currency),
    })),
    earns_until: endOfLimit(limit, row.first_at)?.toISOString() ?? null,
    payments_left: limit?.type === "payments" ? Math.max(limit.amount - row.payments, 0) : null,
  };
}
