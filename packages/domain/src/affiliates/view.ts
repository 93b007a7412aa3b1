import type { Affiliate } from "@findersfee/contract/affiliates";
import type { EventData, ReducedAffiliate } from "@findersfee/contract/events";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewCampaign, viewReducedCampaign } from "../campaigns/view.ts";

/** An affiliate with its full campaign, as the API shows it. */
export function viewAffiliate(row: AffiliateRow, currency: string): Affiliate {
  return { ...viewAffiliateFields(row), campaign: viewCampaign(row.campaign, currency) };
}

/** An affiliate with its reduced campaign, as `affiliate.*` events carry it. */
export function viewAffiliateEvent(row: AffiliateRow, currency: string): EventData<"affiliate.created"> {
  return { ...viewAffiliateFields(row), campaign: viewReducedCampaign(row.campaign, currency) };
}

/** The affiliate inside referral and commission events. */
export function viewReducedAffiliate(row: AffiliateRow): ReducedAffiliate {
  return { id: row.id, email: row.email, first_name: row.first_name, last_name: row.last_name };
}

function viewAffiliateFields(row: AffiliateRow): Omit<Affiliate, "campaign"> {
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    payout_email: row.payout_email,
    links: viewLinks(row),
    promo_codes: viewPromoCodes(row),
    clicks: Number(row.clicks),
    approved: row.approved,
    banned: row.banned,
    details: row.details,
    custom_fields: row.custom_fields.map(({ id, label, value }) => ({ id, label, value })),
    new_paid_referral_notifications: row.new_paid_referral_notifications,
    created_at: row.created_at.toISOString(),
  };
}

function viewLinks({ codes, campaign }: AffiliateRow): Affiliate["links"] {
  const { code_mode, website_url } = campaign;
  if (code_mode === "coupon" || website_url === null) return [];
  return codes
    .filter(({ kind }) => kind === "link")
    .map(({ code }) => ({ url: linkUrl(website_url, code), code }));
}

function viewPromoCodes({ codes, campaign }: AffiliateRow): Affiliate["promo_codes"] {
  if (campaign.code_mode === "link") return [];
  return codes.filter(({ kind }) => kind === "promo").map(({ code, external_id }) => ({ code, external_id }));
}

/** The campaign's website with `via=<code>` in its query; what else the address has stays as it is written. */
function linkUrl(websiteUrl: string, code: string): string {
  const { before, after } = linkParts(websiteUrl);
  // Codes are letters, digits, dashes and underscores, which a query has as they are.
  return `${before}${code}${after}`;
}

interface LinkParts {
  before: string;
  after: string;
}

const KEPT_LINK_PARTS = 1_000;
const link_parts = new Map<string, LinkParts>();

/** What stands around the code. Taking an address apart costs more than all else of a view, so it is kept. */
function linkParts(websiteUrl: string): LinkParts {
  const kept = link_parts.get(websiteUrl);
  if (kept !== undefined) return kept;
  const url = new URL(websiteUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^via(=|$)/.test(parameter));
  const { hash } = url;
  url.hash = "";
  url.search = [...others, "via="].join("&");
  const parts = { before: url.href, after: hash };
  if (link_parts.size >= KEPT_LINK_PARTS) link_parts.clear();
  link_parts.set(websiteUrl, parts);
  return parts;
}
