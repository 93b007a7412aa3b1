import type { Campaign, CommissionType } from "@findersfee/contract/campaigns/campaigns";
import type { CommissionRule, CommissionRuleInput } from "@findersfee/contract/campaigns/rules";
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import type { Tiers, TiersInput } from "@findersfee/contract/campaigns/tiers";
import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import type { CampaignValues } from "@findersfee/database/campaigns/campaigns";
import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import { DomainError } from "../errors.ts";
import { isWithinRate, toMinor, toRate } from "../money.ts";
import { rulesToStored } from "./rules/read.ts";
import { signalsToStored } from "./signals.ts";
import { ruleIssues, tiersToStored } from "./tiers/read.ts";
import { compactTranslations, translationIssues } from "./translations.ts";

/** The campaign settings that an organization controls. */
export type CampaignSettings = Omit<Campaign, "id" | "created_at" | "rules" | "tiers"> & {
  rules: readonly (CommissionRule | CommissionRuleInput)[];
  tiers: Tiers | TiersInput | null;
};

/** Their stored form. `joining` is a setting of the portal, which the API does not have. */
export type SettingValues = Omit<CampaignValues, "joining" | "rule_set_id"> & { rules: StoredRule[] };

/** The settings of a campaign created without any. */
export const DEFAULT_SETTINGS = {
  website_url: null,
  is_default: false,
  limit_type: "none",
  limit_amount: null,
  reference_coupon: null,
  custom_commission_type: "none",
  custom_commissions: [],
  welcome_message: null,
  approval_needed: false,
  collect_details: false,
  details_text: null,
  custom_fields: [],
  hide_emails: false,
  dashboard_text: null,
  cookie_duration: 30,
  first_payment_commission: { enabled: false, type: "percentage", amount: 0 },
  customers: "new",
  attribution: "last_click",
  commission_cap: true,
  skip_prorations: false,
  rules: [],
  tiers: null,
  leaderboard: "none",
  recruiting: null,
  lead_commissions: [],
  review: "none",
  review_above_amount: null,
  review_approve_after_days: null,
  link_discount: { enabled: false, description: null, show_affiliate: false },
  signals: NO_SIGNALS,
  translations: { en: null, de: null },
} as const satisfies Partial<CampaignSettings>;

/** The fields in a request; omitted fields stay unchanged. */
type ChangeOf<Settings> = { [Field in keyof Settings]?: Settings[Field] | undefined };

/** The state after a change. The rules apply to it, not only to the fields of the request. */
export function mergeSettings<Settings extends Pick<CampaignSettings, "limit_type" | "limit_amount">>(
  current: Settings,
  change: ChangeOf<NoInfer<Settings>>,
): Settings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const merged: Settings = { ...current, ...given };
  // Without a limit, the amount is meaningless. A stored one would apply again unexpectedly when a limit is set.
  if (change.limit_type === "none" && change.limit_amount === undefined) merged.limit_amount = null;
  return merged;
}

/**
 * Checks the settings and converts them to the stored form. Throws `invalid_request` with every issue, the caller's
 * `found` issues first.
 */
export function settingsToValues(
  settings: CampaignSettings,
  currency: string,
  found: readonly Issue[] = [],
): SettingValues {
  const rates = ratesToValues(settings, currency);
  const rules = rulesToStored(settings.rules, "rules");
  const tiers = tiersToStored(settings.tiers, currency);
  const leads = leadsToValues(settings, currency);
  const above = reviewedAmount(settings, currency);
  const recruiting = recruitingToValues(settings);
  const issues: Issue[] = [
    ...found,
    ...codeModeIssues(settings),
    ...limitIssues(settings),
    ...customFieldIssues(settings),
    ...translationIssues(settings),
    ...rates.issues,
    ...rules.issues,
    ...tiers.issues,
    ...ruleIssues(rules.values, tiers.values),
    ...leads.issues,
    ...above.issues,
    ...recruiting.issues,
  ];
  if (issues.length > 0) throw new DomainError("invalid_request", { issues });
  const {
    first_payment_commission: _first,
    commission_amount: _amount,
    review_above_amount: _above,
    recruiting: _recruiting,
    link_discount,
    signals,
    ...rest
  } = settings;
  return {
    ...rest,
    ...rates.values,
    rules: [...tiers.rules, ...rules.values],
    tiers: tiers.values,
    ...recruiting.values,
    lead_commissions: leads.values,
    review_above_minor: above.minor,
    signals: signalsToStored(signals),
    link_discount_enabled: link_discount.enabled,
    link_discount_description: link_discount.description,
    link_discount_shows_affiliate: link_discount.show_affiliate,
    translations: compactTranslations(settings),
  };
}

