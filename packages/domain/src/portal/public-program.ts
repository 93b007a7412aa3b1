import type { PublicProgram, PublicPrograms } from "@findersfee/contract/portal/join";
import { readRules } from "@findersfee/database/campaigns/rule-sets";
import {
  findPublicProgram,
  findPublicPrograms,
  type PublicOrganizationRow,
  type PublicTermsRow,
} from "@findersfee/database/portal/programs";
import type { Database } from "@findersfee/database/postgres/connect";
import { viewLeadRate, viewRate } from "../campaigns/view.ts";
import { DomainError } from "../errors.ts";
import { viewPublicRules } from "./rules.ts";
import { pickTranslations } from "./translations.ts";

/**
 * The campaigns that an organization lists.
 *
 * @throws DomainError `not_found`, the same for a slug that nobody has and an organization that lists none
 */
export async function getPublicPrograms(database: Database, slug: string): Promise<PublicPrograms> {
  const row = await findPublicPrograms(database, slug);
  if (row === null) throw noProgram();
  return {
    organization: viewOrganization(row),
    campaigns: row.campaigns.map((campaign) => viewTerms(campaign, row.currency)),
  };
}

/** The only campaign that an organization lists; null: there is none, or several. */
export async function findOnlyProgram(database: Database, slug: string): Promise<string | null> {
  const [only, ...others] = (await findPublicPrograms(database, slug))?.campaigns ?? [];
  return only === undefined || others.length > 0 ? null : only.id;
}

/**
 * A campaign with its signup form.
 *
 * @throws DomainError `not_found`, also for a closed campaign and for test data
 */
export async function getPublicProgram(
  database: Database,
  named: { slug: string; campaign_id: string },
): Promise<PublicProgram> {
  const row = await findPublicProgram(database, named);
  if (row === null) throw noProgram();
  const { website_url, approval_needed, collect_details, details_text } = row;
  return {
    organization: viewOrganization(row),
    campaign: {
      ...viewTerms(row.campaign, row.currency),
      rules: row.rules === null ? [] : viewPublicRules(readRules(row.rules)),
      website_url,
      approval_needed,
      collect_details,
      details_text: collect_details ? details_text : null,
      custom_fields: row.custom_fields.map(({ id, label, type, options, required }) => ({
        id,
        label,
        type,
        options,
        required,
      })),
      translations: pickTranslations(row.translations, ["name", "details_text", "custom_fields"]),
    },
  };
}

/** Nobody can join the campaign, or it does not exist. */
export function noProgram(): DomainError {
  return new DomainError("not_found", {
    message: "This program does not exist, or takes no new affiliates.",
  });
}

function viewOrganization({ name, slug, currency, terms_url, languages }: PublicOrganizationRow) {
  return { name, slug, currency, terms_url, languages };
}

function viewTerms(
  {
    commission_value,
    first_payment_enabled,
    first_payment_type,
    first_payment_value,
    ...terms
  }: PublicTermsRow,
  currency: string,
) {
  const { id, name, commission_type, limit_type, limit_amount, lead_commissions, has_rules, translations } =
    terms;
  return {
    id,
    name,
    commission_type,
    commission_amount: viewRate(commission_type, BigInt(commission_value), currency),
    limit_type,
    limit_amount,
    first_payment_commission: {
      enabled: first_payment_enabled,
      type: first_payment_type,
      amount: viewRate(first_payment_type, BigInt(first_payment_value), currency),
    },
    lead_commissions: lead_commissions.map((lead) => viewLeadRate(lead, currency)),
    has_rules,
    translations,
  };
}
