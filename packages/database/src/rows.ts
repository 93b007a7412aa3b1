/*
 * Rows as statements return them: columns by their own names, joined rows nested under the noun they are.
 * A statement names its columns with `columns(...)`, as `"affiliate.campaign.name"`, and `nest` folds them.
 */

export interface CampaignRow {
  id: string;
  name: string;
  website_url: string | null;
  commission_type: "percentage" | "fixed";
  commission_value: bigint;
  is_default: boolean;
  limit_type: "none" | "months" | "payments";
  limit_amount: number | null;
  code_mode: "link" | "coupon" | "both";
  reference_coupon: string | null;
  custom_commission_type: "none" | "product";
  custom_commissions: CustomCommissionRow[];
  welcome_message: string | null;
  approval_needed: boolean;
  collect_details: boolean;
  details_text: string | null;
  custom_fields: CustomFieldRow[];
  hide_emails: boolean;
  dashboard_text: string | null;
  cookie_duration: number;
  first_payment_enabled: boolean;
  first_payment_type: "percentage" | "fixed";
  first_payment_value: bigint;
  created_at: Date;
}

export interface CustomCommissionRow {
  product_id: string;
  type: "percentage" | "fixed";
  /** As `commission_value`, within what a JSON number holds exactly. */
  value: number;
}

export interface CustomFieldRow {
  id: string;
  label: string;
  type: "text" | "textarea" | "select" | "multi_select";
  options: string[];
  required: boolean;
}

export interface CodeRow {
  kind: "link" | "promo";
  code: string;
  external_id: string | null;
}

export interface CustomFieldAnswerRow {
  id: string;
  label: string;
  value: string;
}

export interface AffiliateRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  payout_email: string | null;
  clicks: bigint;
  approved: boolean;
  banned: boolean;
  details: string | null;
  custom_fields: CustomFieldAnswerRow[];
  new_paid_referral_notifications: boolean;
  created_at: Date;
  codes: CodeRow[];
  campaign: CampaignRow;
}

export interface ReferralRow {
  id: string;
  email: string;
  subscription_status: "active" | "signed_up" | "trialing" | "canceled" | "past_due";
  signup_date: Date;
  processor_customer_id: string | null;
  converted_at: Date | null;
  created_at: Date;
}

export interface ReferralWithAffiliateRow extends ReferralRow {
  affiliate: AffiliateRow;
}

export interface ReducedPayoutRow {
  id: string;
  affiliate_name: string;
  payout_email: string | null;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  created_at: Date;
}

export interface PayoutRow extends ReducedPayoutRow {
  status: "pending" | "processing" | "paid" | "failed" | "canceled";
  method: "manual" | "paypal" | "wise";
  affiliate: AffiliateRow;
}

export interface CommissionRow {
  id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  referral_date: Date;
  processor_payment_id: string | null;
  created_at: Date;
  affiliate: AffiliateRow;
  referral: ReferralRow;
  payout: ReducedPayoutRow | null;
}

const CAMPAIGN_COLUMNS =
  "id name website_url commission_type commission_value is_default limit_type limit_amount code_mode reference_coupon custom_commission_type custom_commissions welcome_message approval_needed collect_details details_text custom_fields hide_emails dashboard_text cookie_duration first_payment_enabled first_payment_type first_payment_value created_at";

const AFFILIATE_COLUMNS =
  "id email first_name last_name payout_email clicks approved banned details custom_fields new_paid_referral_notifications created_at";

const REFERRAL_COLUMNS =
  "id email subscription_status signup_date processor_customer_id converted_at created_at";

const REDUCED_PAYOUT_COLUMNS =
  "id affiliate_name payout_email amount_minor currency period payment_count created_at";

const COMMISSION_COLUMNS =
  "id revenue_minor commission_minor currency payout_status referral_date processor_payment_id created_at";

function columns(names: string, table: string, prefix: string): string {
  return names
    .split(" ")
    .map((name) => `${table}.${name} as "${prefix}${name}"`)
    .join(", ");
}

/** Columns of a campaign in a table named `campaign`. */
function campaignColumns(prefix = ""): string {
  return columns(CAMPAIGN_COLUMNS, "campaign", prefix);
}

/** Columns of an affiliate in a table named `affiliate`, with its codes and the campaign joined to it. */
function affiliateColumns(prefix = ""): string {
  return `${columns(AFFILIATE_COLUMNS, "affiliate", prefix)},
    (select coalesce(json_agg(json_build_object('kind', code.kind, 'code', code.code, 'external_id', code.external_id)
        order by code.id), '[]')
      from affiliate_codes code
      where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
    ) as "${prefix}codes",
    ${campaignColumns(`${prefix}campaign.`)}`;
}

/** The joins that `affiliateColumns` needs, from a row that has an `affiliate_id`. */
function affiliateJoins(table: string): string {
  return `join affiliates affiliate
      on affiliate.organization_id = ${table}.organization_id and affiliate.id = ${table}.affiliate_id
    join campaigns campaign
      on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`;
}

/*
 * What each resource is read with: everything up to the `where`. They are constant text, so each
 * statement stays the same to the server and its plan is kept.
 */

export const SELECT_CAMPAIGN = `select ${campaignColumns()} from campaigns campaign`;

export const SELECT_AFFILIATE = `select ${affiliateColumns()}
  from affiliates affiliate
  join campaigns campaign
    on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id`;

export const SELECT_REFERRAL = `select ${columns(REFERRAL_COLUMNS, "referral", "")}, ${affiliateColumns("affiliate.")}
  from referrals referral ${affiliateJoins("referral")}`;

export const SELECT_PAYOUT = `select ${columns(`${REDUCED_PAYOUT_COLUMNS} status method`, "payout", "")},
    ${affiliateColumns("affiliate.")}
  from payouts payout ${affiliateJoins("payout")}`;

export const SELECT_COMMISSION = `select ${columns(COMMISSION_COLUMNS, "commission", "")},
    ${columns(REFERRAL_COLUMNS, "referral", "referral.")},
    ${columns(REDUCED_PAYOUT_COLUMNS, "payout", "payout.")},
    ${affiliateColumns("affiliate.")}
  from commissions commission
  join referrals referral
    on referral.organization_id = commission.organization_id and referral.id = commission.referral_id
  ${affiliateJoins("commission")}
  left join payouts payout
    on payout.organization_id = commission.organization_id and payout.id = commission.payout_id`;

type Flat = Record<string, unknown>;

/**
 * Folds `{ "id": 1, "campaign.id": 2 }` into `{ id: 1, campaign: { id: 2 } }`. A joined row whose id is
 * null did not exist and becomes null. The statement's columns are what makes the result a `Row`.
 */
export function nest<Row>(rows: readonly Flat[]): Row[] {
  const first = rows[0];
  if (first === undefined) return [];
  const places = Object.keys(first).map((key) => ({ key, path: key.split(".") }));
  return rows.map((row) => {
    const nested: Flat = {};
    for (const { key, path } of places) place(nested, path, row[key]);
    return nested as Row;
  });
}

function place(nested: Flat, path: string[], value: unknown): void {
  let target = nested;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const noun = path[depth] as string;
    const child = target[noun];
    // The id comes first among a joined row's columns.
    if (child === null || (child === undefined && value === null)) {
      target[noun] = null;
      return;
    }
    if (child === undefined) target[noun] = {};
    target = target[noun] as Flat;
  }
  target[path[path.length - 1] as string] = value;
}
