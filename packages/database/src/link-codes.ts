import type { Connection } from "./connect.ts";
import type { CampaignRow } from "./rows.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

/** A code as somebody wrote it, of one organization. */
export interface CodeKey {
  organization_id: string;
  code: string;
}

/** Whose link a code is, and what a click on it needs to know. */
export interface LinkCodeRow {
  organization_id: string;
  /** As the affiliate has it. */
  code: string;
  affiliate_id: string;
  approved: boolean;
  banned: boolean;
  campaign_id: string;
  attribution: CampaignRow["attribution"];
  cookie_duration: CampaignRow["cookie_duration"];
  code_mode: CampaignRow["code_mode"];
  website_url: CampaignRow["website_url"];
}

/** Each code is looked up by itself (offset): joined, all those of an organization could be read. */
const FIND_LINK_CODES = statement<LinkCodeRow, "organization_ids" | "codes">(`
  select link.organization_id, link.code, link.affiliate_id, affiliate.approved, affiliate.banned,
    campaign.id as campaign_id, campaign.attribution, campaign.cookie_duration, campaign.code_mode, campaign.website_url
  from unnest(:organization_ids::text::uuid[], :codes::text::text[]) as asked (organization_id, code)
  cross join lateral (
    select * from affiliate_codes code
    where code.organization_id = asked.organization_id and code.kind = 'link'
      and lower(code.code) = lower(asked.code)
    offset 0
  ) as link
  cross join lateral (
    select * from affiliates affiliate
    where affiliate.organization_id = link.organization_id and affiliate.id = link.affiliate_id
    offset 0
  ) as affiliate
  join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`);

/** The links of these codes, of any organizations, in no order; a code of nobody has none. */
export async function findLinkCodes(sql: Connection, keys: CodeKey[]): Promise<LinkCodeRow[]> {
  return await FIND_LINK_CODES.run(sql, {
    organization_ids: arrayText(keys.map(({ organization_id }) => organization_id)),
    codes: arrayText(keys.map(({ code }) => code)),
  });
}

/** The pages that an organization's campaigns lead to. */
export async function listWebsiteUrls(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ website_url: string }[]>`
    select distinct website_url from campaigns
    where organization_id = ${organizationId} and website_url is not null`;
  return rows.map(({ website_url }) => website_url);
}
