import type { ByLanguage, Translation } from "@findersfee/contract/campaigns/translations";
import { translatedNames } from "../campaigns/translations.ts";
import type { PortalLanguage } from "../mails/language.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { CampaignRow, CustomFieldRow } from "../rows.ts";

/** The parts of an organization that anyone may see. */
export interface PublicOrganizationRow {
  name: string;
  slug: string;
  /** ISO 4217. */
  currency: string;
  terms_url: string | null;
  languages: PortalLanguage[];
}

/** The terms of a campaign. */
export interface PublicTermsRow
  extends Pick<
    CampaignRow,
    | "id"
    | "name"
    | "commission_type"
    | "limit_type"
    | "limit_amount"
    | "first_payment_enabled"
    | "first_payment_type"
    | "lead_commissions"
  > {
  /** The translations of the names alone. */
  translations: ByLanguage<Pick<Translation, "name">>;
  /** Texts, since JSON has no integers of this size. */
  commission_value: string;
  first_payment_value: string;
  has_rules: boolean;
}

export interface PublicProgramsRow extends PublicOrganizationRow {
  /** The oldest first. */
  campaigns: PublicTermsRow[];
}

export interface PublicProgramRow extends PublicOrganizationRow, PublicFormRow {
  organization_id: string;
  campaign: PublicTermsRow;
  /** For `readRules`; null: none. */
  rules: string | null;
}

/** The signup form of a campaign. */
export interface PublicFormRow {
  website_url: string | null;
  approval_needed: boolean;
  collect_details: boolean;
  details_text: string | null;
  custom_fields: CustomFieldRow[];
  translations: ByLanguage<Translation>;
}

const TERMS = `json_build_object('id', campaign.id, 'name', campaign.name, 'commission_type', campaign.commission_type,
  'commission_value', campaign.commission_value::text, 'limit_type', campaign.limit_type,
  'limit_amount', campaign.limit_amount, 'first_payment_enabled', campaign.first_payment_enabled,
  'first_payment_type', campaign.first_payment_type, 'first_payment_value', campaign.first_payment_value::text,
  'lead_commissions', campaign.lead_commissions, 'has_rules', campaign.rule_set_id is not null,
  'translations', ${translatedNames("campaign")})`;

const ORGANIZATION =
  "organization.name, organization.slug, organization.currency, organization.terms_url, organization.languages";

const MAX_LISTED = 50;

const LISTED = statement<PublicProgramsRow, "slug">(`
  select ${ORGANIZATION}, listed.campaigns
  from organizations organization
  cross join lateral (
    select json_agg(${TERMS} order by campaign.id) as campaigns from (
      select * from campaigns
      where organization_id = organization.id and joining = 'listed'
      order by id limit ${MAX_LISTED}
    ) as campaign
  ) as listed
  where organization.id = organization_named(:slug::text) and organization.test_of is null and listed.campaigns is not null`);

/** The campaigns that an organization lists; null: no organization has the slug, or it lists none. */
export async function findPublicPrograms(sql: Connection, slug: string): Promise<PublicProgramsRow | null> {
  const [row] = await LISTED.run(sql, { slug });
  return row ?? null;
}

const OPEN = statement<PublicProgramRow, "slug" | "campaign_id">(`
  select ${ORGANIZATION}, organization.id as organization_id, ${TERMS} as campaign, campaign.website_url,
    campaign.approval_needed, campaign.collect_details, campaign.details_text, campaign.custom_fields,
    campaign.translations, rule_set.rules::text as rules
  from organizations organization
  join campaigns campaign on campaign.organization_id = organization.id and campaign.id = :campaign_id::uuid
    and campaign.joining <> 'closed'
  left join commission_rule_sets rule_set
    on rule_set.organization_id = campaign.organization_id and rule_set.id = campaign.rule_set_id
  where organization.id = organization_named(:slug::text) and organization.test_of is null`);

/** A campaign that can be joined, with its form; null: there is none, or it is closed. */
export async function findPublicProgram(
  sql: Connection,
  named: { slug: string; campaign_id: string },
): Promise<PublicProgramRow | null> {
  const [row] = await OPEN.run(sql, { ...named });
  return row ?? null;
}
