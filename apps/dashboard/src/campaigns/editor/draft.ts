import type { ByLanguage } from "@findersfee/contract/campaigns/translations";
import { latinWords } from "@findersfee/contract/latin-letters";
import type { Session } from "../../session/session.tsx";
import { type RuleDraft, ruleDraftOf, ruleOf } from "../rules/rule-draft.ts";
import { NO_SIGNALS, type SignalsDraft, signalDraftOf, signalsOf } from "./signal-draft.ts";
import { NO_TIERS, type TiersDraft, tierDraftOf, tiersOf } from "./tier-draft.ts";
import { type TranslationDraft, translationDrafts, translationsOf } from "./translation-draft.ts";

type Dashboard = Session["api"]["dashboard"];

export type EditedCampaign = Awaited<ReturnType<Dashboard["campaigns"]["get"]["query"]>>;
export type Campaign = EditedCampaign["campaign"];
export type RateType = Campaign["commission_type"];
export type FieldType = Campaign["custom_fields"][number]["type"];
export type Change = Omit<Parameters<Dashboard["campaigns"]["update"]["mutate"]>[0]["change"], "id">;

/** A rate as it is typed. */
export interface RateDraft {
  type: RateType;
  amount: string;
}

export interface ProductDraft extends RateDraft {
  /** Identifies the row on the page. */
  key: string;
  product_id: string;
}

/** A commission for a lead as it is typed. */
export interface LeadDraft {
  key: string;
  /** Empty: a conversion without a name yet. */
  kind: string;
  amount: string;
  /** Empty: no limit. */
  daily_limit: string;
}

/** A discount by link as it is typed. */
export interface DiscountDraft {
  enabled: boolean;
  description: string;
  show_affiliate: boolean;
}

export interface FieldDraft {
  key: string;
  /** Null: it gets one from its question when it is saved. */
  id: string | null;
  label: string;
  type: FieldType;
  /** One a line. */
  options: string;
  required: boolean;
}

/** A campaign as a form edits it: texts are as they were typed. */
export interface CampaignDraft {
  name: string;
  website_url: string;
  is_default: boolean;
  rate: RateDraft;
  /** Null: the first payment earns like the others. */
  first: RateDraft | null;
  products: ProductDraft[];
  rules: RuleDraft[];
  leads: LeadDraft[];
  tiers: TiersDraft;
  leaderboard: Campaign["leaderboard"];
  /** Null: nothing for recruits. */
  recruiting: { percent: string; months: string } | null;
  signals: SignalsDraft;
  limit_type: Campaign["limit_type"];
  limit_amount: string;
  code_mode: Campaign["code_mode"];
  reference_coupon: string;
  link_discount: DiscountDraft;
  cookie_duration: string;
  customers: Campaign["customers"];
  attribution: Campaign["attribution"];
  commission_cap: boolean;
  skip_prorations: boolean;
  review: Campaign["review"];
  /** Empty: amounts do not matter. */
  review_above_amount: string;
  /** Empty: only a person approves. */
  review_approve_after_days: string;
  approval_needed: boolean;
  hide_emails: boolean;
  collect_details: boolean;
  details_text: string;
  welcome_message: string;
  dashboard_text: string;
  fields: FieldDraft[];
  joining: EditedCampaign["joining"];
  /** The translations that a person has opened, by language. */
  translations: ByLanguage<TranslationDraft>;
}

/** A part of a form for a draft. */
export interface DraftFormProps {
  draft: CampaignDraft;
  set: (part: Partial<CampaignDraft>) => void;
  issueOf: (path: string) => string | undefined;
}

export const NEW_DRAFT: CampaignDraft = {
  name: "",
  website_url: "",
  is_default: false,
  rate: { type: "percentage", amount: "30" },
  first: null,
  products: [],
  rules: [],
  leads: [],
  tiers: NO_TIERS,
  leaderboard: "none",
  recruiting: null,
  signals: NO_SIGNALS,
  limit_type: "months",
  limit_amount: "12",
  code_mode: "link",
  reference_coupon: "",
  link_discount: { enabled: false, description: "", show_affiliate: false },
  cookie_duration: "30",
  customers: "new",
  attribution: "last_click",
  commission_cap: true,
  skip_prorations: false,
  review: "none",
  review_above_amount: "",
  review_approve_after_days: "",
  approval_needed: false,
  hide_emails: false,
  collect_details: false,
  details_text: "",
  welcome_message: "",
  dashboard_text: "",
  fields: [],
  joining: "by_link",
  translations: {},
};

