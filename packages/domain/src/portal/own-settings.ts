import type { OwnSettings, UpdateOwnSettings } from "@findersfee/contract/portal/own-settings";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { mayChoosePayoutCurrency } from "@findersfee/database/organizations/settings";
import { findPayoutEmailChange } from "@findersfee/database/portal/payout-email-changes";
import type { Database } from "@findersfee/database/postgres/connect";
import { updateAffiliateWithin } from "../affiliates/update.ts";
import { DomainError, invalidField } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { requireNoAddress } from "../shown-name.ts";
import { inTransaction } from "../transaction.ts";
import { translateAnswers } from "./answers.ts";
import { requireRoomOfDay } from "./day-limit.ts";
import { ownOf } from "./own.ts";
import { type Acting, ownContext } from "./own-context.ts";

/**
 * The settings that the affiliate can change.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getOwnSettings(database: Database, session: AffiliateSession): Promise<OwnSettings> {
  const own = ownOf(session);
  const now = new Date();
  const [row, change, may_choose_payout_currency] = await Promise.all([
    findAffiliate(database, own.organization_id, own.affiliate_id),
    findPayoutEmailChange(database, { ...own, since: now }),
    mayChoosePayoutCurrency(database, own.organization_id),
  ]);
  if (row === null) throw new DomainError("not_an_affiliate");
  const { first_name, last_name, payout_email, payout_currency, new_paid_referral_notifications, details } =
    row;
  const is_pending =
    change !== null &&
    change.used_at === null &&
    change.expires_at > now &&
    change.session_id === session.session_id;
  return {
    first_name,
    last_name,
    payout_email,
    payout_currency,
    may_choose_payout_currency,
    new_paid_referral_notifications,
    details,
    custom_fields: translateAnswers(row.custom_fields, row.campaign),
    pending_payout_email: is_pending ? change.email : null,
  };
}

/**
 * Changes the affiliate's names, whether it gets mails about new paid referrals, or the currency that it is paid in.
 *
 * @throws DomainError `rate_limited`; `invalid_request` for a currency if the organization does not let affiliates choose one
 */
export async function updateOwnSettings(
  acting: Acting,
  session: AffiliateSession,
  input: UpdateOwnSettings,
): Promise<OwnSettings> {
  const context = ownContext(acting, session);
  requireNoAddress("first_name", input.first_name);
  requireNoAddress("last_name", input.last_name);
  await inTransaction(context, async (sql) => {
    const { payout_currency } = input;
    if (payout_currency !== undefined && !(await mayChoosePayoutCurrency(sql, context.organization.id))) {
      throw invalidField("payout_currency", "The organization chooses the currency.");
    }
    await updateAffiliateWithin(sql, context, { ...input, id: session.affiliate_id });
    await requireRoomOfDay(sql, session);
  });
  return await getOwnSettings(acting.database, session);
}
