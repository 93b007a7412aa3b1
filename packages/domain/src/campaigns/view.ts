import type { AffiliateCampaign, Campaign, CommissionType } from "@findersfee/contract/campaigns/campaigns";
import type { Recruiting } from "@findersfee/contract/campaigns/recruiting";
import type { ByLanguage, Translation, Translations } from "@findersfee/contract/campaigns/translations";
import { type PortalLanguage, portalLanguages } from "@findersfee/contract/portal/join-paths";
import { toTimestamp } from "@findersfee/contract/timestamps";
import type { ReducedCampaign } from "@findersfee/contract/webhooks/events";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import { readRules } from "@findersfee/database/campaigns/rule-sets";
import type { CampaignRow, LeadCommissionRow, RuledCampaignRow } from "@findersfee/database/rows";
import { toMajor, toPercent } from "../money.ts";
import { viewRules } from "./rules/view.ts";
import { viewSignals } from "./signals.ts";
import { viewTiers, withoutTiers } from "./tiers/view.ts";

/** A campaign as the API shows it. Fixed amounts are in the organization's currency. */
export function viewRuledCampaign(row: RuledCampaignRow, currency: string): Campaign {
  const rules = row.rules === null ? [] : readRules(row.rules);
  return {
    ...viewCampaign(row, currency),
    rules: viewRules(withoutTiers(rules, row.tiers)),
    tiers: viewTiers(row.tiers, { rules, currency }),
    leaderboard: row.leaderboard,
    recruiting: viewRecruiting(row),
    signals: viewSignals(row.signals),
  };
}

/** A campaign's terms for recruits; null: it pays nothing for them. */
export function viewRecruiting({
  recruiting_rate,
  recruiting_months: months,
}: Pick<CampaignRow, "recruiting_rate" | "recruiting_months">): Recruiting | null {
  return recruiting_rate === null || months === null ? null : { percent: toPercent(recruiting_rate), months };
}

/** The same as affiliates have it. */
export function viewCampaign(row: CampaignRow, currency: string): AffiliateCampaign {
  return {
    id: row.id,
    name: row.name,
    created_at: toTimestamp(row.created_at),
    website_url: row.website_url,
    commission_type: row.commission_type,
    commission_amount: viewRate(row.commission_type, row.commission_value, currency),
    is_default: row.is_default,
    limit_type: row.limit_type,
    limit_amount: row.limit_amount,
    code_mode: row.code_mode,
    reference_coupon: row.reference_coupon,
    custom_commission_type: row.custom_commission_type,
    custom_commissions: row.custom_commissions.map(({ product_id, type, value }) => ({
      product_id,
      type,
      amount: viewRate(type, BigInt(value), currency),
    })),
    welcome_message: row.welcome_message,
    approval_needed: row.approval_needed,
    collect_details: row.collect_details,
    details_text: row.details_text,
    custom_fields: row.custom_fields.map(({ id, label, type, options, required }) => ({
      id,
      label,
      type,
      options,
      required,
    })),
    hide_emails: row.hide_emails,
    dashboard_text: row.dashboard_text,
    cookie_duration: row.cookie_duration,
    first_payment_commission: {
      enabled: row.first_payment_enabled,
      type: row.first_payment_type,
      amount: viewRate(row.first_payment_type, row.first_payment_value, currency),
    },
    customers: row.customers,
    attribution: row.attribution,
    commission_cap: row.commission_cap,
    skip_prorations: row.skip_prorations,
    lead_commissions: row.lead_commissions.map(({ daily_limit, ...lead }) => ({
      ...viewLeadRate(lead, currency),
      daily_limit,
    })),
    review: row.review,
    review_above_amount: row.review_above_minor === null ? null : toMajor(row.review_above_minor, currency),
    review_approve_after_days: row.review_approve_after_days,
    link_discount: {
      enabled: row.link_discount_enabled,
      description: row.link_discount_description,
      show_affiliate: row.link_discount_shows_affiliate,
    },
    translations: viewTranslations(row.translations),
  };
}

/** The campaign inside affiliate events: its identity and its rate. */
export function viewReducedCampaign(row: CampaignRow, currency: string): ReducedCampaign {
  return {
    id: row.id,
    name: row.name,
    commission_type: row.commission_type,
    commission_amount: viewRate(row.commission_type, row.commission_value, currency),
  };
}

/** A stored rate as the API's number: percent, or major units of the currency. */
export function viewRate(type: CommissionType, value: bigint, currency: string): number {
  return type === "percentage" ? toPercent(value) : toMajor(value, currency);
}

/** A stored commission for a lead, in major units. */
export function viewLeadRate({ kind, value }: Pick<LeadCommissionRow, "kind" | "value">, currency: string) {
  return { kind, amount: viewRate("fixed", BigInt(value), currency) };
}

/** The fields in the audit log. */
export function campaignFields(row: RuledCampaignRow, currency: string): AuditedFields {
  const { id: _id, created_at: _created_at, ...fields } = viewRuledCampaign(row, currency);
  return { ...fields, translations: translatedTexts(row.translations), joining: row.joining };
}

/** Applies a function to the texts of each language that has some. */
export function mapLanguages(
  translations: ByLanguage<Translation>,
  map: (translation: Translation, language: PortalLanguage) => Translation | null,
): Translations {
  const mapped = portalLanguages.map((language) => {
    const translation = translations[language] ?? null;
    return [language, translation === null ? null : map(translation, language)] as const;
  });
  return Object.fromEntries(mapped) as Translations;
}

/** In the order of the schema, which `jsonb` does not keep. */
function viewTranslations(translations: ByLanguage<Translation>): Translations {
  return mapLanguages(
    translations,
    ({ name, welcome_message, details_text, dashboard_text, custom_fields }) => ({
      name,
      welcome_message,
      details_text,
      dashboard_text,
      custom_fields: custom_fields.map(({ id, label, options }) => ({ id, label, options })),
    }),
  );
}

/** The texts that are translated, by language, for the audit log. */
function translatedTexts(translations: ByLanguage<Translation>): Record<string, object> {
  const languages = Object.entries(viewTranslations(translations)).flatMap(([language, translation]) => {
    const texts = Object.entries(translation ?? {}).filter(([, text]) => text !== null && text.length > 0);
    return texts.length === 0 ? [] : [[language, Object.fromEntries(texts)] as const];
  });
  return Object.fromEntries(languages);
}
