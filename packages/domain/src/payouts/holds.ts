import type { ChangedAffiliates } from "@findersfee/contract/affiliates/review";
import type { HoldPayouts } from "@findersfee/contract/payouts/runs";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { deletePayoutHold, setPayoutHold } from "@findersfee/database/payouts/holds";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../actor.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Leaves affiliates out of payout runs and of files for providers, all or none, until they are released.
 * Their balances stay due. Errors: `not_found`.
 */
export async function holdPayouts(
  sender: Context,
  { affiliate_ids, reason }: HoldPayouts,
): Promise<ChangedAffiliates> {
  const context = beyondQuotas(sender);
  return await forEach(context, affiliate_ids, async (sql, { id, erased_at }) =>
    erased_at === null ? await holdWithin(sql, context, { id, reason, of_ban: false }) : false,
  );
}

/**
 * Lets payout runs pay affiliates again, all or none. Errors: `not_found`; `invalid_request` for an erased
 * affiliate, since nobody can pay it.
 */
export async function releasePayoutHolds(
  context: Context,
  affiliate_ids: readonly string[],
): Promise<ChangedAffiliates> {
  return await forEach(context, affiliate_ids, async (sql, { id, erased_at }) => {
    if (erased_at !== null) throw invalidField("affiliate_ids", `The affiliate ${id} was erased.`);
    return await releaseWithin(sql, context, { id });
  });
}

/** Lets payout runs pay an affiliate again, within a transaction of the caller that has locked it. */
export async function releaseWithin(
  sql: Transaction,
  context: Context,
  { id, only_of_ban = false }: { id: string; only_of_ban?: boolean },
): Promise<boolean> {
  const was_held = await deletePayoutHold(sql, context.organization.id, { affiliate_id: id, only_of_ban });
  if (was_held) await writeHold(sql, context, { id, is_held: false });
  return was_held;
}

/** Leaves an affiliate out of payout runs, within a transaction of the caller that has locked it. */
export async function holdWithin(
  sql: Transaction,
  context: Context,
  {
    id,
    reason,
    of_ban,
    ends_at = null,
  }: { id: string; reason: string; of_ban: boolean; ends_at?: Date | null },
): Promise<boolean> {
  const { organization, actor } = context;
  const hold = { affiliate_id: id, reason, held_by: actorText(actor), held_at: new Date(), of_ban, ends_at };
  const is_new = await setPayoutHold(sql, organization.id, hold);
  if (is_new) await writeHold(sql, context, { id, is_held: true });
  return is_new;
}

async function forEach(
  context: Context,
  affiliate_ids: readonly string[],
  change: (sql: Transaction, affiliate: { id: string; erased_at: Date | null }) => Promise<boolean>,
): Promise<ChangedAffiliates> {
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    // In one order, so that two such calls never wait for each other, and in lower case, as the audit log finds them.
    for (const id of [...new Set(affiliate_ids.map((given) => given.toLowerCase()))].sort()) {
      const affiliate = await lockAffiliate(sql, context.organization.id, id);
      if (affiliate === null) throw notFound("affiliate");
      if (await change(sql, affiliate)) changed += 1;
    }
    return { changed };
  });
}

/** The reason is in the hold alone, which an erasure of the affiliate deletes. */
async function writeHold(
  sql: Transaction,
  context: Context,
  { id, is_held }: { id: string; is_held: boolean },
): Promise<void> {
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { payouts_held: !is_held },
    after: { payouts_held: is_held },
  });
}