function recruitingToValues({ recruiting }: Pick<CampaignSettings, "recruiting">): {
  values: Pick<CampaignValues, "recruiting_rate" | "recruiting_months">;
  issues: Issue[];
} {
  const none = { recruiting_rate: null, recruiting_months: null };
  if (recruiting === null) return { values: none, issues: [] };
  const rate = encodeRate("percentage", recruiting.percent, "");
  if (typeof rate !== "bigint") return { values: none, issues: [{ path: "recruiting.percent", ...rate }] };
  return { values: { recruiting_rate: rate, recruiting_months: recruiting.months }, issues: [] };
}

/** Which commissions wait for a review, in the stored form, with the issues. */
export function reviewsToValues(
  settings: Pick<CampaignSettings, "review" | "review_above_amount" | "review_approve_after_days">,
  currency: string,
) {
  const { review, review_approve_after_days } = settings;
  const { minor: review_above_minor, issues } = reviewedAmount(settings, currency);
  return { values: { review, review_above_minor, review_approve_after_days }, issues };
}

/** The amount above which commissions wait for a review, in minor units; null: amounts do not matter. */
function reviewedAmount(
  { review_above_amount: amount }: Pick<CampaignSettings, "review_above_amount">,
  currency: string,
): { minor: bigint | null; issues: Issue[] } {
  if (amount === null) return { minor: null, issues: [] };
  const minor = encodeRate("fixed", amount, currency);
  if (typeof minor === "bigint") return { minor, issues: [] };
  return { minor: null, issues: [{ path: "review_above_amount", ...minor }] };
}

/** The settings that the amount of a commission depends on. */
export type PayingSettings = Pick<
  CampaignSettings,
  | "commission_type"
  | "commission_amount"
  | "limit_type"
  | "limit_amount"
  | "custom_commission_type"
  | "custom_commissions"
  | "first_payment_commission"
  | "commission_cap"
  | "rules"
>;

/** The same settings in their stored form. */
export type PayingValues = Pick<
  CampaignValues,
  | "commission_type"
  | "commission_value"
  | "first_payment_enabled"
  | "first_payment_type"
  | "first_payment_value"
  | "custom_commission_type"
  | "custom_commissions"
  | "limit_type"
  | "limit_amount"
  | "commission_cap"
>;

/** The settings that a commission depends on in their stored form, and their issues. */
export function payingToValues(
  settings: PayingSettings,
  currency: string,
): { values: PayingValues & { rules: StoredRule[] }; issues: Issue[] } {
  const { values, issues } = ratesToValues(settings, currency);
  const rules = rulesToStored(settings.rules, "rules");
  const { first_payment_commission: _first, commission_amount: _amount, ...rest } = settings;
  return {
    values: { ...rest, ...values, rules: rules.values },
    issues: [...limitIssues(settings), ...issues, ...rules.issues],
  };
}

type RateSettings = Pick<
  CampaignSettings,
  "commission_type" | "commission_amount" | "custom_commissions" | "first_payment_commission"
>;

