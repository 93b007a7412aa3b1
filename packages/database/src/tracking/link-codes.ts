import { recordsNetworks } from "../campaigns/recorded-networks.ts";
import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import type { CampaignRow } from "../rows.ts";

/** A link code of an organization, in any case. A former one works like the present one. */
export interface CodeKey {
  organization_id: string;
  code: string;
}

/** A link code with its affiliate, and the data that recording a click needs. */
export interface LinkCodeRow {
  organization_id: string;
  /** In the affiliate's spelling. */
  code: string;
  affiliate_id: string;
  approved: boolean;
  banned: boolean;
  campaign_id: string;
  attribution: CampaignRow["attribution"];
  cookie_duration: CampaignRow["cookie_duration"];
  code_mode: CampaignRow["code_mode"];
  website_url: CampaignRow["website_url"];
  /** Whether its clicks are stored with a hash of the network. */
  records_networks: boolean;
}

const FIND_LINK_CODES = statement<LinkCodeRow, "organization_ids" | "codes">(`
  select link.organization_id, link.code, link.affiliate_id, affiliate.approved, affiliate.banned,
    campaign.id as campaign_id, campaign.attribution, campaign.cookie_duration, campaign.code_mode, campaign.website_url,
    ${recordsNetworks("campaign")} as records_networks
  from unnest(:organization_ids::text::uuid[], :codes::text::text[]) as asked (organization_id, code)
  join affiliate_codes link
    on link.organization_id = asked.organization_id and link.kind = 'link' and lower(link.code) = lower(asked.code)
  join affiliates affiliate
    on affiliate.organization_id = link.organization_id and affiliate.id = link.affiliate_id
  join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`);

/** Returns the links of these codes, former ones among them, of any organizations, in any order; unknown codes are omitted. */
export async function findLinkCodes(sql: Connection, keys: CodeKey[]): Promise<LinkCodeRow[]> {
  return await FIND_LINK_CODES.run(sql, {
    organization_ids: arrayText(keys.map(({ organization_id }) => organization_id)),
    codes: arrayText(keys.map(({ code }) => code)),
  });
}

/** Returns the landing pages of an organization's campaigns, and its further domains as web addresses. */
export async function listWebsiteUrls(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ website_url: string }[]>`
    select website_url from campaigns
    where organization_id = ${organizationId} and website_url is not null
    union select 'https://' || unnest(website_domains) from organizations where id = ${organizationId}`;
  return rows.map(({ website_url }) => website_url);
}

/** Returns the landing page of the default campaign, or else of the oldest campaign with one; null: none. */
export async function findPage(sql: Connection, organizationId: string): Promise<string | null> {
  const [row] = await sql<{ website_url: string }[]>`
    select website_url from campaigns
    where organization_id = ${organizationId} and website_url is not null
    order by is_default desc, id limit 1`;
  return row?.website_url ?? null;
}
