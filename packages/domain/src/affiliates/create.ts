import type { Affiliate, CreateAffiliate } from "@findersfee/contract/affiliates/affiliates";
import { changeProfile, empty_profile } from "@findersfee/contract/affiliates/fields";
import {
  findAffiliate,
  insertAffiliate,
  type JoinedValues,
  type RecruitValues,
} from "@findersfee/database/affiliates/affiliates";
import { insertCode } from "@findersfee/database/affiliates/codes";
import { findCampaign, findDefaultCampaign } from "@findersfee/database/campaigns/campaigns";
import { insertNotices } from "@findersfee/database/mails/notices";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import type { CampaignRow } from "@findersfee/database/rows";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound, requireNoIssues } from "../errors.ts";
import { newId } from "../ids.ts";
import { inTransaction } from "../transaction.ts";
import { serializeEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { freeCode, promoCodeIssues } from "./codes.ts";
import { explainConflict, isCodeTaken } from "./conflicts.ts";
import { requireNoErasedBan } from "./erased-bans.ts";
import { inviteAffiliate } from "./invite.ts";
import { recruitIssues, recruitOf } from "./recruit.ts";
import { affiliateFields, viewAffiliate, viewAffiliateEvent } from "./view.ts";

/** Attempts, because another request may take a generated code first. */
export const CODE_TRIES = 5;

/**
 * Creates an affiliate with its link code and, where the campaign has promo codes, its promo code, and
 * records `affiliate.created`. Errors: `not_found` (campaign), `affiliate_exists`, `affiliate_banned`, `code_taken`,
 * `invalid_request`.
 */
export async function createAffiliate(context: Context, input: CreateAffiliate): Promise<Affiliate> {
  let campaign_id = "";
  for (let tries_left = CODE_TRIES - 1; ; tries_left--) {
    try {
      return await inTransaction(context, async (sql) => {
        const campaign = await campaignOf(sql, context.organization.id, input.campaign_id);
        campaign_id = campaign.id;
        return await addAffiliate(sql, context, { input, campaign });
      });
    } catch (error) {
      const has_codes = input.ref_code !== undefined && input.promo_code !== undefined;
      if (isCodeTaken(error) && !has_codes && tries_left > 0) continue;
      throw await explainConflict(context, error, { campaign_id, email: input.email });
    }
  }
}

async function campaignOf(
  sql: Connection,
  organizationId: string,
  id: string | undefined,
): Promise<CampaignRow> {
  if (id === undefined) {
    const campaign = await findDefaultCampaign(sql, organizationId);
    if (campaign === null) {
      throw invalidField("campaign_id", "Required: the organization has no default campaign.");
    }
    return campaign;
  }
  const campaign = await findCampaign(sql, organizationId, id);
  if (campaign === null) throw notFound("campaign");
  return campaign;
}

/**
 * Throws the `invalid_request` that `createAffiliate` would throw for this input, and creates nothing. Errors
 * also: `not_found` (campaign, recruiter).
 */
export async function checkAffiliateCreation(
  { database, organization }: Context,
  input: CreateAffiliate,
): Promise<void> {
  const campaign = await campaignOf(database, organization.id, input.campaign_id);
  requireNoIssues(promoCodeIssues(input.promo_code, campaign));
  await requireRecruit(database, organization.id, { input, campaign });
}

/** Writes an affiliate with its codes and its event; part of the operations that create one. */
export async function addAffiliate(
  sql: Transaction,
  context: Pick<Context, "organization" | "actor" | "quotas" | "secrets_key">,
  {
    input,
    campaign,
    is_notified = true,
    joined = {},
    recruit,
  }: {
    input: CreateAffiliate;
    campaign: CampaignRow;
    /** Whether mails tell the affiliate of new paid referrals. */
    is_notified?: boolean;
    /** The values of an affiliate who joined in the portal. */
    joined?: Partial<JoinedValues>;
    /** Null: nobody recruited it. Omitted: the input says it. */
    recruit?: RecruitValues | null;
  },
): Promise<Affiliate> {
  const { organization } = context;
  requireNoIssues(promoCodeIssues(input.promo_code, campaign));
  const created_at = new Date();
  const id = newId(created_at);
  const profile = changeProfile(empty_profile, input);
  await insertAffiliate(sql, organization.id, {
    id,
    campaign_id: campaign.id,
    ...profile,
    approved: input.approved ?? !campaign.approval_needed,
    banned: false,
    new_paid_referral_notifications: is_notified,
    tags: input.tags ?? [],
    ...joined,
    recruit:
      recruit === undefined ? await requireRecruit(sql, organization.id, { input, campaign }) : recruit,
    created_at,
  });
  const { email, payout_email } = profile;
  await requireNoErasedBan(sql, context, payout_email === null ? [email] : [email, payout_email]);
  await insertCodes(sql, organization.id, { input, campaign, affiliate_id: id, created_at });
  const row = await findAffiliate(sql, organization.id, id);
  if (row === null) throw new Error(`affiliate ${id} disappeared within its own transaction`);
  const event = serializeEvent(
    "affiliate.created",
    viewAffiliateEvent(row, organization.currency),
    created_at,
  );
  await recordEvent(sql, organization.id, event);
  const after = affiliateFields(row, { codes: true });
  await writeAuditEntry(sql, context, { resource: "affiliate", id, action: "created", before: null, after });
  // A member who adds somebody without an approval knows.
  if (!row.approved && context.actor.kind !== "user")
    await insertNotices(sql, organization.id, "applications");
  if (input.send_invitation === true) await inviteAffiliate(sql, context, id);
  return viewAffiliate(row, organization.currency);
}

async function requireRecruit(
  sql: Connection,
  organizationId: string,
  { input, campaign }: { input: CreateAffiliate; campaign: CampaignRow },
): Promise<RecruitValues | null> {
  if (input.recruited_by === undefined || input.recruited_by === null) return null;
  const recruiter = await findAffiliate(sql, organizationId, input.recruited_by);
  if (recruiter === null) throw notFound("affiliate");
  requireNoIssues(recruitIssues(recruiter, campaign));
  return recruitOf(recruiter, campaign);
}

/** Every affiliate has a link code, so that a campaign can switch to links later. */
async function insertCodes(
  sql: Connection,
  organizationId: string,
  {
    input,
    campaign,
    affiliate_id,
    created_at,
  }: { input: CreateAffiliate; campaign: CampaignRow; affiliate_id: string; created_at: Date },
): Promise<void> {
  const person = changeProfile(empty_profile, input);
  const kinds = campaign.code_mode === "link" ? (["link"] as const) : (["link", "promo"] as const);
  for (const kind of kinds) {
    const given = kind === "link" ? input.ref_code : input.promo_code;
    const code = given ?? (await freeCode(sql, organizationId, { kind, person }));
    await insertCode(sql, organizationId, { id: newId(created_at), affiliate_id, kind, code, created_at });
  }
}
