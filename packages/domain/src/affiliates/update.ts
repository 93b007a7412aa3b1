import {
  type Affiliate,
  type UpdateAffiliate,
  updateAffiliateInput,
} from "@findersfee/contract/affiliates/affiliates";
import { changeProfile } from "@findersfee/contract/affiliates/fields";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import {
  findAffiliate,
  lockAffiliate,
  updateAffiliate as updateRow,
} from "@findersfee/database/affiliates/affiliates";
import {
  type CodeKind,
  insertCode,
  renamePromoCode,
  replaceLinkCode,
} from "@findersfee/database/affiliates/codes";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { notFound, requireNoIssues } from "../errors.ts";
import { newId } from "../ids.ts";
import { beyondQuotas } from "../quotas.ts";
import { inTransaction } from "../transaction.ts";
import { serializeEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { promoCodeIssues } from "./codes.ts";
import { explainConflict } from "./conflicts.ts";
import { erasedIssues } from "./erased.ts";
import { requireNoErasedBan } from "./erased-bans.ts";
import { affiliateFields, viewAffiliate, viewAffiliateEvent } from "./view.ts";

/**
 * Changes the given fields; records `affiliate.approved` when an unapproved affiliate is approved. Only `approved` of
 * an erased affiliate can change.
 *
 * Errors: `not_found`, `affiliate_exists`, `affiliate_banned`, `code_taken`, `invalid_request`.
 */
export async function updateAffiliate(sender: Context, input: UpdateAffiliate): Promise<Affiliate> {
  const context = endsAccess(input) ? beyondQuotas(sender) : sender;
  const written = { campaign_id: "", email: input.email ?? "" };
  try {
    return await inTransaction(context, async (sql) => {
      const { row } = await updateAffiliateWithin(sql, context, input, written);
      return viewAffiliate(row, context.organization.currency);
    });
  } catch (error) {
    throw await explainConflict(context, error, written.campaign_id === "" ? null : written);
  }
}

/** A ban, or the end of an approval, and nothing else. */
function endsAccess({ id: _, ...changes }: UpdateAffiliate): boolean {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.length > 0 && given.every(([name, value]) => isEnd(name, value));
}

function isEnd(name: string, value: unknown): boolean {
  return (name === "banned" && value === true) || (name === "approved" && value === false);
}

/** The same within a transaction of an operation. `written` gets the campaign, for the explanation of a conflict. */
export async function updateAffiliateWithin(
  sql: Connection,
  context: Context,
  input: UpdateAffiliate,
  written?: { campaign_id: string },
): Promise<{ row: AffiliateRow; was_changed: boolean }> {
  const { organization } = context;
  const before = await lockAffiliate(sql, organization.id, input.id);
  if (before === null) throw notFound("affiliate");
  requireValid(before, input, organization.currency);
  const saysCodes = input.ref_code !== undefined || input.promo_code !== undefined;
  // The codes were read before the wait for the lock, so they are read again.
  const former = saysCodes ? await findAffiliate(sql, organization.id, before.id) : before;
  if (input.email !== undefined && written !== undefined) written.campaign_id = before.campaign.id;
  const row = await apply(sql, context, { before, input });
  await requireNoErasedBan(sql, context, newAddresses(before, row));
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id: row.id,
    action: "updated",
    before: affiliateFields(former ?? before, { codes: saysCodes }),
    after: affiliateFields(row, { codes: saysCodes }),
  });
  return { row, was_changed: row.approved !== before.approved || row.banned !== before.banned };
}

/**
 * Throws the `invalid_request` that `updateAffiliate` would throw for this input, and changes nothing. An
 * affiliate that does not exist has no issues.
 */
export async function checkAffiliateUpdate(
  { database, organization }: Context,
  input: UpdateAffiliate,
): Promise<void> {
  const row = await findAffiliate(database, organization.id, input.id);
  if (row !== null) requireValid(row, input, organization.currency);
}

function requireValid(before: AffiliateRow, input: UpdateAffiliate, currency: string): void {
  // A new code changes these lists, so a repeated request may contain the old ones.
  const compared = {
    ...input,
    ...(input.ref_code === undefined ? {} : { links: undefined }),
    ...(input.promo_code === undefined ? {} : { promo_codes: undefined }),
  };
  requireNoIssues([
    ...readOnlyIssues(updateAffiliateInput, compared, viewAffiliate(before, currency)),
    ...(before.erased_at === null
      ? promoCodeIssues(input.promo_code, before.campaign)
      : erasedIssues(before, input)),
  ]);
}

async function apply(
  sql: Connection,
  { organization }: Context,
  { before, input }: { before: AffiliateRow; input: UpdateAffiliate },
): Promise<AffiliateRow> {
  await updateRow(sql, organization.id, {
    id: before.id,
    values: {
      ...changeProfile(before, input),
      approved: input.approved ?? before.approved,
      banned: input.banned ?? before.banned,
      new_paid_referral_notifications:
        input.new_paid_referral_notifications ?? before.new_paid_referral_notifications,
    },
  });
  if (input.ref_code !== undefined) {
    await setCode(sql, organization.id, { affiliate_id: before.id, kind: "link", code: input.ref_code });
  }
  if (input.promo_code !== undefined) {
    await setCode(sql, organization.id, { affiliate_id: before.id, kind: "promo", code: input.promo_code });
  }
  const row = await findAffiliate(sql, organization.id, before.id);
  if (row === null) throw new Error(`affiliate ${before.id} disappeared within its own transaction`);
  if (row.approved && !before.approved) {
    const at = new Date();
    const event = serializeEvent("affiliate.approved", viewAffiliateEvent(row, organization.currency), at);
    await recordEvent(sql, organization.id, event);
  }
  return row;
}

function newAddresses(before: AffiliateRow, after: AffiliateRow): string[] {
  const former = [before.email, before.payout_email];
  return [after.email, after.payout_email].flatMap((address) =>
    address === null || former.includes(address) ? [] : [address],
  );
}

async function setCode(
  sql: Connection,
  organizationId: string,
  code: { affiliate_id: string; kind: CodeKind; code: string },
): Promise<void> {
  const setOwn = code.kind === "link" ? replaceLinkCode : renamePromoCode;
  if (await setOwn(sql, organizationId, code)) return;
  const created_at = new Date();
  await insertCode(sql, organizationId, { ...code, id: newId(created_at), created_at });
}
