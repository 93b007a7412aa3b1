import type { Input } from "./operations.ts";
import type { Overridable } from "./overridable.ts";
import { CAMPAIGN, type Program } from "./program.ts";

let made = 0;

/** A text that no other valid input contains. */
function unique(prefix: string): string {
  return `${prefix}${++made}`;
}

/** The same id in a text that no other valid input contains. */
function inAnotherCase(id: string): string {
  const written = ++made;
  let letters = 0;
  return id.replaceAll(/[a-f]/g, (letter) => ((written >> letters++) & 1 ? letter.toUpperCase() : letter));
}

const AFFILIATE_RULES_START = "2026-01-01T00:00:00.000Z";

/** Most overrides can be made only once. */
function dryRun() {
  return { reason: unique("Reason "), dry_run: true };
}

/** A program with a row for everything that an input can name. */
export interface Known extends Program, Overridable {
  payout_id: string;
  adjustment_id: string;
  lead_id: string;
  event_id: string;
}

/** The rows that operations named `create` do not need. */
export const NOTHING_ELSE = {
  payout_id: "",
  event_id: "",
  adjustment_id: "",
  lead_id: "",
  other_affiliate_id: "",
  payment_id: "",
  override_id: "",
  backtest_id: "",
} satisfies Omit<Known, keyof Program>;

/**
 * A repeatable valid input of each operation, for a program with a payout and an event. The generated tests
 * fail for an operation without one.
 */
const VALID_INPUTS: Record<string, (program: Known) => Input> = {
  "campaigns.list": () => ({}),
  "campaigns.get": ({ campaign }) => ({ id: campaign.id }),
  "campaigns.create": () => ({ ...CAMPAIGN, name: unique("Campaign ") }),
  "campaigns.update": ({ campaign }) => ({ id: campaign.id, name: unique("Campaign ") }),
  "affiliates.list": () => ({}),
  "affiliates.get": ({ affiliate }) => ({ id: affiliate.id }),
  "affiliates.create": ({ campaign }) => ({
    campaign_id: campaign.id,
    email: `${unique("affiliate-")}@example.com`,
  }),
  "affiliates.update": ({ affiliate }) => ({ id: affiliate.id, first_name: unique("Jane ") }),
  "affiliate_rules.get": ({ affiliate }) => ({ affiliate_id: affiliate.id }),
  "affiliate_tiers.get": ({ affiliate }) => ({ affiliate_id: affiliate.id }),
  "affiliate_rules.set": ({ affiliate }) => ({
    affiliate_ids: [affiliate.id],
    starts_at: AFFILIATE_RULES_START,
    note: unique("Deal "),
    rules: [{ conditions: {}, reward: { type: "percentage", amount: 40 } }],
  }),
  "affiliate_rules.remove": ({ affiliate }) => ({
    affiliate_id: affiliate.id,
    starts_at: AFFILIATE_RULES_START,
  }),
  "referrals.list": () => ({}),
  "referrals.get": ({ referral }) => ({ id: referral.id }),
  "referrals.create": ({ affiliate }) => ({
    affiliate_id: affiliate.id,
    email: `${unique("customer-")}@example.com`,
  }),
  "referrals.update": ({ referral }) => ({ id: referral.id, processor_customer_id: unique("cus_") }),
  "commissions.list": () => ({}),
  "commissions.get": ({ commission }) => ({ id: commission.id }),
  "commissions.create": ({ referral }) => ({
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
    processor_payment_id: unique("pi_"),
  }),
  "commissions.update": ({ commission }) => ({ id: commission.id, processor_payment_id: unique("pi_") }),
  "conversions.create": ({ referral }) => ({
    kind: unique("demo_").replaceAll("-", "_"),
    referral_id: referral.id,
  }),
  "leads.list": () => ({}),
  "leads.get": ({ lead_id }) => ({ id: lead_id }),
  "commissions.approve": ({ commission }) => ({ id: commission.id }),
  "commissions.reject": ({ commission }) => ({ id: commission.id, reason: unique("Reason ") }),
  // A click without a discount has an answer, too.
  "discounts.get": ({ referral }) => ({ click_id: referral.id }),
  "adjustments.list": () => ({}),
  "adjustments.get": ({ adjustment_id }) => ({ id: adjustment_id }),
  "adjustments.create": ({ affiliate }) => ({
    affiliate_id: affiliate.id,
    amount: -5,
    reason: unique("Correction "),
  }),
  "adjustments.update": ({ adjustment_id }) => ({ id: adjustment_id, payout_status: "voided" }),
  "payouts.list": () => ({}),
  "payouts.get": ({ payout_id }) => ({ id: payout_id }),
  "events.list": () => ({}),
  "events.get": ({ event_id }) => ({ id: event_id }),
  "analytics.get": () => ({ dimension: "affiliate", until: "2100-01-01" }),
  "analytics.series": ({ affiliate }) => ({
    dimension: "affiliate",
    key: `=${affiliate.id}`,
    from: "2026-11-01",
    until: "2026-12-01",
  }),
  "overrides.list": () => ({}),
  "overrides.get": ({ override_id }) => ({ id: override_id }),
  "referrals.move": ({ referral, other_affiliate_id }) => ({
    referral_id: referral.id,
    affiliate_id: other_affiliate_id,
    ...dryRun(),
  }),
  "affiliates.credit": ({ affiliate, payment_id }) => ({
    processor_payment_id: payment_id,
    affiliate_id: affiliate.id,
    ...dryRun(),
  }),
  "referrals.stop": ({ referral }) => ({ referral_id: referral.id, ...dryRun() }),
  "overrides.resume": ({ override_id }) => ({ id: override_id, ...dryRun() }),
  "overrides.undo": ({ override_id }) => ({ id: override_id, ...dryRun() }),
  "backtests.list": () => ({}),
  "backtests.get": ({ backtest_id }) => ({ id: backtest_id }),
  "backtests.cancel": ({ backtest_id }) => ({ id: backtest_id }),
  "backtests.create": ({ campaign }) => ({
    campaign: { campaign_id: inAnotherCase(campaign.id), commission_amount: 25 },
  }),
  "portal_tokens.create": ({ affiliate }) => ({ affiliate_id: inAnotherCase(affiliate.id) }),
};

/** The program's commission needs no review: the error of these shows that it was found. */
export const NOT_IN_REVIEW: readonly string[] = ["commissions.approve", "commissions.reject"];

export function validInput(operation: string, program: Known): Input {
  const build = VALID_INPUTS[operation];
  if (build === undefined) throw new Error(`add a valid input of ${operation} to valid-inputs.ts`);
  return build(program);
}
