import { IS_USABLE } from "../affiliates/usable-codes.ts";
import type { Connection } from "../postgres/connect.ts";
import { arrayText, plainArrayText, statement } from "../postgres/statement.ts";
import type { CampaignRow } from "../rows.ts";
import type { ClickRow } from "./clicks.ts";

/** A click of an organization. */
export type ClickKey = Pick<ClickRow, "organization_id" | "id" | "clicked_at">;

/** A click with the discount that its visitor may get. */
export interface ClickDiscountRow extends ClickKey {
  /** The link's, in the affiliate's spelling. */
  link_code: string;
  /** Empty: the affiliate has given none. */
  affiliate_name: string;
  approved: boolean;
  banned: boolean;
  code_mode: CampaignRow["code_mode"];
  cookie_duration: CampaignRow["cookie_duration"];
  link_discount_enabled: CampaignRow["link_discount_enabled"];
  link_discount_description: CampaignRow["link_discount_description"];
  link_discount_shows_affiliate: CampaignRow["link_discount_shows_affiliate"];
  /** The affiliate's promo code that customers can use with the campaign's coupon; null: none yet. */
  promo_code: string | null;
  /** Its id at Stripe; null: the organization makes its codes at another processor. */
  promotion_code: string | null;
}

/** SQL: whether a promo `code` gives the coupon of its `campaign`. One that was linked manually may give another. */
const GIVES_COUPON = `(code.external_linked or code.external_coupon is null or code.external_coupon = campaign.reference_coupon)`;

const FIND = statement<ClickDiscountRow, "organization_ids" | "ids" | "times">(`
  select click.organization_id, click.id, click.clicked_at, click.code as link_code,
    trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name, affiliate.approved, affiliate.banned,
    campaign.code_mode, campaign.cookie_duration, campaign.link_discount_enabled,
    campaign.link_discount_description, campaign.link_discount_shows_affiliate,
    promo.code as promo_code, promo.external_id as promotion_code
  from unnest(:organization_ids::text::uuid[], :ids::text::uuid[], :times::text::timestamptz[])
    as asked (organization_id, id, clicked_at)
  cross join lateral (
    select * from clicks
    where organization_id = asked.organization_id and id = asked.id and clicked_at = asked.clicked_at
    limit 1) as click
  join affiliates affiliate
    on affiliate.organization_id = click.organization_id and affiliate.id = click.affiliate_id
  join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
  left join lateral (
    select code.code, code.external_id from affiliate_codes code
    where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
      and code.kind = 'promo' and code.replaced_at is null and ${IS_USABLE} and ${GIVES_COUPON}
    order by code.id limit 1) as promo on true`);

/** Returns these clicks of any organizations, with their discounts, in any order; unknown ones are omitted. */
export async function findClickDiscounts(
  sql: Connection,
  clicks: readonly ClickKey[],
): Promise<ClickDiscountRow[]> {
  return await FIND.run(sql, {
    organization_ids: plainArrayText(clicks.map(({ organization_id }) => organization_id)),
    ids: plainArrayText(clicks.map(({ id }) => id)),
    times: arrayText(clicks.map(({ clicked_at }) => clicked_at.toISOString())),
  });
}