export function draftOf({ campaign, joining }: Pick<EditedCampaign, "campaign" | "joining">): CampaignDraft {
  const { first_payment_commission: first } = campaign;
  return {
    name: campaign.name,
    website_url: campaign.website_url ?? "",
    is_default: campaign.is_default,
    rate: { type: campaign.commission_type, amount: String(campaign.commission_amount) },
    first: first.enabled ? { type: first.type, amount: String(first.amount) } : null,
    products:
      campaign.custom_commission_type === "none"
        ? []
        : campaign.custom_commissions.map(({ product_id, type, amount }) => ({
            key: product_id,
            product_id,
            type,
            amount: String(amount),
          })),
    // A tab can have stored the campaign before there were rules.
    rules: (campaign.rules ?? []).map(ruleDraftOf),
    leads: campaign.lead_commissions.map(({ kind, amount, daily_limit }) => ({
      key: kind,
      kind,
      amount: String(amount),
      daily_limit: daily_limit === null ? "" : String(daily_limit),
    })),
    tiers: tierDraftOf(campaign.tiers),
    leaderboard: campaign.leaderboard,
    recruiting: recruitingDraftOf(campaign),
    limit_type: campaign.limit_type,
    limit_amount: campaign.limit_amount === null ? "" : String(campaign.limit_amount),
    code_mode: campaign.code_mode,
    reference_coupon: campaign.reference_coupon ?? "",
    link_discount: { ...campaign.link_discount, description: campaign.link_discount.description ?? "" },
    cookie_duration: String(campaign.cookie_duration),
    customers: campaign.customers,
    attribution: campaign.attribution,
    commission_cap: campaign.commission_cap,
    skip_prorations: campaign.skip_prorations,
    ...reviewDraftOf(campaign),
    approval_needed: campaign.approval_needed,
    hide_emails: campaign.hide_emails,
    collect_details: campaign.collect_details,
    details_text: campaign.details_text ?? "",
    welcome_message: campaign.welcome_message ?? "",
    dashboard_text: campaign.dashboard_text ?? "",
    fields: campaign.custom_fields.map(({ id, label, type, options, required }) => ({
      key: id,
      id,
      label,
      type,
      options: options.join("\n"),
      required,
    })),
    joining,
    translations: translationDrafts(campaign),
  };
}

function recruitingDraftOf({ recruiting }: Campaign): CampaignDraft["recruiting"] {
  return recruiting && { percent: String(recruiting.percent), months: String(recruiting.months) };
}

function reviewDraftOf(campaign: Campaign) {
  return {
    review: campaign.review,
    review_above_amount: textOf(campaign.review_above_amount),
    review_approve_after_days: textOf(campaign.review_approve_after_days),
    signals: signalDraftOf(campaign.signals),
  };
}

/** The settings of a draft, as the service takes them. It checks them, and names the fields that it refuses. */
export function settingsOf(draft: CampaignDraft) {
  return {
    name: draft.name.trim(),
    website_url: withProtocol(draft.website_url.trim()),
    is_default: draft.is_default,
    ...payingOf(draft),
    code_mode: draft.code_mode,
    reference_coupon: orNull(draft.reference_coupon),
    link_discount: discountOf(draft),
    cookie_duration: numberOf(draft.cookie_duration),
    customers: draft.customers,
    attribution: draft.attribution,
    skip_prorations: draft.skip_prorations,
    lead_commissions: leadsOf(draft),
    tiers: tiersOf(draft.tiers, numberOf),
    // Drafts that a tab has from before there were leaderboards have none.
    leaderboard: draft.leaderboard ?? ("none" as const),
    recruiting: recruitingOf(draft),
    ...reviewOf(draft),
    signals: signalsOf(draft.signals),
    approval_needed: draft.approval_needed,
    hide_emails: draft.hide_emails,
    collect_details: draft.collect_details,
    details_text: orNull(draft.details_text),
    welcome_message: orNull(draft.welcome_message),
    dashboard_text: orNull(draft.dashboard_text),
    ...formOf(draft),
  };
}

// Drafts that a tab has from before there were recruits have none of it.
function recruitingOf({ recruiting = null }: Partial<CampaignDraft>) {
  return recruiting && { percent: numberOf(recruiting.percent), months: numberOf(recruiting.months) };
}

/** Which commissions wait for a review. Drafts that a tab has from before there were reviews have none of it. */
function reviewOf({
  review = "none",
  review_above_amount: above = "",
  review_approve_after_days: days = "",
}: Partial<CampaignDraft>) {
  return {
    review,
    review_above_amount: above.trim() === "" ? null : numberOf(above),
    review_approve_after_days: days.trim() === "" ? null : numberOf(days),
  };
}

/** All settings, including those that only the editor of an existing campaign has. */
function editedSettingsOf(draft: CampaignDraft) {
  return { ...settingsOf(draft), joining: draft.joining };
}

/** Those that the amount of a commission depends on. */
export function payingOf({
  rate,
  first,
  products,
  // Drafts that a tab has from before there were rules have none.
  rules = [],
  limit_type,
  limit_amount,
  commission_cap,
}: CampaignDraft) {
  return {
    commission_type: rate.type,
    commission_amount: numberOf(rate.amount),
    first_payment_commission:
      first === null
        ? { enabled: false, type: "percentage" as const, amount: 0 }
        : { enabled: true, type: first.type, amount: numberOf(first.amount) },
    custom_commission_type: products.length === 0 ? ("none" as const) : ("product" as const),
    custom_commissions: products.map(({ product_id, type, amount }) => ({
      product_id: product_id.trim(),
      type,
      amount: numberOf(amount),
    })),
    limit_type,
    limit_amount: limit_type === "none" ? null : numberOf(limit_amount),
    commission_cap,
    rules: rules.map(ruleOf),
  };
}