/** The rates in their stored form, and their issues. */
function ratesToValues(settings: RateSettings, currency: string) {
  const issues: Issue[] = [];
  const rate = (path: string, type: CommissionType, amount: number): bigint => {
    const value = encodeRate(type, amount, currency);
    if (typeof value === "bigint") return value;
    issues.push({ path, message: value.message });
    return 0n;
  };
  const { first_payment_commission: first, custom_commissions } = settings;
  const values = {
    commission_value: rate("commission_amount", settings.commission_type, settings.commission_amount),
    custom_commissions: custom_commissions.map(({ product_id, type, amount }, index) => ({
      product_id,
      type,
      // A rate of 0 excludes the product.
      value: amount === 0 ? 0 : Number(rate(`custom_commissions[${index}].amount`, type, amount)),
    })),
    first_payment_enabled: first.enabled,
    first_payment_type: first.type,
    first_payment_value:
      first.amount === 0 && !first.enabled
        ? 0n
        : rate("first_payment_commission.amount", first.type, first.amount),
  };
  issues.push(...duplicateIssues(custom_commissions, "custom_commissions", "product_id"));
  return { values, issues };
}

/** The commissions for leads in their stored form, and their issues. */
function leadsToValues({ lead_commissions }: Pick<CampaignSettings, "lead_commissions">, currency: string) {
  const issues = duplicateIssues(lead_commissions, "lead_commissions", "kind");
  const values = lead_commissions.map(({ kind, amount, daily_limit }, index) => {
    const value = encodeRate("fixed", amount, currency);
    if (typeof value === "bigint") return { kind, value: Number(value), daily_limit };
    issues.push({ path: `lead_commissions[${index}].amount`, message: value.message });
    return { kind, value: 0, daily_limit };
  });
  return { values, issues };
}

function encodeRate(type: CommissionType, amount: number, currency: string): bigint | { message: string } {
  if (type === "percentage") {
    const rate = toRate(amount);
    if (rate === null) return { message: "A percentage has at most 4 decimals." };
    return isWithinRate(rate) ? rate : { message: "A percentage must be over 0 and at most 100." };
  }
  const minor = toMinor(amount, currency);
  if (minor === null) {
    return { message: `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.` };
  }
  return minor > 0n ? minor : { message: "Must be greater than 0." };
}

/** Links need a landing page, and promo codes a coupon. */
function codeModeIssues({ code_mode, website_url, reference_coupon }: CampaignSettings): Issue[] {
  const issues: Issue[] = [];
  if (code_mode !== "coupon" && website_url === null) {
    issues.push({ path: "website_url", message: "Required: affiliate links lead to it." });
  }
  if (code_mode !== "link" && reference_coupon === null) {
    issues.push({ path: "reference_coupon", message: "Required for promo codes." });
  }
  return issues;
}

function limitIssues({
  limit_type,
  limit_amount,
}: Pick<CampaignSettings, "limit_type" | "limit_amount">): Issue[] {
  if (limit_type === "none") {
    return limit_amount === null
      ? []
      : [{ path: "limit_amount", message: "Must be left out without a limit." }];
  }
  return limit_amount === null
    ? [{ path: "limit_amount", message: `Required for a limit in ${limit_type}.` }]
    : [];
}

function customFieldIssues({ custom_fields }: CampaignSettings): Issue[] {
  const issues = duplicateIssues(custom_fields, "custom_fields", "id");
  custom_fields.forEach(({ type, options }, index) => {
    const path = `custom_fields[${index}].options`;
    const chooses = type === "select" || type === "multi_select";
    if (chooses && options.length === 0)
      issues.push({ path, message: "Required for a question with choices." });
    if (!chooses && options.length > 0)
      issues.push({ path, message: "A question of this type has no choices." });
  });
  return issues;
}

function duplicateIssues<Key extends string>(
  rows: readonly Record<Key, string>[],
  list: string,
  key: Key,
): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  rows.forEach((row, index) => {
    if (seen.has(row[key])) {
      issues.push({ path: `${list}[${index}].${key}`, message: "Another entry has the same." });
    }
    seen.add(row[key]);
  });
  return issues;
}
