import type { PayoutRun } from "@findersfee/contract/payout-runs";
import type { ApiKeyRow } from "@findersfee/database/api-keys";
import type { ChangeFields } from "@findersfee/database/changes";
import type { EndpointRow } from "@findersfee/database/endpoints";
import type { PaymentDecisionRow } from "@findersfee/database/payment-decisions";
import type { ProcessorRow } from "@findersfee/database/processors";
import type { PromoCodeRow } from "@findersfee/database/promo-codes";
import type { AffiliateRow, CampaignRow, CommissionRow } from "@findersfee/database/rows";
import { viewCampaign } from "../campaigns/view.ts";
import { viewEndpoint } from "../endpoints/view.ts";
import { toMajor } from "../money.ts";
import { viewProcessor } from "../processors/connections/view.ts";

/*
 * What the history shows of each thing: what somebody sets, as the API shows it. Never a secret nor its hash, and
 * nothing that changes by itself, as counters do.
 */

export function campaignFields(row: CampaignRow, currency: string): ChangeFields {
  const { id: _id, created_at: _created_at, ...fields } = viewCampaign(row, currency);
  return fields;
}

/** Without its codes where they are not said: somebody else may rename them at the same time. */
export function affiliateFields(row: AffiliateRow, { codes }: { codes: boolean }): ChangeFields {
  const codesOf = (kind: "link" | "promo") =>
    row.codes.filter((code) => code.kind === kind).map(({ code }) => code);
  return {
    campaign_id: row.campaign.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    payout_email: row.payout_email,
    ...(codes ? { ref_codes: codesOf("link"), promo_codes: codesOf("promo") } : {}),
    approved: row.approved,
    banned: row.banned,
    details: row.details,
    custom_fields: row.custom_fields.map(({ id, label, value }) => ({ id, label, value })),
    new_paid_referral_notifications: row.new_paid_referral_notifications,
  };
}

export function promoCodeFields({ code, external_id, external_linked }: PromoCodeRow): ChangeFields {
  return { code, external_id, linked: external_linked };
}

export function commissionFields(
  row: Pick<
    CommissionRow,
    | "revenue_minor"
    | "commission_minor"
    | "currency"
    | "payout_status"
    | "referral_date"
    | "processor_payment_id"
  >,
): ChangeFields {
  return {
    revenue_amount: toMajor(row.revenue_minor, row.currency),
    commission_amount: toMajor(row.commission_minor, row.currency),
    payout_status: row.payout_status,
    referral_date: row.referral_date.toISOString(),
    processor_payment_id: row.processor_payment_id,
  };
}

export function payoutRunFields({ period, cutoff_at, minimum_payouts, method }: PayoutRun): ChangeFields {
  return { period, cutoff_at, minimum_payouts, method };
}

export function paymentDecisionFields(row: PaymentDecisionRow): ChangeFields {
  return {
    outcome: row.outcome,
    affiliate_id: row.affiliate_id,
    referral_id: row.referral_id,
    commission_id: row.commission_id,
    commission_amount: toMajor(row.commission_minor, row.currency),
  };
}

export function apiKeyFields(
  row: Pick<ApiKeyRow, "kind" | "name" | "scopes" | "last_four" | "expires_at" | "revoked_at">,
): ChangeFields {
  const { kind, name, scopes, last_four, expires_at, revoked_at } = row;
  return {
    kind,
    name,
    scopes,
    last_four,
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  };
}

export function endpointFields(row: EndpointRow): ChangeFields {
  const { id: _id, created_at: _created_at, failing_since: _failing_since, ...fields } = viewEndpoint(row);
  return fields;
}

export function processorFields(row: ProcessorRow): ChangeFields {
  const { livemode, connected_accounts, api_key_last_four, previous_secret_expires_at } = viewProcessor(row);
  return { livemode, connected_accounts, api_key_last_four, previous_secret_expires_at };
}
