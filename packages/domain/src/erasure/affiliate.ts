import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { erasedEmail } from "@findersfee/contract/affiliates/name";
import { findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { eraseOverrides } from "@findersfee/database/attribution/overrides";
import { eraseClaims } from "@findersfee/database/customers/claims";
import {
  eraseAffiliateRow,
  eraseAuditLog,
  eraseCommissionEntries,
  eraseReferralEntries,
  lockOwed,
  type OwedRow,
} from "@findersfee/database/erasure";
import { eraseSavedViews } from "@findersfee/database/identity/saved-views";
import { eraseAdjustmentReasons } from "@findersfee/database/ledger/adjustments";
import { deletePayoutHold, setPayoutHold } from "@findersfee/database/payouts/holds";
import { deletePortalAccess } from "@findersfee/database/portal/codes";
import { erasePayoutEmailChanges } from "@findersfee/database/portal/payout-email-changes";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../actor.ts";
import { storeBan } from "../affiliates/erased-bans.ts";
import { viewAffiliate } from "../affiliates/view.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { toMajor } from "../money.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";

/** The reason of the hold, for staff. */
const ERASED = "Erased: nobody can be paid.";

/**
 * Erases an affiliate's personal data: its profile, codes, signup answers, claims, reasons of adjustments, requests for
 * another payout email, waiting mails, sessions in the portal, and its audit log entries.
 * Ids, amounts, commissions and payouts stay; payouts keep the name and address they were sent to, as bookkeeping
 * requires. The affiliate is banned, so that no further sales are attributed to it. It cannot be restored, and erasing
 * it again changes nothing.
 *
 * Errors: `not_found`; `affiliate_owed` while the affiliate is owed money, which could not be paid afterwards.
 */
export async function eraseAffiliate(sender: Context, id: string): Promise<Affiliate> {
  const context = beyondQuotas(sender);
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    const before = await lockAffiliate(sql, organization.id, id);
    if (before === null) throw notFound("affiliate");
    const is_erased = before.erased_at !== null;
    if (!is_erased) requireSettled(await lockOwed(sql, organization.id, before.id));
    const entries = await eraseEntries(sql, organization.id, before.id);
    if (is_erased && entries === 0) return viewAffiliate(before, organization.currency);
    if (!is_erased) {
      await holdForever(sql, context, before.id);
      await storeBan(sql, context, before);
      await eraseAffiliateRow(sql, organization.id, { id: before.id, email: erasedEmail(before.id) });
      await eraseSavedViews(sql, organization.id, textsOf(before));
      await eraseClaims(sql, organization.id, {
        affiliate_id: before.id,
        by: actorText(context.actor),
        at: new Date(),
      });
      await erasePayoutEmailChanges(sql, organization.id, before.id);
      await eraseAdjustmentReasons(sql, organization.id, before.id);
      await deletePortalAccess(sql, organization.id, before.email.toLowerCase());
    }
    await writeAuditEntry(sql, context, {
      resource: "affiliate",
      id: before.id,
      action: "erased",
      before: { banned: before.banned },
      after: { banned: true },
    });
    const erased = await findAffiliate(sql, organization.id, before.id);
    if (erased === null) throw new Error(`affiliate ${id} disappeared within its own transaction`);
    return viewAffiliate(erased, organization.currency);
  });
}

/** Money of a payout that comes back later cannot be paid: without a name and an address, it can only be voided. */
async function holdForever(
  sql: Transaction,
  { organization, actor }: Context,
  affiliate_id: string,
): Promise<void> {
  await deletePayoutHold(sql, organization.id, { affiliate_id });
  const hold = { affiliate_id, held_by: actorText(actor), held_at: new Date(), of_ban: false, ends_at: null };
  await setPayoutHold(sql, organization.id, { ...hold, reason: ERASED });
}

async function eraseEntries(sql: Transaction, organization_id: string, resource_id: string): Promise<number> {
  const of_affiliate = await eraseAuditLog(sql, organization_id, { resource: "affiliate", resource_id });
  const of_codes = await eraseAuditLog(sql, organization_id, { resource: "promo_code", resource_id });
  const of_referrals = await eraseReferralEntries(sql, organization_id, resource_id);
  const of_commissions = await eraseCommissionEntries(sql, organization_id, resource_id);
  let of_overrides = 0;
  for (const id of await eraseOverrides(sql, organization_id, resource_id)) {
    of_overrides += await eraseAuditLog(sql, organization_id, { resource: "override", resource_id: id });
  }
  return of_affiliate + of_codes + of_referrals + of_commissions + of_overrides;
}

function requireSettled(owed: readonly OwedRow[]): void {
  if (owed.length === 0) return;
  const amounts = owed.map(({ currency, owed_minor }) => `${toMajor(owed_minor, currency)} ${currency}`);
  throw new DomainError("affiliate_owed", {
    message: `The affiliate's balance is ${amounts.join(", ")}: pay it, void its commissions or adjust it first.`,
  });
}

/** The texts that name an affiliate: as people type them, and as they are in a page's address. */
function textsOf({
  id,
  email,
  first_name,
  last_name,
}: Record<"id" | "email" | "first_name" | "last_name", string>): string[] {
  const texts = [id, email, `${first_name} ${last_name}`.trim()].filter((text) => text !== "");
  return texts.flatMap((text) => [
    text,
    new URLSearchParams({ text }).toString().slice(5).replaceAll("%40", "@"),
  ]);
}
