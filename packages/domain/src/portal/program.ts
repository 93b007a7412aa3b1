import type { PortalProgram } from "@findersfee/contract/portal/program";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findPortalSettings } from "@findersfee/database/portal/looks";
import type { Database } from "@findersfee/database/postgres/connect";
import { usablePromoCodes } from "../affiliates/usable-codes.ts";
import { viewOwnAffiliate } from "../affiliates/view.ts";
import { DomainError } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { viewLook } from "./look.ts";
import { findPortalRules } from "./rules.ts";
import { pickTranslations } from "./translations.ts";

/**
 * An affiliate's own view of its program. Others than active affiliates see their state, and no links.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getPortalProgram(
  database: Database,
  { affiliate_id, organization: { id: organization_id, currency }, state }: AffiliateSession,
): Promise<PortalProgram> {
  const [row, review, organization] = await Promise.all([
    findAffiliate(database, organization_id, affiliate_id),
    findAffiliateReview(database, organization_id, affiliate_id),
    findPortalSettings(database, organization_id),
  ]);
  if (row === null || review === null || organization === null) throw new DomainError("not_an_affiliate");
  const { campaign, links, ...affiliate } = viewOwnAffiliate(row, currency);
  const { promo_codes, is_pending } = await usablePromoCodes(database, organization_id, row);
  const is_active = state === "active";
  const rules = is_active
    ? await findPortalRules(database, organization_id, row)
    : { own: [], of_campaign: [] };
  return {
    affiliate: pick(affiliate, ["id", "first_name", "last_name", "email", "payout_email"]),
    state,
    decline_reason: state === "declined" ? review.decline_reason : null,
    organization: { ...viewLook(organization), currency },
    campaign: {
      ...pick(campaign, [
        "name",
        "commission_type",
        "commission_amount",
        "limit_type",
        "limit_amount",
        "first_payment_commission",
      ]),
      lead_commissions: campaign.lead_commissions.map(({ kind, amount }) => ({ kind, amount })),
      rules: rules.of_campaign,
      website_url: is_active ? campaign.website_url : null,
      has_recruiting: is_active && row.campaign.recruiting_rate !== null,
      has_tiers: is_active && (row.campaign.tiers !== null || row.campaign.leaderboard !== "none"),
      dashboard_text: is_active ? campaign.dashboard_text : null,
      translations: is_active ? pickTranslations(campaign.translations, ["name", "dashboard_text"]) : {},
    },
    own_rules: rules.own,
    links: is_active ? links : [],
    promo_codes: is_active ? promo_codes.map(({ code }) => ({ code })) : [],
    is_promo_code_pending: is_active && is_pending,
  };
}

function pick<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
