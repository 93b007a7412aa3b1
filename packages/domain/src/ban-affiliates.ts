import type {
  BanAffiliates,
  ChangedAffiliates,
  UnbanAffiliates,
} from "@findersfee/contract/affiliates/review";
import type { ErrorCode } from "@findersfee/contract/errors";
import { findAffiliateReview, setBanReason } from "@findersfee/database/affiliates/review";
import { isReplaced } from "@findersfee/database/commissions/commissions";
import { isInPayout, listUnpaid } from "@findersfee/database/payouts/holds";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { updateAffiliateWithin } from "./affiliates/update.ts";
import { writeAuditEntry } from "./audit-log/write.ts";
import { updateWithin } from "./commissions/update.ts";
import type { Context } from "./context.ts";
import { DomainError, invalidField } from "./errors.ts";
import { updateAdjustmentWithin } from "./ledger/adjustments/update.ts";
import { holdWithin, releaseWithin } from "./payouts/holds.ts";
import { beyondQuotas } from "./quotas.ts";
import { inTransaction } from "./transaction.ts";

/** Commissions that one call voids: each is a few statements. */
const MAX_VOIDED = 1_000;

const LOCKED: ReadonlySet<ErrorCode> = new Set(["commission_locked", "adjustment_locked"]);

/** The reason of a hold without one of the ban. */
const BANNED = "Banned";

/**
 * Bans affiliates, all or none. The reason replaces the one of a former ban; without one, that stays. `due`
 * decides about commissions that are not paid. Errors: `not_found`; `invalid_request` if it would void more
 * commissions than one call can.
 */
export async function banAffiliates(
  sender: Context,
  { ids, reason, due = "pay" }: Omit<BanAffiliates, "due"> & Partial<Pick<BanAffiliates, "due">>,
): Promise<ChangedAffiliates> {
  const context = beyondQuotas(sender);
  const shown = reason?.trim() ? reason.trim() : null;
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    // Locked before the affiliates' and commissions' rows, in the same order as the workers.
    if (due === "void") await lockPayments(sql, context.organization.id);
    let left = MAX_VOIDED;
    // In one order, so that two such calls never wait for each other, and in lower case, as the audit log finds them.
    for (const id of [...new Set(ids.map((given) => given.toLowerCase()))].sort()) {
      const { row, was_changed } = await updateAffiliateWithin(sql, context, { id, banned: true });
      if (was_changed) changed += 1;
      // An erased affiliate has no reason and stays held; money that came back after its erasure can only be voided.
      const is_erased = row.erased_at !== null;
      if (shown !== null && !is_erased) {
        // Another reason for a ban from before is an ordinary change.
        await giveReason(sql, was_changed ? context : sender, { id, reason: shown });
      }
      // Also with `void`: a payment of before the ban can still be reported.
      if (due !== "pay" && !is_erased) {
        await holdWithin(sql, context, { id, reason: shown?.slice(0, 500) ?? BANNED, of_ban: true });
      }
      if (due === "void") left -= await voidUnpaid(sql, context, { id, most: left });
    }
    return { changed };
  });
}

/**
 * Unbans affiliates, all or none. With `release`, the holds of the ban end; a hold that a person set stays.
 * Errors: `not_found`; `invalid_request` for an erased affiliate, which stays banned.
 */
export async function unbanAffiliates(
  context: Context,
  { ids, release }: UnbanAffiliates,
): Promise<ChangedAffiliates> {
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    for (const id of [...new Set(ids.map((given) => given.toLowerCase()))].sort()) {
      const { was_changed } = await updateAffiliateWithin(sql, context, { id, banned: false });
      if (was_changed) changed += 1;
      if (release) await releaseWithin(sql, context, { id, only_of_ban: true });
    }
    return { changed };
  });
}

/**
 * Voids an affiliate's unpaid commissions and adjustments; returns their number. A commission that a later
 * one cancels out stays, and is not paid.
 */
async function voidUnpaid(
  sql: Transaction,
  context: Context,
  { id, most }: { id: string; most: number },
): Promise<number> {
  const { organization } = context;
  const unpaid = await listUnpaid(sql, organization.id, {
    affiliate_id: id,
    limit: most + 1,
  });
  if (unpaid.length > most) {
    throw invalidField(
      "due",
      `More than ${MAX_VOIDED} commissions are unpaid: hold them, and void them in parts.`,
    );
  }
  for (const line of unpaid) {
    const { id: line_id, is_adjustment } = line;
    const voided = { id: line_id, payout_status: "voided" } as const;
    try {
      if (is_adjustment) await updateAdjustmentWithin(sql, context, voided);
      else await updateWithin(sql, context, voided);
    } catch (error) {
      if (!(error instanceof DomainError) || !LOCKED.has(error.code)) throw error;
      if (!(await stays(sql, organization.id, { affiliate_id: id, id: line_id }))) throw error;
    }
  }
  return unpaid.length;
}

/** Whether a run took the commission or adjustment in between, or a later commission cancels it out. */
async function stays(
  sql: Transaction,
  organizationId: string,
  line: { affiliate_id: string; id: string },
): Promise<boolean> {
  return (await isInPayout(sql, organizationId, line)) || (await isReplaced(sql, organizationId, line.id));
}

async function giveReason(
  sql: Transaction,
  context: Context,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { organization } = context;
  const review = await findAffiliateReview(sql, organization.id, id);
  await setBanReason(sql, organization.id, { id, reason });
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { ban_reason: review?.ban_reason ?? null },
    after: { ban_reason: reason },
  });
}