// Drafts that a tab has from before there were leads have none.
function leadsOf({ leads = [] }: Pick<CampaignDraft, "leads">) {
  return leads.map(({ kind, amount, daily_limit }) => ({
    kind: kind.trim(),
    amount: numberOf(amount),
    daily_limit: daily_limit.trim() === "" ? null : numberOf(daily_limit),
  }));
}

// Drafts that a tab has from before there were discounts have none.
function discountOf({ link_discount = NEW_DRAFT.link_discount }: Pick<CampaignDraft, "link_discount">) {
  return { ...link_discount, description: orNull(link_discount.description) };
}

type Settings = ReturnType<typeof editedSettingsOf>;
export type SettingName = keyof Settings;

/** The settings in which two drafts differ. */
export function differing(draft: CampaignDraft, other: CampaignDraft): SettingName[] {
  const [own, compared] = [editedSettingsOf(draft), editedSettingsOf(other)];
  return (Object.keys(own) as SettingName[]).filter(
    (name) => JSON.stringify(own[name]) !== JSON.stringify(compared[name]),
  );
}

/**
 * The input of a backtest. Payments keep the tiers of their time, unless the person has changed the tiers.
 */
export function triedOf(draft: CampaignDraft, changed: readonly SettingName[]) {
  return {
    ...payingOf(draft),
    skip_prorations: draft.skip_prorations,
    ...reviewOf(draft),
    ...(changed.includes("tiers") && { tiers: tiersOf(draft.tiers, numberOf) }),
  };
}

/** The update with only the settings that the person has changed. */
export function changeOf(draft: CampaignDraft, base: CampaignDraft): Change {
  const settings = editedSettingsOf(draft);
  return Object.fromEntries(differing(draft, base).map((name) => [name, settings[name]]));
}

/** The parts of a draft by the settings that they stand for. */
const PART_OF: Partial<Record<SettingName, keyof CampaignDraft>> = {
  commission_type: "rate",
  commission_amount: "rate",
  first_payment_commission: "first",
  custom_commission_type: "products",
  custom_commissions: "products",
  lead_commissions: "leads",
  custom_fields: "fields",
};

const partOf = (name: SettingName): keyof CampaignDraft => PART_OF[name] ?? (name as keyof CampaignDraft);

/** A draft of `base` on top of the values that others have saved since: their values where the person has changed nothing. */
export function rebase(draft: CampaignDraft, base: CampaignDraft, theirs: CampaignDraft): CampaignDraft {
  const own = new Set(differing(draft, base).map(partOf));
  return Object.fromEntries(
    (Object.keys(theirs) as (keyof CampaignDraft)[]).map((part) => [
      part,
      own.has(part) ? draft[part] : theirs[part],
    ]),
  ) as unknown as CampaignDraft;
}

const textOf = (number: number | null) => (number === null ? "" : String(number));

/** NaN, which the service refuses, for texts that are no number. */
function numberOf(text: string): number {
  const plain = text.trim().replace(",", ".");
  return plain === "" ? Number.NaN : Number(plain);
}

const orNull = (text: string) => (text.trim() === "" ? null : text);

/** People type `example.com`. */
function withProtocol(url: string): string | null {
  if (url === "") return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
}

/** The questions, and the translations of all texts, which name questions by their ids. */
// Drafts that a tab has from before there were translations have none.
function formOf({ fields, translations = {} }: Pick<CampaignDraft, "fields" | "translations">) {
  const custom_fields = fieldsOf(fields);
  const keyed = custom_fields.map(({ id, options }, index) => ({
    key: fields[index]?.key ?? id,
    id,
    options,
  }));
  return { custom_fields, translations: translationsOf(translations, keyed) };
}

const LONGEST_ID = 48;

function fieldsOf(fields: readonly FieldDraft[]) {
  const taken = new Set(fields.map(({ id }) => id));
  return fields.map(({ id, label, type, options, required }, index) => ({
    id: id ?? newFieldId(label, index, taken),
    label: label.trim(),
    type,
    options: choicesOf({ type, options }),
    required,
  }));
}

/** The choices of a question, which are typed one a line. */
export function choicesOf({ type, options }: Pick<FieldDraft, "type" | "options">): string[] {
  if (!hasOptions(type)) return [];
  return options
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

export const hasOptions = (type: FieldType): boolean => type === "select" || type === "multi_select";

function newFieldId(label: string, index: number, taken: Set<string | null>): string {
  const slug = latinWords(label).join("-").slice(0, LONGEST_ID) || "field";
  const id = taken.has(slug) ? `${slug}-${index + 1}` : slug;
  taken.add(id);
  return id;
}
