import { randomBytes } from "node:crypto";
import type { Database } from "@findersfee/database/postgres/connect";
import { OPERATOR } from "@findersfee/domain/actor";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import type { Context } from "@findersfee/domain/context";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { affiliateOf, BANNED, campaignOf, PARTNERS, promotionCodeOf, UNAPPROVED } from "./partners.ts";

/** One of the organizations that receive the same history. */
export interface Program {
  context: Context;
  organization_id: string;
  publishable_key: string;
  /** Stripe's signing secret. */
  secret: string;
  /** The ids of affiliates, by number. */
  affiliate_ids: string[];
}

/**
 * Creates an organization with its campaigns and affiliates. All affiliates are eligible until `exclude`.
 * `knows_codes`: their promotion codes at Stripe are known before any event reports them.
 */
export async function makeProgram(
  database: Database,
  { knows_codes }: { knows_codes: boolean },
): Promise<Program> {
  const values = { name: "Any order", currency: "USD", subscription_status: "active" } as const;
  const { organization_id, publishable_key } = await createOrganization(database, values);
  const organization = { ...values, id: organization_id };
  const context: Context = {
    database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
  const affiliate_ids: string[] = [];
  for (let partner = 0; partner < PARTNERS; partner++) {
    const { id: campaign_id } = await createCampaign(context, campaignOf(partner));
    const { id } = await createAffiliate(context, { campaign_id, ...affiliateOf(partner) });
    affiliate_ids.push(id);
    if (!knows_codes) continue;
    await database`
      update affiliate_codes set external_id = ${promotionCodeOf(partner)}
      where organization_id = ${organization_id} and affiliate_id = ${id} and kind = 'promo'`;
  }
  const secret = `whsec_${randomBytes(16).toString("hex")}`;
  return { context, organization_id, publishable_key, secret, affiliate_ids };
}

/** Bans one affiliate and withdraws another one's approval; their clicks are older. */
export async function exclude({ context, affiliate_ids }: Program): Promise<void> {
  const id = (partner: number) => affiliate_ids[partner] ?? "";
  await updateAffiliate(context, { id: id(BANNED), banned: true });
  await updateAffiliate(context, { id: id(UNAPPROVED), approved: false });
}
