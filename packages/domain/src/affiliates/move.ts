import type { ChangedAffiliates } from "@findersfee/contract/affiliates/review";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { insertCode } from "@findersfee/database/affiliates/codes";
import { setAffiliateCampaign } from "@findersfee/database/affiliates/review";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { AffiliateRow, CampaignRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { inTransaction } from "../transaction.ts";
import { freeCode } from "./codes.ts";
import { isCodeTaken } from "./conflicts.ts";

/** Attempts, because another request may take a generated code first. */
const CODE_TRIES = 5;

/**
 * Moves affiliates to another campaign, all or none. Their commissions stay; the new campaign's terms are those of their
 * next payments. Errors: `not_found`; `affiliate_exists` if the campaign has an affiliate with the same email.
 */
export async function moveAffiliates(
  context: Context,
  moved: { ids: readonly string[]; campaign_id: string },
): Promise<ChangedAffiliates> {
  for (let tries_left = CODE_TRIES - 1; ; tries_left--) {
    try {
      return await moveAll(context, moved);
    } catch (error) {
      if (isCodeTaken(error) && tries_left > 0) continue;
      if (violatedUnique(error) !== "affiliates_campaign_email") throw error;
      throw new DomainError("affiliate_exists", {
        message: "The other campaign has an affiliate with the email of one of these.",
      });
    }
  }
}

async function moveAll(
  context: Context,
  { ids, campaign_id }: { ids: readonly string[]; campaign_id: string },
): Promise<ChangedAffiliates> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    const campaign = await findCampaign(sql, organization.id, campaign_id);
    if (campaign === null) throw notFound("campaign");
    let changed = 0;
    for (const id of [...new Set(ids)].sort()) {
      const affiliate = await lockAffiliate(sql, organization.id, id);
      if (affiliate === null) throw notFound("affiliate");
      if (affiliate.campaign.id === campaign.id) continue;
      await move(sql, context, { affiliate, campaign });
      changed += 1;
    }
    return { changed };
  });
}

async function move(
  sql: Transaction,
  context: Context,
  { affiliate, campaign }: { affiliate: AffiliateRow; campaign: CampaignRow },
): Promise<void> {
  const { id } = affiliate;
  const organization_id = context.organization.id;
  await setAffiliateCampaign(sql, organization_id, { id, campaign_id: campaign.id });
  const has_promo_code = affiliate.codes.some(({ kind }) => kind === "promo");
  if (campaign.code_mode !== "link" && !has_promo_code && affiliate.erased_at === null) {
    const created_at = new Date();
    const code = await freeCode(sql, organization_id, { kind: "promo", person: affiliate });
    await insertCode(sql, organization_id, {
      id: newId(created_at),
      affiliate_id: id,
      kind: "promo",
      code,
      created_at,
    });
  }
  await writeAuditEntry(sql, context, {
    resource: "affiliate",
    id,
    action: "updated",
    before: { campaign_id: affiliate.campaign.id },
    after: { campaign_id: campaign.id },
  });
}
