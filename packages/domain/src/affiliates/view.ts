import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import {
  type InternalField,
  pickFields,
  profile_fields,
  public_fields,
} from "@findersfee/contract/affiliates/fields";
import { toTimestamp } from "@findersfee/contract/timestamps";
import type { EventData } from "@findersfee/contract/webhooks/events";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { AffiliateRow } from "@findersfee/database/rows";
import { LRUCache } from "lru-cache";
import { viewCampaign, viewReducedCampaign } from "../campaigns/view.ts";

/** The fields that only the organization sees. */
type HiddenField = InternalField | "left_at" | "recruited_by" | "tags";

/** An affiliate with its full campaign, as the API shows it to the organization. */
export function viewAffiliate(row: AffiliateRow, currency: string): Affiliate {
  const left_at = row.left_at === null ? null : toTimestamp(row.left_at);
  const { recruited_by, tags } = row;
  return {
    ...viewOwnAffiliate(row, currency),
    ...pickFields(row, profile_fields),
    left_at,
    recruited_by,
    tags,
  };
}

/**
 * An affiliate with its full campaign, as the affiliate itself sees it: without fields for the organization
 * alone.
 */
export function viewOwnAffiliate(row: AffiliateRow, currency: string): Omit<Affiliate, HiddenField> {
  return { ...viewAffiliateFields(row), campaign: viewCampaign(row.campaign, currency) };
}

/** An affiliate with its reduced campaign, as `affiliate.*` events carry it. */
export function viewAffiliateEvent(row: AffiliateRow, currency: string): EventData<"affiliate.created"> {
  return { ...viewAffiliateFields(row), campaign: viewReducedCampaign(row.campaign, currency) };
}

/** The affiliate inside a row of a list. */
export function viewRowAffiliate(row: {
  affiliate_id: string;
  affiliate_email: string;
  first_name: string;
  last_name: string;
}) {
  const { affiliate_id: id, affiliate_email: email, first_name, last_name } = row;
  return { id, email, first_name, last_name };
}

/** In the order of the schema: the feed writes events by it, and repeats their bytes. */
function viewAffiliateFields(row: AffiliateRow): Omit<Affiliate, "campaign" | HiddenField> {
  const { details, ...person } = pickFields(row, public_fields);
  return {
    id: row.id,
    ...person,
    links: viewLinks(row),
    promo_codes: viewPromoCodes(row),
    clicks: Number(row.clicks),
    approved: row.approved,
    banned: row.banned,
    details,
    custom_fields: row.custom_fields.map(({ id, label, value }) => ({ id, label, value })),
    new_paid_referral_notifications: row.new_paid_referral_notifications,
    created_at: toTimestamp(row.created_at),
  };
}

function viewLinks({ codes, link_url, campaign }: AffiliateRow): Affiliate["links"] {
  const { code_mode, website_url } = campaign;
  if (code_mode === "coupon" || website_url === null) return [];
  return codes
    .filter(({ kind }) => kind === "link")
    .map(({ code }) => ({ url: sharedUrl({ link_url, website_url }, code), code }));
}

/** Codes that would be other paths at a host name of links. */
const PATHS = new Set(["portal", "track", "healthz", "readyz", "metrics"]);

/** The link that an affiliate shares: at the organization's own host name for links, or else at the website. */
export function sharedUrl(
  { link_url, website_url }: { link_url: string | null; website_url: string },
  code: string,
): string {
  if (link_url === null) return linkUrl(website_url, code);
  return PATHS.has(code.toLowerCase()) ? `${link_url}/r/${code}` : `${link_url}/${code}`;
}

/** All promo codes of the affiliate, also those that do not exist at the processor yet. */
export function viewPromoCodes({ codes, campaign }: AffiliateRow): Affiliate["promo_codes"] {
  if (campaign.code_mode === "link") return [];
  return codes.filter(({ kind }) => kind === "promo").map(({ code, external_id }) => ({ code, external_id }));
}

/** The fields in the audit log; without the codes if another request may rename them at the same time. */
export function affiliateFields(row: AffiliateRow, { codes }: { codes: boolean }): AuditedFields {
  const codesOf = (kind: "link" | "promo") =>
    row.codes.filter((code) => code.kind === kind).map(({ code }) => code);
  return {
    campaign_id: row.campaign.id,
    // Omitted if nobody recruited the affiliate, as before recruiting existed.
    ...(row.recruited_by === null ? {} : { recruited_by: row.recruited_by }),
    ...pickFields(row, profile_fields),
    ...(codes ? { ref_codes: codesOf("link"), promo_codes: codesOf("promo") } : {}),
    approved: row.approved,
    banned: row.banned,
    custom_fields: row.custom_fields.map(({ id, label, value }) => ({ id, label, value })),
    new_paid_referral_notifications: row.new_paid_referral_notifications,
    tags: row.tags,
  };
}

/**
 * The campaign's website with `via=<code>` in its query, and the click's id if known. The rest of the address is
 * unchanged.
 */
export function linkUrl(websiteUrl: string, code: string, clickId?: string): string {
  const { before, after } = cached_parts.memo(websiteUrl);
  // Codes and ids consist of characters that a query needs no escape for: letters, digits, dashes and underscores.
  return clickId === undefined ? `${before}${code}${after}` : `${before}${code}&ff_click=${clickId}${after}`;
}

interface LinkParts {
  before: string;
  after: string;
}

/** Cached, because parsing the URL takes longer than the rest of a view. */
const cached_parts = new LRUCache<string, LinkParts>({ max: 1_000, memoMethod: parseLinkParts });

/** The URL before and after the code. */
function parseLinkParts(websiteUrl: string): LinkParts {
  const url = new URL(websiteUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^(via|ff_click)(=|$)/.test(parameter));
  const { hash } = url;
  url.hash = "";
  url.search = [...others, "via="].join("&");
  return { before: url.href, after: hash };
}
